package io.leasehold.bench.load;

import java.awt.BasicStroke;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.CombinedDomainCategoryPlot;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.data.category.DefaultCategoryDataset;

/**
 * A picture of cycles: how many a second, how long an acquire takes and what CPU they cost, by the
 * number of callers, with a line for each store. Latencies and rates differ by orders of magnitude,
 * so their scales are logarithmic.
 */
final class CycleChart {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 1100;
  private static final float LINE_WIDTH = 2;

  private CycleChart() {}

  /** Draws results into a file, as a PNG. */
  static void write(List<Cycles> results, Path file) {
    CombinedDomainCategoryPlot plot = new CombinedDomainCategoryPlot(new CategoryAxis("callers"));
    plot.add(panel(results, Cycles::perSecond, new LogAxis("cycles/s")));
    plot.add(
        panel(
            results,
            cycles -> Latencies.millis(cycles.acquires(), 50),
            new LogAxis("acquire p50, ms")));
    plot.add(panel(results, Cycles::cpuSecondsPer10000, new NumberAxis("CPU s per 10,000 cycles")));
    JFreeChart chart =
        new JFreeChart(
            "Acquire and release, three nodes on loopback, log synced to disk",
            JFreeChart.DEFAULT_TITLE_FONT,
            plot,
            true);
    chart.setBackgroundPaint(Color.WHITE);
    try (OutputStream out = Files.newOutputStream(file)) {
      ChartUtils.writeChartAsPNG(out, chart, WIDTH, HEIGHT);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the chart " + file, e);
    }
  }

  private static CategoryPlot panel(
      List<Cycles> results, ToDoubleFunction<Cycles> value, ValueAxis axis) {
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    for (Cycles cycles : results) {
      double number = value.applyAsDouble(cycles);
      // What is not a number, or zero, has no place on these scales.
      if (number > 0) {
        data.addValue(number, cycles.store(), Integer.valueOf(cycles.callers()));
      }
    }
    LineAndShapeRenderer renderer = new LineAndShapeRenderer();
    renderer.setDefaultStroke(new BasicStroke(LINE_WIDTH));
    renderer.setAutoPopulateSeriesStroke(false);
    CategoryPlot panel = new CategoryPlot(data, null, axis, renderer);
    panel.setBackgroundPaint(Color.WHITE);
    panel.setRangeGridlinePaint(Color.LIGHT_GRAY);
    panel.setDomainGridlinesVisible(true);
    return panel;
  }
}
