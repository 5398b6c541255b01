package io.leasehold.raft;

import io.leasehold.LeaseException;
import io.leasehold.LeaseIndeterminateException;
import io.leasehold.LeaseUnavailableException;
import io.leasehold.time.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What can keep an acquire from being answered, in sentences for people.
 *
 * @param limit how long the store is given to answer
 * @param waitsFor why this node does not serve yet; empty once it does
 */
record AcquireFailures(
    String name, String owner, Duration limit, Supplier<Optional<String>> waitsFor) {

  LeaseException overloaded() {
    return new LeaseUnavailableException(
        "This node has too many commands waiting for the store; lease '%s' was not asked for, try again later"
            .formatted(name));
  }

  LeaseException refused(String reason) {
    return new LeaseUnavailableException(
        "The store refused lease '%s' to '%s': %s".formatted(name, owner, reason));
  }

  /** This node does not ask the store any more. */
  LeaseException stopped(String why, boolean mayHaveBeenApplied) {
    String message = "'%s' has not acquired lease '%s': %s".formatted(owner, name, why);
    return mayHaveBeenApplied
        ? new LeaseIndeterminateException(message)
        : new LeaseUnavailableException(message);
  }

  /**
   * Nothing has come of it.
   *
   * @param what could not be done
   */
  LeaseException outOfTime(String what) {
    return new LeaseUnavailableException(
        "Lease '%s' %s for '%s' within %s: %s"
            .formatted(
                name,
                what,
                owner,
                DurationText.of(limit),
                waitsFor
                    .get()
                    .orElse(
                        "no leader answered; check that a majority of the members runs and can be reached")));
  }

  LeaseException unanswered() {
    return new LeaseIndeterminateException(
        "Lease '%s' was asked for by '%s', and no answer came within %s; should it be granted, it is given back"
            .formatted(name, owner, DurationText.of(limit)));
  }

  LeaseException grantedTooLate() {
    return new LeaseIndeterminateException(
        "Lease '%s' was granted to '%s' too late to be believed in; it is being given back"
            .formatted(name, owner));
  }

  LeaseException silent() {
    return new LeaseIndeterminateException(
        "The store was silent for the ttl of lease '%s', so '%s' has lost its place in the queue"
            .formatted(name, owner));
  }

  LeaseException skipped() {
    return new LeaseUnavailableException(
        "'%s' lost its place in the queue of lease '%s': its session was not renewed for the ttl"
            .formatted(owner, name));
  }

  LeaseException sessionEnded() {
    return new LeaseIndeterminateException(
        "The session of '%s' ended while it waited for lease '%s'; should it have been granted, that ended with it"
            .formatted(owner, name));
  }

  LeaseException leavingUnanswered() {
    return new LeaseIndeterminateException(
        "'%s' is leaving the queue of lease '%s', and no answer came within %s; should it be granted, it is given back"
            .formatted(owner, name, DurationText.of(limit)));
  }
}
