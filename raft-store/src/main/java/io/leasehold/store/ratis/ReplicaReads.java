package io.leasehold.store.ratis;

import io.leasehold.store.LeaseReading;
import io.leasehold.store.LeaseStore.Moment;
import io.leasehold.store.LeaseStore.Reading;
import io.leasehold.store.ProposeException;
import io.leasehold.store.StoreConfig;
import io.leasehold.store.TableDigest;
import io.leasehold.store.rocks.TableException;
import io.leasehold.store.rocks.TableReader;
import io.leasehold.time.DurationText;
import io.leasehold.time.Timer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reads of this node's own replica. Safe for many threads. */
final class ReplicaReads {

  private final StoreConfig config;
  private final Supplier<TableReader> table;
  private final Timer timer;
  private final AppliedReads waiting = new AppliedReads();

  /**
   * @param table opens a view of the table as it is now
   */
  ReplicaReads(StoreConfig config, Supplier<TableReader> table, Timer timer) {
    this.config = config;
    this.table = table;
    this.timer = timer;
  }

  /** See {@link io.leasehold.store.LeaseStore#readAt}. */
  CompletableFuture<Reading> readAt(long index) {
    return reached(index).thenApply(done -> new TableReading());
  }

  /**
   * See {@link io.leasehold.store.LeaseStore#digestAt}. The view is opened on the thread that
   * applies, before the next entry.
   */
  CompletableFuture<TableDigest> digestAt(long index) {
    return reached(index)
        .thenApply(done -> reading(table))
        .thenApplyAsync(
            view ->
                reading(
                    () -> {
                      try (view) {
                        return view.digest();
                      }
                    }),
            digest -> new Thread(digest, "leasehold-" + config.nodeId() + "-digest").start());
  }

  /** The index has been applied. On the thread that applies. */
  void applied(long index) {
    waiting.applied(index);
  }

  /** Nothing will be applied any more. */
  void close(String because) {
    waiting.close(because);
  }

  private CompletableFuture<Void> reached(long index) {
    CompletableFuture<Void> reached = waiting.await(index);
    if (!reached.isDone()) {
      Timer.Cancellable limit = timer.schedule(config.readTimeout(), () -> giveUp(index, reached));
      var unused = reached.whenComplete((done, failure) -> limit.cancel());
    }
    return reached;
  }

  private void giveUp(long index, CompletableFuture<Void> reached) {
    waiting.forget(index, reached);
    reached.completeExceptionally(
        new ProposeException(
            "this replica has not caught up to index %d within %s"
                .formatted(index, DurationText.of(config.readTimeout())),
            true,
            null));
  }

  private static <T> T reading(Supplier<T> question) {
    try {
      return question.get();
    } catch (TableException e) {
      throw new ProposeException("the table cannot be read now: " + e.getMessage(), true, e);
    }
  }

  /** Reads the table when asked. */
  private final class TableReading implements Reading {

    @Override
    public Moment all() {
      return read(TableReader::leases);
    }

    @Override
    public Moment find(String name) {
      return read(view -> view.find(name).stream().toList());
    }

    private Moment read(Function<TableReader, List<LeaseReading>> question) {
      return reading(
          () -> {
            try (TableReader view = table.get()) {
              return new Moment(view.appliedIndex(), question.apply(view));
            }
          });
    }
  }
}
