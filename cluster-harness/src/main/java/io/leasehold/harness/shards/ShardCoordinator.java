package io.leasehold.harness.shards;

import static java.util.Objects.requireNonNull;

import io.leasehold.concurrent.Strand;
import io.leasehold.singleton.SingletonContext;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Says which region has which shard. It buffers while its lease, and what the regions have, is
 * being acquired; serves; and has stopped for ever once its lease is lost or to be given back.
 * Confined to its node's strand.
 */
final class ShardCoordinator {

  /** How many requests may wait; the next one is rejected at once. */
  static final int PENDING_MAX = 1_000;

  private final Peers peers;
  private final Survey survey;
  private final Strand strand;
  private final ShardLog log;

  private final Queue<ShardRequest> buffer = new ArrayDeque<>();
  private final Placements placements = new Placements();
  private final Set<Placement> underWay = new LinkedHashSet<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private State state = State.ACQUIRING;
  private @Nullable SingletonContext tenure;
  private String farewell = "";

  /** Where a coordinator is in its life; it never goes back. */
  enum State {
    /** Its lease, or what the regions have. */
    ACQUIRING,
    SERVING,
    STOPPED
  }

  ShardCoordinator(Peers peers, Survey survey, Strand strand, ShardLog log) {
    this.peers = peers;
    this.survey = survey;
    this.strand = strand;
    this.log = log;
  }

  State state() {
    return state;
  }

  /** Whether its lease is, or was, held. */
  boolean hasBegun() {
    return tenure != null;
  }

  // --- its tenure

  /**
   * The lease is held: asks the regions, then serves.
   *
   * @return completes when it has stopped. A message may still be on its way to a region then,
   *     which refuses it once a newer coordinator has asked
   */
  CompletionStage<Void> begin(SingletonContext held) {
    tenure = held;
    log.begun(held.fencingToken());
    survey.begin(held.fencingToken(), new RegionsKnown());
    held.onCancel(() -> strand.execute(() -> stop("its lease is lost, or to be given back")));
    return ended;
  }

  /** Another node coordinates: returns what was buffered here, and has to go there. */
  List<ShardRequest> yieldBuffered() {
    if (hasBegun()) {
      return List.of();
    }
    List<ShardRequest> buffered = List.copyOf(buffer);
    buffer.clear();
    return buffered;
  }

  /** Rejects what is pending, and all that comes. */
  void stop(String why) {
    if (state == State.STOPPED) {
      return;
    }
    state = State.STOPPED;
    farewell = "this coordinator has stopped, for %s; ask the new one".formatted(why);
    survey.end();
    buffer.forEach(request -> request.reject(farewell));
    buffer.clear();
    underWay.forEach(placement -> placement.rejectWaiting(farewell));
    underWay.clear();
    if (tenure != null) {
      log.ended(tenure.fencingToken());
    }
    ended.complete(null);
  }

  /** Writes down that it is the coordinator now, if it may believe so. */
  void claim() {
    long at = log.now();
    if (tenure != null && tenure.checkAlive()) {
      log.coordinates(at, tenure.fencingToken());
    }
  }

  /** Learns from the survey. */
  private final class RegionsKnown implements Survey.Findings {

    @Override
    public void reported(RegionReport report) {
      placements.reported(report);
    }

    @Override
    public void silent(String node, OptionalLong life) {
      placements.silent(node);
      placements.onlyLife(node, life);
    }

    @Override
    public void complete() {
      state = State.SERVING;
      for (ShardRequest next = buffer.poll(); next != null; next = buffer.poll()) {
        receive(next);
      }
    }

    @Override
    public void superseded() {
      stop("a region has heard of a newer one");
    }
  }

  // --- requests

  /** Takes a request; it is answered or rejected, at once or later. */
  void receive(ShardRequest request) {
    switch (state) {
      case ACQUIRING -> {
        if (buffer.size() < PENDING_MAX) {
          buffer.add(request);
        } else {
          request.reject("this coordinator still acquires its lease, and its buffer is full");
        }
      }
      case SERVING -> serve(request, requireNonNull(tenure));
      case STOPPED -> request.reject(farewell);
    }
  }

  private void serve(ShardRequest request, SingletonContext held) {
    long at = log.now();
    if (!held.checkAlive()) {
      stop("its lease is not provably held any more");
      request.reject(farewell);
      return;
    }
    Optional<Placement> found =
        placements
            .find(request.shard())
            .or(() -> placements.place(request.shard(), held.fencingToken()));
    if (found.isEmpty()) {
      request.reject("no region answers at present; ask again");
    } else if (found.get().isConfirmed()) {
      request.grant(found.get().allocation());
    } else if (pending() == PENDING_MAX) {
      request.reject("too many requests wait for the regions; ask again");
    } else {
      found.get().await(request);
      send(found.get(), at);
    }
  }

  private int pending() {
    return underWay.stream().mapToInt(Placement::waiting).sum();
  }

  /** Tells the region, unless it is being told. Again is as good as once. */
  private void send(Placement placement, long at) {
    if (underWay.add(placement)) {
      log.decided(at, placement.allocation());
      peers
          .allocate(placement.allocation())
          .whenComplete((verdict, failure) -> strand.execute(() -> answered(placement, verdict)));
    }
  }

  private void answered(Placement placement, @Nullable Verdict verdict) {
    if (state == State.STOPPED) {
      return;
    }
    if (verdict == Verdict.STALE) {
      stop("a region has heard of a newer one");
      return;
    }
    underWay.remove(placement);
    String node = placement.allocation().region().node();
    if (verdict != Verdict.ACCEPTED) {
      // The shard stays there: the message may have arrived, and only a free lease undoes that.
      placements.silent(node);
      placement.rejectWaiting("the region on " + node + " does not answer; ask again");
    } else if (placements.isCurrent(placement)) {
      placement.confirm();
      placement.grantWaiting();
    } else {
      placement.rejectWaiting("the region on " + node + " has died; ask again");
    }
  }
}
