package io.leasehold.bench.peers;

/** What one process has of a peer: its client, or its member. */
interface PeerNode extends AutoCloseable {

  /** Returns somebody who wants a lease; an owner of another node is somebody else. */
  NumberedContender contender(String lease, String owner);

  /** Cuts it off from the other members, silently. */
  default void disconnect() {
    throw new UnsupportedOperationException("disconnect");
  }

  /** Mends {@link #disconnect()}. */
  default void reconnect() {
    throw new UnsupportedOperationException("reconnect");
  }

  /** Ends it as the end of its process would: nothing is given back. */
  default void crash() {
    throw new UnsupportedOperationException("crash");
  }

  /** Ends it in order, with whatever the peer frees then. */
  @Override
  void close();
}
