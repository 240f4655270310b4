package org.lagbench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.lagbench.report.chart.Chart.Row;
import org.lagbench.report.chart.StageStack.Bar;
import org.lagbench.report.chart.StageStack.Part;

class StageStackTest {
    private static final Pattern EDGE = Pattern.compile(
            "<rect x=\"[0-9.]+\" y=\"([0-9.]+)\" width=\"[0-9.]+\" height=\"([0-9.]+)\" stroke=\"#222222\""
                    + " stroke-width=\"0.4\"");

    @Test
    void stacksPartsWithCorrectHeights() throws Exception {
        Layer bars = StageStack.layer(
                List.of(Fill.ofSeries(0), Fill.ofSeries(1), Fill.ofSeries(2)),
                List.of(new Bar("median", 0.5, List.of(new Part(10, "a"), new Part(30, "b"), new Part(20, "c")))));
        Chart chart = new Chart(
                "Parts",
                Chart.ONE_COLUMN,
                Axis.categories("at", List.of("median")),
                List.of(Row.of(Axis.linear("time (µs)", 0, 100), 200, List.of(bars))),
                List.of(),
                List.of());
        String svg = new String(ChartFiles.Format.SVG.draw(chart, Typeface.load()), StandardCharsets.UTF_8);
        List<double[]> parts = EDGE.matcher(svg)
                .results()
                .map(edge -> new double[] {Double.parseDouble(edge.group(1)), Double.parseDouble(edge.group(2))})
                .toList();
        // the panel is 200 points high, for 100 µs
        assertThat(parts).hasSize(3);
        assertThat(parts.get(0)[1]).isCloseTo(20, within(0.02));
        assertThat(parts.get(1)[1]).isCloseTo(60, within(0.02));
        assertThat(parts.get(2)[1]).isCloseTo(40, within(0.02));
        assertThat(parts.get(1)[0] + parts.get(1)[1]).isCloseTo(parts.get(0)[0], within(0.02));
        assertThat(parts.get(2)[0] + parts.get(2)[1]).isCloseTo(parts.get(1)[0], within(0.02));
    }
}
