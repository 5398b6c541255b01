package io.leasehold.harness.http;

import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Which paths and methods there are. Immutable. */
final class Routes {

  private final LeaseRoutes leases;
  private final NodeRoutes node;
  private final EventFeed events;

  Routes(LeaseRoutes leases, NodeRoutes node, EventFeed events) {
    this.leases = leases;
    this.node = node;
    this.events = events;
  }

  /** Answers a call, or refuses it. */
  void serve(HttpMethod method, List<String> path, Exchange exchange) {
    Map<HttpMethod, Endpoint> there = endpoints(path);
    if (there.isEmpty()) {
      throw Refusal.invalid(
          404, "path", "there is no such path; a / inside a lease's name is written %2F");
    }
    Endpoint endpoint = there.get(method);
    if (endpoint == null) {
      Set<String> methods =
          there.keySet().stream().map(HttpMethod::name).collect(Collectors.toSet());
      exchange.allow(methods);
      throw Refusal.invalid(405, "method", "method must be one of " + methods + ": " + method);
    }
    endpoint.serve(exchange);
  }

  private Map<HttpMethod, Endpoint> endpoints(List<String> path) {
    if (path.size() == 1) {
      return switch (path.get(0)) {
        case "leases" -> Map.of(HttpMethod.GET, leases::list);
        case "events" -> Map.of(HttpMethod.GET, events::open);
        case "status" -> Map.of(HttpMethod.GET, node::status);
        case "backup" -> Map.of(HttpMethod.GET, node::backup);
        case "digest" -> Map.of(HttpMethod.GET, node::digest);
        case "metrics" -> Map.of(HttpMethod.GET, node::metrics);
        case "health" -> Map.of(HttpMethod.GET, node::health);
        case "transfer" -> Map.of(HttpMethod.POST, node::transfer);
        case "members" -> Map.of(HttpMethod.POST, node::addMember);
        case "snapshot" -> Map.of(HttpMethod.POST, node::snapshot);
        default -> Map.of();
      };
    }
    if (path.get(0).equals("members") && path.size() == 2) {
      return Map.of(HttpMethod.DELETE, node::removeMember);
    }
    if (!path.get(0).equals("leases")) {
      return Map.of();
    }
    if (path.size() == 2) {
      return Map.of(HttpMethod.GET, leases::find, HttpMethod.DELETE, leases::revoke);
    }
    if (path.size() > 3) {
      return Map.of();
    }
    return switch (path.get(2)) {
      case "acquire" -> Map.of(HttpMethod.POST, leases::acquire);
      case "release" -> Map.of(HttpMethod.POST, leases::release);
      default -> Map.of();
    };
  }
}
