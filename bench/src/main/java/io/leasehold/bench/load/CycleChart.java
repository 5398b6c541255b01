package io.leasehold.bench.load;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Shape;
import java.awt.Stroke;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jfree.chart.ChartUtils;
import org.jfree.chart.JFreeChart;
import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberTickUnit;
import org.jfree.chart.axis.ValueAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.plot.CombinedDomainCategoryPlot;
import org.jfree.chart.plot.DefaultDrawingSupplier;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.data.category.DefaultCategoryDataset;

/**
 * A picture of cycles: how many a second, how long an acquire takes and what CPU they cost, by the
 * number of callers, with a line for each store. All of them differ by orders of magnitude, so each
 * line of the grids is twice the one below.
 */
final class CycleChart {

  private static final int WIDTH = 900;
  private static final int HEIGHT = 1100;
  private static final Stroke STROKE = new BasicStroke(2);
  private static final Shape[] SHAPES = DefaultDrawingSupplier.DEFAULT_SHAPE_SEQUENCE;

  /** Okabe and Ito's, which the colour-blind can tell apart, too. */
  private static final Color[] COLOURS = {
    new Color(0x0072B2),
    new Color(0xD55E00),
    new Color(0x000000),
    new Color(0x009E73),
    new Color(0xCC79A7),
    new Color(0xE69F00),
    new Color(0x56B4E9)
  };

  private CycleChart() {}

  /** Draws results into a file, as a PNG. */
  static void write(List<Cycles> results, Path file) {
    CategoryPlot perSecond = panel(results, Cycles::perSecond, doubling("cycles/s"));
    CategoryPlot latency =
        panel(results, each -> Latencies.millis(each.acquires(), 50), doubling("acquire p50, ms"));
    CategoryPlot cpu =
        panel(results, Cycles::cpuSecondsPer10000, doubling("CPU s per 10,000 cycles"));
    CombinedDomainCategoryPlot plot = new CombinedDomainCategoryPlot(new CategoryAxis("callers"));
    plot.add(perSecond);
    plot.add(latency);
    plot.add(cpu);
    plot.setFixedLegendItems(perSecond.getLegendItems());
    JFreeChart chart = new JFreeChart("Acquire and release", plot);
    chart.setBackgroundPaint(Color.WHITE);
    try (OutputStream out = Files.newOutputStream(file)) {
      ChartUtils.writeChartAsPNG(out, chart, WIDTH, HEIGHT);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the chart " + file, e);
    }
  }

  private static ValueAxis doubling(String label) {
    LogAxis axis = new LogAxis(label);
    axis.setBase(2);
    axis.setTickUnit(new NumberTickUnit(1));
    axis.setNumberFormatOverride(
        new DecimalFormat("#,##0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)));
    return axis;
  }

  private static CategoryPlot panel(
      List<Cycles> results, ToDoubleFunction<Cycles> value, ValueAxis axis) {
    List<String> stores = results.stream().map(Cycles::store).distinct().toList();
    DefaultCategoryDataset data = new DefaultCategoryDataset();
    for (Cycles cycles : results) {
      double number = value.applyAsDouble(cycles);
      // What is not a number, or zero, has no place on these scales.
      data.addValue(
          number > 0 ? Double.valueOf(number) : null,
          cycles.store(),
          Integer.valueOf(cycles.callers()));
    }
    LineAndShapeRenderer renderer = new LineAndShapeRenderer();
    for (int i = 0; i < stores.size(); i++) {
      renderer.setSeriesPaint(i, COLOURS[i % COLOURS.length]);
      renderer.setSeriesShape(i, SHAPES[i % SHAPES.length]);
      renderer.setSeriesStroke(i, STROKE);
    }
    CategoryPlot panel = new CategoryPlot(data, null, axis, renderer);
    panel.setBackgroundPaint(Color.WHITE);
    panel.setRangeGridlinePaint(Color.LIGHT_GRAY);
    panel.setDomainGridlinesVisible(true);
    return panel;
  }
}
