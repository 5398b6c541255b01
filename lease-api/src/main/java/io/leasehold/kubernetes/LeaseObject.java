package io.leasehold.kubernetes;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseList;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpecBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The object of one lease, as client-go's leader election writes it. Its times are for people: no
 * decision is made by them. Safe for many threads; each method is a request that blocks.
 *
 * @param client stays its owner's
 * @param lease the lease's own name
 */
record LeaseObject(KubernetesClient client, String namespace, String lease) {

  private static final String NAME_ANNOTATION = "leasehold.io/name";

  /** What was read of it. */
  record State(Lease object) {

    /** Changes with every change of the object. */
    String version() {
      return object.getMetadata().getResourceVersion();
    }

    Optional<String> holder() {
      return spec().map(LeaseSpec::getHolderIdentity).filter(holder -> !holder.isEmpty());
    }

    boolean isHeldBy(String identity) {
      return holder().filter(identity::equals).isPresent();
    }

    /** How many holders it has had. */
    int transitions() {
      return spec().map(LeaseSpec::getLeaseTransitions).orElse(0);
    }

    Duration ttl() {
      return Duration.ofSeconds(spec().map(LeaseSpec::getLeaseDurationSeconds).orElse(0));
    }

    private Optional<LeaseSpec> spec() {
      return Optional.ofNullable(object.getSpec());
    }
  }

  /** Returns what it is now; empty when it is not there. */
  Optional<State> read() {
    Lease found = leases().withName(ObjectName.of(lease)).get();
    return Optional.ofNullable(found).map(State::new);
  }

  /**
   * Creates it for its first holder.
   *
   * @return empty when it is there already
   */
  Optional<State> create(String holder, Duration ttl) {
    Lease first =
        new LeaseBuilder()
            .withNewMetadata()
            .withName(ObjectName.of(lease))
            .withNamespace(namespace)
            .addToAnnotations(NAME_ANNOTATION, lease)
            .endMetadata()
            .withSpec(grantedTo(holder, ttl, 1))
            .build();
    return unless(Set.of(HttpURLConnection.HTTP_CONFLICT), () -> leases().resource(first).create());
  }

  /**
   * Makes somebody the holder.
   *
   * @return empty when it has changed since it was read
   */
  Optional<State> grant(State read, String holder, Duration ttl) {
    return replace(read, grantedTo(holder, ttl, Math.addExact(read.transitions(), 1)));
  }

  /**
   * Says that the holder lives; as {@link #grant}. The time always changes, for Kubernetes does not
   * write what has not changed, and then nobody would see that the holder lives.
   */
  Optional<State> renew(State read) {
    LeaseSpec spec = read.object().getSpec();
    ZonedDateTime now = now();
    ZonedDateTime before = spec.getRenewTime();
    boolean changes = before == null || now.isAfter(before);
    return replace(
        read, spec.edit().withRenewTime(changes ? now : before.plus(1, ChronoUnit.MICROS)).build());
  }

  /** Says that it has no holder; as {@link #grant}. */
  Optional<State> free(State read) {
    LeaseSpec spec = read.object().getSpec();
    return replace(
        read,
        spec.edit().withHolderIdentity(null).withAcquireTime(null).withRenewTime(null).build());
  }

  private Optional<State> replace(State read, LeaseSpec spec) {
    Lease changed = read.object().edit().withSpec(spec).build();
    return unless(
        Set.of(HttpURLConnection.HTTP_CONFLICT, HttpURLConnection.HTTP_NOT_FOUND),
        () -> leases().resource(changed).lockResourceVersion(read.version()).update());
  }

  private static Optional<State> unless(Set<Integer> codes, Supplier<Lease> request) {
    try {
      return Optional.of(new State(request.get()));
    } catch (KubernetesClientException refused) {
      if (codes.contains(refused.getCode())) {
        return Optional.empty();
      }
      throw refused;
    }
  }

  private NonNamespaceOperation<Lease, LeaseList, Resource<Lease>> leases() {
    return client.leases().inNamespace(namespace);
  }

  private static LeaseSpec grantedTo(String holder, Duration ttl, int transitions) {
    ZonedDateTime now = now();
    return new LeaseSpecBuilder()
        .withHolderIdentity(holder)
        .withLeaseDurationSeconds(wholeSeconds(ttl))
        .withAcquireTime(now)
        .withRenewTime(now)
        .withLeaseTransitions(transitions)
        .build();
  }

  /** Kubernetes counts in whole seconds: rounded up, the others wait for longer in any case. */
  private static int wholeSeconds(Duration ttl) {
    return Math.toIntExact(ttl.plusSeconds(1).minusNanos(1).toSeconds());
  }

  private static ZonedDateTime now() {
    return ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.MICROS);
  }
}
