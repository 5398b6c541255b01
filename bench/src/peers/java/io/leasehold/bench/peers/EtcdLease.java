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

  private static final long TTL_SECONDS = 10;

  static CompletableFuture<EtcdLease> grant(Client client) {
    return client
        .getLeaseClient()
        .grant(TTL_SECONDS)
        .thenApply(
            granted ->
                new EtcdLease(
                    granted.getID(),
                    client.getLeaseClient().keepAlive(granted.getID(), new Silent())));
  }

  @Override
  public void close() {
    renewal.close();
  }

  private static final class Silent implements StreamObserver<LeaseKeepAliveResponse> {

    @Override
    public void onNext(LeaseKeepAliveResponse response) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }
}
