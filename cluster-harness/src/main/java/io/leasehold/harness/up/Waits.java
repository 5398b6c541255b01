package io.leasehold.harness.up;

import io.leasehold.harness.up.ClusterView.Claim;
import java.util.ArrayList;
import java.util.List;

/** Acquires from the page that have no answer yet. Confined to the loop. */
final class Waits {

  static final int MAX = 200;

  private final List<Claim> claims = new ArrayList<>();

  boolean isFull() {
    return claims.size() >= MAX;
  }

  void add(Claim claim) {
    claims.add(claim);
  }

  void remove(Claim claim) {
    claims.remove(claim);
  }

  List<Claim> all() {
    return List.copyOf(claims);
  }
}
