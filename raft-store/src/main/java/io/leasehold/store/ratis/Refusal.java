package io.leasehold.store.ratis;

import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.protocol.exceptions.LeaderNotReadyException;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.protocol.exceptions.StateMachineException;

/**
 * What a refusal of Ratis means to a node.
 *
 * @param sentence for people
 * @param beforeLog whether Ratis refuses so only before a request can reach the log
 */
record Refusal(String sentence, boolean beforeLog) {

  static Refusal of(Throwable cause) {
    if (cause instanceof NotLeaderException) {
      // Also what becomes of a request that a deposed leader had appended.
      return new Refusal("the member that was asked does not lead: try again", false);
    } else if (cause instanceof LeaderNotReadyException
        || cause instanceof LeaderSteppingDownException
        || cause instanceof ServerNotReadyException) {
      return new Refusal("leadership is changing: try again shortly", true);
    } else if (cause instanceof GroupMismatchException) {
      return new Refusal(
          "the member that was asked belongs to another cluster: check names and addresses", true);
    } else if (cause instanceof StateMachineException) {
      // Thrown by our own startTransaction; what is applied answers with values only.
      return new Refusal("the leader has refused the batch: " + reason(cause), true);
    }
    return new Refusal("the attempt has failed: " + cause.getMessage(), false);
  }

  private static String reason(Throwable cause) {
    Throwable inner = cause.getCause() == null ? cause : cause.getCause();
    return String.valueOf(inner.getMessage());
  }
}
