package io.leasehold.raft.simulation;

import io.leasehold.Subscription;
import io.leasehold.store.LeaseStore;
import io.leasehold.store.Member;
import io.leasehold.store.ProposeException;
import io.leasehold.store.StoreFigures;
import io.leasehold.store.StoreStatus;
import io.leasehold.store.TableDigest;
import io.leasehold.store.core.Batch;
import io.leasehold.store.core.BatchReply;
import io.leasehold.store.core.MapLeaseTable;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The store as one process sees it: its own replica, and the others over the network. */
final class SimulatedStore implements LeaseStore {

  private static final long READ_NANOS_MAX = 5_000_000_000L;

  private final SimulatedGroup group;
  private final SimulatedReplica replica;

  SimulatedStore(SimulatedGroup group, SimulatedReplica replica) {
    this.group = group;
    this.replica = replica;
  }

  @Override
  public String node() {
    return replica.node();
  }

  @Override
  public CompletionStage<BatchReply> propose(Batch batch, int attempt) {
    CompletableFuture<BatchReply> result = new CompletableFuture<>();
    String to = target(attempt);
    // The transport has a thread of its own, and the process may pause before it gets to this.
    replica.process().execute(() -> send(batch, to, result));
    replica.process().reached(SimulatedProcess.Moment.HANDED_OVER);
    return result;
  }

  private void send(Batch batch, String to, CompletableFuture<BatchReply> result) {
    group
        .network()
        .send(
            node(),
            to,
            () ->
                group.inProcess(
                    to,
                    member ->
                        member.receive(
                            batch,
                            (reply, failure) ->
                                group
                                    .network()
                                    .send(to, node(), () -> answer(result, reply, failure)))));
    replica.process().reached(SimulatedProcess.Moment.SENT);
  }

  /** The leader as this node knows it first, then one after the other. */
  private String target(int attempt) {
    List<String> members = group.members();
    String first = replica.knownLeader().orElse(node());
    return members.get((members.indexOf(first) + attempt) % members.size());
  }

  private void answer(
      CompletableFuture<BatchReply> result,
      @Nullable BatchReply reply,
      @Nullable ProposeException failure) {
    replica.process().reached(SimulatedProcess.Moment.ANSWERED);
    replica
        .process()
        .run(
            () -> {
              if (failure != null) {
                result.completeExceptionally(failure);
              } else {
                result.complete(reply);
              }
            });
  }

  @Override
  public Subscription watch(Watcher watcher) {
    return replica.watch(watcher);
  }

  @Override
  public CompletionStage<Reading> readAt(long index) {
    CompletableFuture<Reading> result = new CompletableFuture<>();
    group
        .world()
        .after(
            READ_NANOS_MAX,
            () ->
                replica
                    .process()
                    .run(
                        () ->
                            result.completeExceptionally(
                                new ProposeException(
                                    "this replica is too far behind", true, null))));
    replica.readAt(
        index, table -> result.complete(new TableReading(replica.applied(), table.copy())));
    return result;
  }

  @Override
  public StoreStatus status() {
    return new StoreStatus(
        node(),
        replica.believesToLead() ? StoreStatus.Role.LEADER : StoreStatus.Role.FOLLOWER,
        replica.knownLeader(),
        replica.knownTerm(),
        replica.applied(),
        replica.table().state().leaseTimeNanos(),
        List.<Member>of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty());
  }

  @Override
  public StoreFigures figures() {
    return StoreFigures.NONE;
  }

  @Override
  public CompletionStage<Void> addMember(Member member) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<Void> removeMember(String id) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<Boolean> transferLeadership(String to) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<Long> snapshot() {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<Long> backup(Path file) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  @Override
  public CompletionStage<TableDigest> digestAt(long index) {
    throw new UnsupportedOperationException("there are no operators here");
  }

  private record TableReading(long index, MapLeaseTable table) implements Reading {

    @Override
    public Moment all() {
      return new Moment(index, table.leases());
    }

    @Override
    public Moment find(String name) {
      return new Moment(index, table.find(name).stream().toList());
    }
  }
}
