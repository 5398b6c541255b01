/**
 * A node of a cluster of leases as a bean of Spring Boot 4. Without Spring Boot on the class path
 * nothing here is loaded. With it, these properties are enough for a {@link
 * io.leasehold.raft.RaftLeases} that starts with the application and is closed after all that uses
 * it:
 *
 * <pre>
 * leasehold.cluster = shop
 * leasehold.id = n1
 * leasehold.members = n1=10.0.0.1:7101, n2=10.0.0.2:7101, n3=10.0.0.3:7101
 * leasehold.dir = /var/lib/shop/leases
 * leasehold.tls.key = /etc/shop/n1.key
 * leasehold.tls.certificates = /etc/shop/n1.crt
 * leasehold.tls.trusted = /etc/shop/ca.crt
 * </pre>
 *
 * <ul>
 *   <li>Where Spring Integration 7 is there, too, so is a {@link
 *       io.leasehold.spring.LeaseLockRegistry}, on whichever {@link io.leasehold.LeaseProvider} the
 *       application has.
 *   <li>Where the actuator is there, {@code /actuator/health} says under {@code leasehold} whether
 *       this node can serve, and if not, why. That depends on the other members: good for a
 *       readiness probe, by {@code management.endpoint.health.group.readiness.include =
 *       readinessState,leasehold}, and bad for a liveness probe.
 *   <li>Where there is one {@code MeterRegistry}, or a primary one, the node is measured into it.
 *   <li>Whatever the application defines itself, of {@link io.leasehold.LeaseProvider}, {@link
 *       io.leasehold.raft.RaftLeasesConfig} or {@code LockRegistry}, is used instead; for tests,
 *       {@link io.leasehold.memory.InMemoryLeases}.
 * </ul>
 */
@NullMarked
package io.leasehold.raft.spring;

import org.jspecify.annotations.NullMarked;
