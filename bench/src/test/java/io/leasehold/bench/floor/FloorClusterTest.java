package io.leasehold.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
final class FloorClusterTest {

  @TempDir private Path folder;

  @Test
  void whatIsAnsweredStandsInTheLogsOfTwoNodes() throws IOException {
    try (FloorCluster floor = FloorCluster.ofThreads(folder)) {
      for (int i = 0; i < 50; i++) {
        List<CompletionStage<Boolean>> acquires = new ArrayList<>();
        for (int caller = 0; caller < 4; caller++) {
          acquires.add(floor.acquire("lease" + caller, "caller" + caller));
        }
        acquires.forEach(acquire -> assertThat(acquire.toCompletableFuture().join()).isTrue());
        byte[] log = Files.readAllBytes(FloorCluster.logFile(folder, 0));

        assertThat(List.of(followersLog(1), followersLog(2)))
            .anySatisfy(other -> assertThat(other).isEqualTo(log));
      }
    }
  }

  private byte[] followersLog(int node) throws IOException {
    return Files.readAllBytes(FloorCluster.logFile(folder, node));
  }
}
