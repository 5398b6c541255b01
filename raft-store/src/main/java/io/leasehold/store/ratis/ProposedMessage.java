package io.leasehold.store.ratis;

import io.leasehold.store.core.Batch;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * A batch that this node hands to its own server: the state machine gets the batch as it is, and
 * notes whether it came near the log. Safe for many threads.
 */
final class ProposedMessage implements Message {

  private final Batch batch;
  private final ByteString bytes;
  private volatile boolean appending;

  ProposedMessage(Batch batch, ByteString bytes) {
    this.batch = batch;
    this.bytes = bytes;
  }

  Batch batch() {
    return batch;
  }

  @Override
  public ByteString getContent() {
    return bytes;
  }

  /** From here on the batch may be applied, whatever is said of it. */
  void appending() {
    appending = true;
  }

  boolean mayBeInLog() {
    return appending;
  }
}
