package io.leasehold.harness.check;

/**
 * LIN: there is one order of all acquires, releases and revocations of a lease, each at an instant
 * between its call and its return, in which every answer is right. {@link OrderSearch} looks for
 * it.
 */
final class Linearizability implements Check {

  @Override
  public void judge(History history, Findings findings) {
    for (LeaseHistory lease : history.leases()) {
      new OrderSearch(history, lease).run(findings);
    }
  }
}
