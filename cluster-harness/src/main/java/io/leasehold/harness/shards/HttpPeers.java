package io.leasehold.harness.shards;

import io.leasehold.harness.HostPort;
import io.leasehold.harness.client.NodeClient;
import io.leasehold.harness.wire.Wire;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The nodes, over HTTP. */
final class HttpPeers implements Peers {

  private final HttpClient http = NodeClient.newHttp();
  private final Map<String, HostPort> addresses;
  private final Duration regionLimit;
  private final Duration requestLimit;

  /**
   * @param ttl of the leases: so long has a region to answer; a request may have to wait for a new
   *     coordinator
   */
  HttpPeers(Map<String, HostPort> addresses, Duration ttl) {
    this.addresses = Map.copyOf(addresses);
    this.regionLimit = ttl;
    this.requestLimit = ttl.multipliedBy(3);
  }

  @Override
  public CompletionStage<RegionReport> takeOver(String node, long token) {
    return post(node, "/take-over", String.valueOf(token), regionLimit, RegionReport.class);
  }

  @Override
  public CompletionStage<Verdict> allocate(Allocation allocation) {
    String node = allocation.region().node();
    return post(node, "/allocate", Wire.text(allocation), regionLimit, Verdict.class);
  }

  @Override
  public CompletionStage<Allocation> request(String node, String shard) {
    return post(node, "/request-here", shard, requestLimit, Allocation.class);
  }

  /** Where a node listens. */
  HostPort address(String node) {
    HostPort address = addresses.get(node);
    if (address == null) {
      throw new IllegalArgumentException("there is no node " + node);
    }
    return address;
  }

  private <T> CompletableFuture<T> post(
      String node, String path, String body, Duration limit, Class<T> type) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address(node).uri() + path))
            .timeout(limit)
            .POST(BodyPublishers.ofString(body))
            .build();
    return http.sendAsync(request, BodyHandlers.ofString())
        .thenApply(response -> Wire.read(answer(response), type));
  }

  private static String answer(HttpResponse<String> response) {
    if (response.statusCode() != 200) {
      throw new RequestRejectedException(response.body());
    }
    return response.body();
  }
}
