package io.leasehold.singleton;

import static java.util.Objects.requireNonNull;

import io.leasehold.Lease;
import io.leasehold.LeaseEvent;
import io.leasehold.LeaseProvider;
import io.leasehold.LeaseSettings;
import io.leasehold.Subscription;
import io.leasehold.time.ExecutorTimer;
import io.leasehold.time.Timer;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task on this node while it holds a lease, and competes for it while another one does. Safe
 * for many threads.
 *
 * <ul>
 *   <li>The task starts once the lease is held. It is handed over the moment that another node
 *       gives it up, or its time to live has passed; when the store cannot be asked, after the
 *       retry interval.
 *   <li>When the lease is lost the task is cancelled at once. This node competes again when it has
 *       ended, and not before.
 *   <li>When the task ends by itself, or fails, the lease is released, and this node competes again
 *       after the retry interval: no lease is held with nobody working.
 *   <li>{@link #stepDown}, {@link #close()} and the closing of the provider cancel the task, wait
 *       until it has ended, and then release: never the other way round.
 * </ul>
 *
 * <p>Two tasks may still overlap: an old one, whose lease is lost, that has not ended yet, and a
 * new one. {@link SingletonContext#checkAlive()} is false in the old one by then, and resources
 * tell the two by their {@link SingletonContext#fencingToken() fencing tokens}.
 *
 * <p>The lease's name and owner should be its own: what is held through another handle with both is
 * the same hold. The idea, and the words, are those of Curator's {@code LeaderSelector} and of the
 * leader election of Kubernetes' client-go.
 */
public final class Singleton implements AutoCloseable {

  private static final System.Logger LOGGER = System.getLogger(Singleton.class.getName());

  private final LeaseSettings settings;
  private final LeaseProvider provider;
  private final Candidacy candidacy;
  private final BooleanSupplier onTaskThread;

  private Singleton(
      LeaseProvider provider,
      LeaseSettings settings,
      Candidacy candidacy,
      BooleanSupplier onTaskThread) {
    this.settings = settings;
    this.provider = provider;
    this.candidacy = candidacy;
    this.onTaskThread = onTaskThread;
  }

  /** What a singleton is doing on this node. */
  public enum State {
    /** Waits for the lease. */
    COMPETING,
    /** Holds the lease, and the task runs. */
    RUNNING,
    /** The task was cancelled and has not ended yet. */
    STOPPING,
    /** The lease is being released; nothing runs. */
    RELEASING,
    /** Does not compete for a while: after a failure, a task that ended, or {@link #stepDown}. */
    RESTING,
    /** Closed. */
    CLOSED
  }

  /**
   * Returns a builder.
   *
   * @param provider is not closed with the singleton; closed before it, it stops the task first
   * @param settings of the lease; the owner is this node's name for itself
   */
  public static Builder builder(LeaseProvider provider, LeaseSettings settings) {
    return new Builder(provider, settings);
  }

  /** Returns what it is doing now; local, never blocks. */
  public State state() {
    return candidacy.state();
  }

  /** Returns the token under which the task runs here; empty when it does not. */
  public OptionalLong fencingToken() {
    Term term = candidacy.term();
    return term != null && term.checkAlive()
        ? OptionalLong.of(term.fencingToken())
        : OptionalLong.empty();
  }

  /**
   * Tells an observer which node leads, and each change, as {@link io.leasehold.LeaseInspector} has
   * it. Several may observe; closing the singleton does not end it.
   */
  public Subscription observe(Consumer<LeaseEvent> observer) {
    return provider.inspector().watch(settings.name(), observer);
  }

  /**
   * Gives up the lead, or the place in the queue, and does not compete for a while, so that another
   * node can lead.
   *
   * @param cooldown how long this node does not compete; one that lasts longer is not shortened
   * @return completes when nothing runs here and the lease is not held here any more; its release
   *     may be unknown to have reached the store, which is then tried again in the background
   * @throws IllegalArgumentException when the cooldown is null or negative
   */
  public CompletionStage<Void> stepDown(Duration cooldown) {
    if (cooldown == null || cooldown.isNegative()) {
      throw new IllegalArgumentException("cooldown: must not be null or negative: " + cooldown);
    }
    return candidacy.stepDown(cooldown);
  }

  /**
   * Ends it without waiting: cancels the task, releases the lease when that has ended.
   *
   * @return completes when both are done
   */
  public CompletionStage<Void> shutdown() {
    return candidacy.shutdown();
  }

  /**
   * As {@link #shutdown()}, and waits for it, at most for the lease's time to live. A task that has
   * not ended by then keeps its lease until it does. Called by the task itself it does not wait.
   * Idempotent, throws nothing; an interrupt that is pending does not shorten it, and is kept.
   */
  @Override
  public void close() {
    CompletionStage<Void> closed = candidacy.shutdown();
    if (onTaskThread.getAsBoolean()) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      closed.toCompletableFuture().get(settings.ttl().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      interrupted = true;
    } catch (TimeoutException e) {
      LOGGER.log(
          System.Logger.Level.WARNING,
          candidacy.hasWorkEnded()
              ? "The task of singleton {0} has ended, and the release of its lease is not confirmed after {1}"
              : "The task of singleton {0} has not ended {1} after it was cancelled; its lease is released when it does",
          settings.name(),
          settings.ttl());
    } catch (ExecutionException e) {
      throw new AssertionError("a shutdown does not fail", e);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String toString() {
    return "Singleton[%s, %s, %s]".formatted(settings.name(), settings.owner(), state());
  }

  /** Wires a singleton. Not thread-safe. */
  public static final class Builder {

    private static final Duration DEFAULT_RETRY_INTERVAL = Duration.ofSeconds(5);

    private final LeaseProvider provider;
    private final LeaseSettings settings;
    private Duration retryInterval = DEFAULT_RETRY_INTERVAL;
    private ThreadFactory threads;
    private @Nullable Timer timer;
    private RandomGenerator random = new SplittableRandom();

    private Builder(LeaseProvider provider, LeaseSettings settings) {
      this.provider = requireNonNull(provider, "provider");
      this.settings = requireNonNull(settings, "settings");
      this.threads = task -> daemon(task, "singleton-" + settings.name());
    }

    private static Thread daemon(Runnable task, String name) {
      Thread thread = new Thread(task, name);
      thread.setDaemon(true);
      return thread;
    }

    /**
     * How long this node does not compete after its task has ended or failed, or the store could
     * not be asked; 5 s unless set. Each pause is up to a fifth longer or shorter, so that nodes do
     * not come together.
     *
     * @throws IllegalArgumentException when it is null, zero or negative
     */
    public Builder retryInterval(Duration interval) {
      if (interval == null || interval.isNegative() || interval.isZero()) {
        throw new IllegalArgumentException("retryInterval: must be positive: " + interval);
      }
      this.retryInterval = interval;
      return this;
    }

    /** Makes the task's threads; daemon threads unless set. */
    public Builder threadFactory(ThreadFactory factory) {
      this.threads = requireNonNull(factory, "factory");
      return this;
    }

    /** Waits with this timer, instead of one of its own in real time. It is not closed. */
    public Builder timer(Timer other) {
      this.timer = requireNonNull(other, "other");
      return this;
    }

    /** Draws the length of its pauses from here. */
    public Builder random(RandomGenerator generator) {
      this.random = requireNonNull(generator, "generator");
      return this;
    }

    /**
     * Competes from now on.
     *
     * @throws IllegalStateException when the provider is closed
     */
    public Singleton start(SingletonTask task) {
      TaskThreads onThreads = new TaskThreads(requireNonNull(task, "task"), threads);
      return start(onThreads, onThreads::isOnTaskThread);
    }

    /** As {@link #start}, with a task that has no thread of its own. */
    public Singleton startAsync(AsyncSingletonTask task) {
      return start(requireNonNull(task, "task"), () -> false);
    }

    private Singleton start(AsyncSingletonTask task, BooleanSupplier onTaskThread) {
      Lease lease = provider.lease(settings);
      ExecutorTimer own = timer == null ? new ExecutorTimer("singleton-" + settings.name()) : null;
      Candidacy candidacy =
          new Candidacy(
              lease,
              task,
              own == null ? requireNonNull(timer) : own,
              new RetryPause(retryInterval, random),
              () -> {
                if (own != null) {
                  own.close();
                }
              });
      candidacy.begin(provider);
      return new Singleton(provider, settings, candidacy, onTaskThread);
    }
  }
}
