package io.leasehold.harness.check.history;

import static java.util.Objects.requireNonNull;

/**
 * One holder's view of one lease: what {@code Lease} is in a process.
 *
 * @param node the node it lives on
 * @param run which start of that node, from 1; every start is a session of its own
 * @param owner the owner it acts for
 * @param lease the lease's name
 */
public record Handle(String node, int run, String owner, String lease) {

  public Handle {
    requireNonNull(node, "node");
    requireNonNull(owner, "owner");
    requireNonNull(lease, "lease");
  }

  @Override
  public String toString() {
    return node + "#" + run + "/" + owner;
  }
}
