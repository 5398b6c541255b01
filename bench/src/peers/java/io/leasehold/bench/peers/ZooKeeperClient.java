package io.leasehold.bench.peers;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;

/** Curator on three servers, some of which may still be about to start. */
final class ZooKeeperClient {

  private static final int CONNECT_MILLIS = 5_000;
  private static final int RETRY_MILLIS = 100;
  private static final int START_SECONDS_MAX = 30;

  private ZooKeeperClient() {}

  /**
   * Connects.
   *
   * @param session how long its nodes outlive the last answer to it
   */
  static CuratorFramework connect(String servers, Duration session) {
    CuratorFramework client =
        CuratorFrameworkFactory.newClient(
            servers, (int) session.toMillis(), CONNECT_MILLIS, new RetryForever(RETRY_MILLIS));
    client.start();
    try {
      if (!client.blockUntilConnected(START_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new IllegalStateException("ZooKeeper does not answer");
      }
      client.create().orSetData().creatingParentsIfNeeded().forPath(ZooKeeperContender.FOLDER);
      return client;
    } catch (RuntimeException e) {
      client.close();
      throw e;
    } catch (InterruptedException e) {
      client.close();
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while ZooKeeper started", e);
    } catch (Exception e) {
      client.close();
      throw new IllegalStateException("ZooKeeper refuses", e);
    }
  }
}
