package io.leasehold.harness.chaos;

import io.leasehold.store.Member;
import java.io.IOException;
import java.util.List;

/** How the nodes of a run reach each other, and how that is disturbed. Confined to one thread. */
interface Network extends AutoCloseable {

  /** One sentence for the report on what this network is. */
  String means();

  /** The members as a node is to know them. */
  List<Member> members(String node);

  /** What a node's program has to be started with to be in its place. */
  List<String> prefix(String node);

  /**
   * Cuts a node off from all others.
   *
   * @param direction {@code both}, {@code in} (it hears nothing) or {@code out} (it is not heard)
   * @param reset whether connections are refused at once, rather than packets lost
   * @return undoes it
   * @throws FaultNotPossibleException when this network cannot do that
   */
  Undo cut(String node, String direction, boolean reset)
      throws IOException, FaultNotPossibleException;

  /** Lets a node's packets through at a rate such as {@code 256kbit} only. */
  Undo slow(String node, String rate) throws IOException, FaultNotPossibleException;

  /**
   * Lets everything from and to a node pass late, or not until it is undone; its connections are
   * half closed then.
   *
   * @param how {@code delay MILLIS} or {@code stall both}
   */
  Undo delay(String node, String how) throws IOException, FaultNotPossibleException;

  /** Loses a part of the packets that a node is sent. */
  Undo lose(String node, String probability) throws IOException, FaultNotPossibleException;

  @Override
  void close();

  /** Undoes a disturbance. */
  @FunctionalInterface
  interface Undo {
    void undo() throws IOException;
  }
}
