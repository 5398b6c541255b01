package io.leasehold.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.net.InetAddress;
import java.util.HashMap;

/** An API server that keeps objects in memory, and minds their versions. */
record MockKubernetes(KubernetesMockServer server) implements AutoCloseable {

  static MockKubernetes start() {
    KubernetesMockServer server =
        new KubernetesMockServer(
            new Context(),
            new MockWebServer(),
            new HashMap<>(),
            new KubernetesCrudDispatcher(),
            false);
    server.init(InetAddress.getLoopbackAddress(), 0);
    return new MockKubernetes(server);
  }

  int port() {
    return server.getPort();
  }

  KubernetesClient client() {
    return client("http://127.0.0.1:" + port());
  }

  static KubernetesClient client(String url) {
    return new KubernetesClientBuilder()
        .withConfig(
            new ConfigBuilder(Config.empty()).withMasterUrl(url).withNamespace("default").build())
        .build();
  }

  @Override
  public void close() {
    server.destroy();
  }
}
