package io.leasehold.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CycleChartTest {

  @TempDir private Path folder;

  @Test
  void resultsAreDrawnAlsoWhenOneStoreReachedNothing() throws IOException {
    Path file = folder.resolve("cycles.png");

    CycleChart.write(
        List.of(cycles("ours", 1, 1_000), cycles("ours", 64, 20_000), cycles("broken", 1, 0)),
        file);

    BufferedImage picture = ImageIO.read(file.toFile());
    assertThat(picture.getWidth()).isEqualTo(900);
    assertThat(colours(picture)).as("more than black on white").isGreaterThan(10);
  }

  private static Cycles cycles(String store, int callers, long cycles) {
    Histogram latencies = Latencies.histogram();
    if (cycles > 0) {
      Latencies.record(latencies, 400_000);
    }
    return new Cycles(
        store, callers, cycles, 0, latencies, latencies, new Window.Span(1, cycles / 10_000.0));
  }

  private static long colours(BufferedImage picture) {
    int[] pixels =
        picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
    return Arrays.stream(pixels).distinct().count();
  }
}
