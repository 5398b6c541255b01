package io.leasehold.harness.check.history;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.leasehold.LeaseEvent;
import io.leasehold.LeaseLost;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One line of a history.
 *
 * <p><b>Time.</b> Stamps are nanoseconds on one monotonic clock that all processes of the run share
 * (nodes in a time namespace of their own have had its offset subtracted), counted from the start
 * of the run. Where an instant is not known exactly, the earliest and the latest it can have been
 * stand there: a call's invocation is stamped before it and its return after it, so that the true
 * interval always lies within the written one. A process that stamps for another one widens the
 * interval in the same way, and every rule stays sound.
 *
 * <p><b>Tokens</b> are positive; 0 stands for none or unknown.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = HistoryEvent.Invoke.class, name = "invoke"),
  @JsonSubTypes.Type(value = HistoryEvent.Return.class, name = "return"),
  @JsonSubTypes.Type(value = HistoryEvent.Sample.class, name = "sample"),
  @JsonSubTypes.Type(value = HistoryEvent.Lost.class, name = "lost"),
  @JsonSubTypes.Type(value = HistoryEvent.Life.class, name = "life"),
  @JsonSubTypes.Type(value = HistoryEvent.Fault.class, name = "fault"),
  @JsonSubTypes.Type(value = HistoryEvent.Mark.class, name = "mark"),
  @JsonSubTypes.Type(value = HistoryEvent.Watched.class, name = "watched"),
  @JsonSubTypes.Type(value = HistoryEvent.Guarded.class, name = "guarded"),
  @JsonSubTypes.Type(value = HistoryEvent.Digest.class, name = "digest"),
  @JsonSubTypes.Type(value = HistoryEvent.Task.class, name = "task")
})
public sealed interface HistoryEvent {

  /** The instant that orders this line among the others. */
  long at();

  /** What a client may ask for. */
  enum Operation {
    ACQUIRE,
    RELEASE,
    REVOKE
  }

  /** How a call ended. */
  enum Outcome {
    /** It was answered. */
    OK,
    /** It certainly had no effect. */
    FAIL,
    /** Nobody knows whether it had an effect. */
    INFO
  }

  /**
   * A call begins.
   *
   * @param at stamped before the call
   * @param call names the call in this history
   * @param handle whose call it is; for {@link Operation#REVOKE}, through which node and by whom
   * @param ttlNanos of an acquire
   * @param waitNanos how long an acquire is ready to queue; 0 for a try
   * @param reclaim whether an acquire may take over from its own owner's older session
   * @param token the hold a revoke is aimed at
   * @param unsafe whether a revoke frees at once
   */
  record Invoke(
      long at,
      long call,
      Operation op,
      Handle handle,
      long ttlNanos,
      long waitNanos,
      boolean reclaim,
      long token,
      boolean unsafe)
      implements HistoryEvent {

    public Invoke {
      requireNonNull(op, "op");
      requireNonNull(handle, "handle");
      if (op == Operation.ACQUIRE && ttlNanos <= 0) {
        throw new IllegalArgumentException("an acquire has a ttlNanos: " + ttlNanos);
      }
    }

    /** An acquire; {@code waitNanos} 0 is a try. */
    public static Invoke acquire(long at, long call, Handle by, long ttlNanos, long waitNanos) {
      return new Invoke(at, call, Operation.ACQUIRE, by, ttlNanos, waitNanos, false, 0, false);
    }

    /** A release. */
    public static Invoke release(long at, long call, Handle by) {
      return new Invoke(at, call, Operation.RELEASE, by, 0, 0, false, 0, false);
    }

    /** A safe revocation of a hold, asked for through a node. */
    public static Invoke revoke(long at, long call, Handle by, long token) {
      return new Invoke(at, call, Operation.REVOKE, by, 0, 0, false, token, false);
    }
  }

  /**
   * A call ends.
   *
   * @param at stamped after the call
   * @param call which
   * @param yes the answer: granted, released, revoked
   * @param token of the hold an acquire was granted
   * @param handedAt when the call had certainly been handed over, and would be sent in its turn; 0
   *     when not known
   * @param acquisition names the grant's acquisition in the store, where it is known
   * @param error the failure, in words
   */
  record Return(
      long at,
      long call,
      Outcome outcome,
      boolean yes,
      long token,
      long handedAt,
      @Nullable String acquisition,
      @Nullable String error)
      implements HistoryEvent {

    public Return {
      requireNonNull(outcome, "outcome");
    }

    /** An acquire that was granted. */
    public static Return granted(long at, long call, long token) {
      return new Return(at, call, Outcome.OK, true, token, 0, null, null);
    }

    /** An answer without a token: refused, released, revoked or not. */
    public static Return answered(long at, long call, boolean yes) {
      return new Return(at, call, Outcome.OK, yes, 0, 0, null, null);
    }

    /** This return of a call that had been handed over by an instant. */
    public Return handedAt(long instant) {
      return new Return(at, call, outcome, yes, token, instant, acquisition, error);
    }

    /** A call that certainly had no effect, or may have had one. */
    public static Return failed(long at, long call, boolean certainly, String error) {
      return new Return(
          at, call, certainly ? Outcome.FAIL : Outcome.INFO, false, 0, 0, null, error);
    }
  }

  /**
   * One or more answers of {@code checkAlive()} in a row that were the same.
   *
   * @param token the token that was there before and after each of them; 0 when there was none
   * @param before stamped before the first
   * @param after stamped after the first
   * @param lastBefore stamped before the last
   * @param lastAfter stamped after the last
   * @param count how many
   */
  record Sample(
      Handle handle,
      long token,
      boolean alive,
      long before,
      long after,
      long lastBefore,
      long lastAfter,
      int count)
      implements HistoryEvent {

    public Sample {
      requireNonNull(handle, "handle");
      if (count <= 1) {
        count = 1;
        lastBefore = before;
        lastAfter = after;
      }
      if (after < before || lastAfter < lastBefore || lastBefore < before) {
        throw new IllegalArgumentException("a sample's stamps must not go back");
      }
      if (alive && token == 0) {
        throw new IllegalArgumentException("a sample that says alive has a token");
      }
    }

    /** One answer. */
    public static Sample of(Handle handle, long token, boolean alive, long before, long after) {
      return new Sample(handle, token, alive, before, after, before, after, 1);
    }

    /** Whether the other answers the same about the same hold. */
    public boolean isLike(Sample other) {
      return alive == other.alive && token == other.token && handle.equals(other.handle);
    }

    /** This and a later one that {@link #isLike} it, as one line. */
    public Sample and(Sample later) {
      return new Sample(
          handle,
          token,
          alive,
          before,
          after,
          later.lastBefore,
          later.lastAfter,
          count + later.count);
    }

    @Override
    public long at() {
      return before;
    }
  }

  /**
   * A handler was told of a loss.
   *
   * @param from the earliest instant at which the handler can have been entered
   * @param at the latest
   */
  record Lost(long from, long at, Handle handle, long token, LeaseLost.Reason reason)
      implements HistoryEvent {

    public Lost {
      requireNonNull(handle, "handle");
      requireNonNull(reason, "reason");
      if (from == 0 || from > at) {
        from = at;
      }
    }

    /** A loss stamped by the process that was told. */
    public static Lost of(Handle handle, long at, long token, LeaseLost.Reason reason) {
      return new Lost(at, at, handle, token, reason);
    }
  }

  /**
   * Something in a node's life. {@link Step#KILL}, {@link Step#PAUSE} and {@link Step#CLOSE} are
   * stamped before they are done, the others after they were seen.
   */
  record Life(long at, String node, int run, Step step) implements HistoryEvent {

    /** What. */
    public enum Step {
      /** The process was started. */
      START,
      /** It answers. */
      READY,
      /** It is killed without a chance to say anything. */
      KILL,
      /** It was found dead though nobody killed it. */
      EXIT,
      /** It is asked to end in order. */
      CLOSE,
      /** It is stopped. */
      PAUSE,
      /** It goes on. */
      RESUME
    }

    public Life {
      requireNonNull(node, "node");
      requireNonNull(step, "step");
    }
  }

  /**
   * A fault begins or ends. One that passes at once (a kill) has a begin and an end as well.
   *
   * @param id the same at begin and end
   * @param kind such as {@code pause} or {@code partition}; {@link #STALL} is nobody's doing
   * @param targets the nodes concerned
   * @param parameters such as the length of a pause
   * @param disturbs whether it may delay answers and cost leases while it lasts; a step of the wall
   *     clock may not
   * @param injected whether it was really done; one that could not be is written down as well
   * @param means how it was done, or why it was not
   */
  record Fault(
      long at,
      int id,
      boolean begins,
      String kind,
      List<String> targets,
      Map<String, String> parameters,
      boolean disturbs,
      boolean injected,
      String means)
      implements HistoryEvent {

    /** A process did not get to run: seen by itself, and not injected by anybody. */
    public static final String STALL = "stall";

    public Fault {
      requireNonNull(kind, "kind");
      targets = targets == null ? List.of() : List.copyOf(targets);
      parameters = parameters == null ? Map.of() : Map.copyOf(parameters);
      means = means == null ? "" : means;
    }
  }

  /** A mark of the run itself. */
  record Mark(long at, What what) implements HistoryEvent {

    /** What. */
    public enum What {
      /** From here on no fault is active, and none will begin. */
      FAULTS_OVER,
      /** The record ends. */
      END
    }

    public Mark {
      requireNonNull(what, "what");
    }
  }

  /**
   * What a node's watch told.
   *
   * @param at when the observer was told, at the latest
   * @param node the observer's node
   * @param holder the node of the hold it is about
   */
  record Watched(
      long at,
      String node,
      int run,
      LeaseEvent.Kind kind,
      String lease,
      @Nullable String owner,
      @Nullable String holder,
      long token)
      implements HistoryEvent {

    public Watched {
      requireNonNull(node, "node");
      requireNonNull(kind, "kind");
      requireNonNull(lease, "lease");
    }
  }

  /**
   * A write to a resource that compares tokens.
   *
   * @param at stamped after it
   * @param before stamped before it
   * @param resource which resource
   * @param accepted whether the resource took it
   * @param value the resource's count after an accepted write
   */
  record Guarded(
      long at,
      long before,
      String node,
      int run,
      String resource,
      long token,
      boolean accepted,
      long value)
      implements HistoryEvent {

    public Guarded {
      requireNonNull(node, "node");
      requireNonNull(resource, "resource");
    }
  }

  /**
   * What a node's replicated table amounted to after one entry.
   *
   * @param at stamped after it was read
   * @param before stamped before it was read
   * @param index of the entry
   * @param leaseTimeNanos the replicated clock after it
   * @param lastToken the greatest token granted by then
   * @param digest of the whole table
   */
  record Digest(
      long at,
      long before,
      String node,
      int run,
      long index,
      long leaseTimeNanos,
      long lastToken,
      String digest)
      implements HistoryEvent {

    public Digest {
      requireNonNull(node, "node");
      requireNonNull(digest, "digest");
    }
  }

  /**
   * A moment in one run of a singleton's task, in which it was running.
   *
   * @param from the earliest instant at which it can have been
   * @param at the latest
   * @param task names the run of the task in this history
   * @param handle what holds the lease that the task runs under
   * @param token what the task was told as its token
   */
  record Task(long from, long at, long task, Handle handle, long token, Moment moment)
      implements HistoryEvent {

    /** What. */
    public enum Moment {
      /** It begins. */
      START,
      /** It asked {@code checkAlive()} and was told yes. */
      ALIVE,
      /** It asked {@code checkAlive()} and was told no. */
      NOT_ALIVE,
      /** It was told to end. */
      CANCEL,
      /** It ends. */
      END
    }

    public Task {
      requireNonNull(handle, "handle");
      requireNonNull(moment, "moment");
      if (from == 0 || from > at) {
        from = at;
      }
    }
  }
}
