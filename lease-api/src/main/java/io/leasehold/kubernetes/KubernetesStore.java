package io.leasehold.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.leasehold.LeaseSettings;
import io.leasehold.holder.Claim;
import io.leasehold.holder.ClaimStore;
import java.util.concurrent.Executor;

/**
 * An object for each lease, in one namespace. There is no watch: who waits looks again, as
 * client-go does.
 *
 * @param client stays its owner's
 */
record KubernetesStore(
    KubernetesClient client, String namespace, Observations observations, Executor executor)
    implements ClaimStore {

  @Override
  public Claim claim(LeaseSettings settings) {
    LeaseObject object = new LeaseObject(client, namespace, settings.name());
    return new KubernetesClaim(object, observations, settings, executor);
  }
}
