package io.leasehold.store.ratis;

import io.leasehold.store.codec.ReplyCodec;
import io.leasehold.store.core.BatchReply;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The reply to a batch. Its bytes are made only where somebody asks for them: not on a follower,
 * and not where the node that proposed leads. Immutable.
 */
record ReplyMessage(BatchReply reply) implements Message {

  private static final ReplyCodec CODEC = new ReplyCodec();

  @Override
  public ByteString getContent() {
    return UnsafeByteOperations.unsafeWrap(CODEC.encode(reply));
  }

  @Override
  public int size() {
    return 0;
  }
}
