package io.leasehold.holder;

import io.leasehold.LeaseLost;
import io.leasehold.LeaseSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A store whose every answer is given by the test. Confined to the test's thread. */
final class ScriptedStore implements ClaimStore {

  final List<CompletableFuture<OptionalLong>> asked = new ArrayList<>();
  final List<CompletableFuture<Optional<LeaseLost.Reason>>> renewed = new ArrayList<>();
  final List<CompletableFuture<Void>> givenBack = new ArrayList<>();

  @Override
  public Claim claim(LeaseSettings settings) {
    return new Claim() {
      @Override
      public CompletionStage<OptionalLong> ask() {
        return unanswered(asked);
      }

      @Override
      public CompletionStage<Optional<LeaseLost.Reason>> renew() {
        return unanswered(renewed);
      }

      @Override
      public CompletionStage<Void> giveBack() {
        return unanswered(givenBack);
      }
    };
  }

  private static <R> CompletableFuture<R> unanswered(List<CompletableFuture<R>> requests) {
    CompletableFuture<R> request = new CompletableFuture<>();
    requests.add(request);
    return request;
  }
}
