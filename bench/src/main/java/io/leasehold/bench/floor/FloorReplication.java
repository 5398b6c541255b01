package io.leasehold.bench.floor;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Where the leader's batches go. */
interface FloorReplication extends AutoCloseable {

  /** Returns when a batch, the remaining bytes of a buffer, cannot be lost by any one node. */
  void replicate(ByteBuffer frame) throws IOException;

  @Override
  void close() throws IOException;
}
