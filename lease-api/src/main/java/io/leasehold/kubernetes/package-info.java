/** Leases in Kubernetes: {@link io.leasehold.kubernetes.KubernetesLeases}. */
@NullMarked
package io.leasehold.kubernetes;

import org.jspecify.annotations.NullMarked;
