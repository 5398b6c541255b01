package io.leasehold.bench.peers;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.etcd.jetcd.support.CloseableClient;
import io.grpc.stub.StreamObserver;
import java.util.concurrent.CompletableFuture;

/**
 * What etcd calls a lease: a time to live that keys are attached to, kept alive by its client.
 *
 * @param id etcd's number of it
 */
record EtcdLease(long id, CloseableClient renewal) implements AutoCloseable {

  /**
   * Grants one, and begins to renew it.
   *
   * @param onEnd runs if the client takes it for lost
   */
  static CompletableFuture<EtcdLease> grant(Client client, long ttlSeconds, Runnable onEnd) {
    return client
        .getLeaseClient()
        .grant(ttlSeconds)
        .thenApply(
            granted ->
                new EtcdLease(
                    granted.getID(),
                    client.getLeaseClient().keepAlive(granted.getID(), new Watch(onEnd))));
  }

  @Override
  public void close() {
    renewal.close();
  }

  private record Watch(Runnable onEnd) implements StreamObserver<LeaseKeepAliveResponse> {

    @Override
    public void onNext(LeaseKeepAliveResponse response) {}

    @Override
    public void onError(Throwable failure) {
      onEnd.run();
    }

    @Override
    public void onCompleted() {
      onEnd.run();
    }
  }
}
