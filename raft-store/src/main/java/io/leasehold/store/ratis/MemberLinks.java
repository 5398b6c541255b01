package io.leasehold.store.ratis;

import io.leasehold.store.Member;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/** The ways to the other members of a real cluster, for the watch over the leader. */
record MemberLinks(Roster roster) implements LeaderWatch.Network {

  private static final int CONNECT_LIMIT_MILLIS = 100;

  @Override
  public void onBroken(Member member, Runnable task) {
    roster.link(member.id()).ifPresent(link -> link.onBroken(task));
  }

  @Override
  public boolean isConnected(Member member) {
    return roster.link(member.id()).map(MemberLink::isConnected).orElse(false);
  }

  /** On a thread of its own, for names are looked up, too, and nobody knows for how long. */
  @Override
  public CompletableFuture<Boolean> refuses(Member member) {
    CompletableFuture<Boolean> refused = new CompletableFuture<>();
    Thread looking =
        new Thread(() -> refused.complete(refusesNow(member)), "leasehold-look-at-" + member.id());
    looking.setDaemon(true);
    looking.start();
    return refused;
  }

  /** Only a host that is there refuses; one that is gone or cut off does not answer. */
  private static boolean refusesNow(Member member) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(member.host(), member.port()), CONNECT_LIMIT_MILLIS);
      return false;
    } catch (ConnectException e) {
      return String.valueOf(e.getMessage()).contains("refused");
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }
}
