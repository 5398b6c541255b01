package io.leasehold.raft;

/**
 * Closes a provider when the JVM shuts down, and keeps the JVM until it is closed, also by another
 * thread; closing it takes the provider's hook away again.
 */
final class ShutdownHook implements AutoCloseable {

  private final Thread thread;

  private ShutdownHook(Thread thread) {
    this.thread = thread;
  }

  static ShutdownHook install(RaftLeases leases, String nodeId) {
    Thread thread = new Thread(leases::closeInFull, "lease-shutdown-" + nodeId);
    Runtime.getRuntime().addShutdownHook(thread);
    return new ShutdownHook(thread);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // The JVM is shutting down, and it may be this very hook that closes the provider.
    }
  }
}
