package io.leasehold.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.recipes.locks.InterProcessMutex;
import org.apache.zookeeper.AsyncCallback.Create2Callback;
import org.apache.zookeeper.AsyncCallback.StatCallback;
import org.apache.zookeeper.AsyncCallback.VoidCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;

/**
 * Without waiting it creates an ephemeral node if there is none, which is the fastest way that
 * ZooKeeper has. With waiting it uses Curator's InterProcessMutex, which has a queue, and belongs
 * to the thread that acquires it.
 */
final class ZooKeeperContender implements NumberedContender {

  static final String FOLDER = "/leases";

  private final CuratorFramework client;
  private final String path;
  private final byte[] owner;
  private final InterProcessMutex mutex;
  private volatile long number;

  ZooKeeperContender(CuratorFramework client, String lease, String owner) {
    String node = URLEncoder.encode(lease, UTF_8);
    this.client = client;
    this.path = FOLDER + "/" + node;
    this.owner = owner.getBytes(UTF_8);
    this.mutex = new InterProcessMutex(client, "/queues/" + node);
  }

  @Override
  public CompletionStage<Boolean> acquire() {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Create2Callback created =
        (code, asked, context, name, stat) -> {
          switch (Code.get(code)) {
            case OK -> {
              number = stat.getCzxid();
              answer.complete(true);
            }
            case NODEEXISTS -> answer.complete(false);
            default -> answer.completeExceptionally(KeeperException.create(Code.get(code), asked));
          }
        };
    try {
      zooKeeper()
          .create(
              path, owner, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL, created, "acquire");
    } catch (Exception e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  @Override
  public CompletionStage<Boolean> acquire(Duration maxWait) {
    try {
      return CompletableFuture.completedFuture(
          mutex.acquire(maxWait.toMillis(), TimeUnit.MILLISECONDS));
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public CompletionStage<?> release() {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    VoidCallback deleted =
        (code, asked, context) -> {
          switch (Code.get(code)) {
            case OK, NONODE -> answer.complete(null);
            default -> answer.completeExceptionally(KeeperException.create(Code.get(code), asked));
          }
        };
    try {
      if (mutex.isOwnedByCurrentThread()) {
        mutex.release();
        answer.complete(null);
      } else {
        zooKeeper().delete(path, -1, deleted, "release");
      }
    } catch (Exception e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  @Override
  public long number() {
    return number;
  }

  @Override
  public CompletionStage<Boolean> confirm() {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    StatCallback looked =
        (code, asked, context, stat) -> {
          switch (Code.get(code)) {
            case OK -> answer.complete(stat.getCzxid() == number);
            case NONODE -> answer.complete(false);
            default -> answer.completeExceptionally(KeeperException.create(Code.get(code), asked));
          }
        };
    try {
      zooKeeper().exists(path, false, looked, "confirm");
    } catch (Exception e) {
      answer.completeExceptionally(e);
    }
    return answer;
  }

  private ZooKeeper zooKeeper() throws Exception {
    return client.getZookeeperClient().getZooKeeper();
  }
}
