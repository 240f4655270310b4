package org.lagbench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.lagbench.report.CompressedSession.CHUNK_BYTES;
import static org.lagbench.report.CompressedSession.MS;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.report.CompressedSession;
import org.lagbench.report.CompressedSession.Transfer;

/** Tests the charts of compressed transfers with runs of known times. */
class CompressionChartsTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @SuppressWarnings("NullAway.Init") // makeSession sets it
    private CompressedSession session;

    @BeforeEach
    void makeSession() throws Exception {
        session = new CompressedSession(directory.resolve("hu"));
    }

    private DrawnChart draw(String kind, String file) throws Exception {
        Session opened = Session.open(session.path());
        ChartContext context = new ChartContext(opened, Summaries.of(opened, SummaryOptions.DEFAULT));
        ChartFiles files = ChartFiles.write(
                directory.resolve("figures"),
                context,
                List.of(ChartKinds.load().named(kind)),
                EnumSet.of(ChartFiles.Format.SVG));
        Path path = directory.resolve("figures").resolve(file + ".svg");
        assertThat(files.written()).contains(path);
        return new DrawnChart(Files.readAllBytes(path));
    }

    private static void areAt(List<double[]> points, double[]... expected) {
        assertThat(points).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(points.get(i)[0])
                    .as("x of point " + i)
                    .isCloseTo(expected[i][0], within(.03 * Math.abs(expected[i][0])));
            assertThat(points.get(i)[1])
                    .as("y of point " + i)
                    .isCloseTo(expected[i][1], within(.03 * Math.abs(expected[i][1])));
        }
    }

    @Test
    void drawsTotalsAndStagesOverTheBandwidth() throws Exception {
        session.runsOfTwoNetworks();

        DrawnChart chart = draw("compression-over-bandwidth", "compression-over-bandwidth-gzip-6");

        DrawnChart.Scale x = chart.horizontal(1, false);
        DrawnChart.Scale total = chart.vertical(0, false);
        areAt(chart.points(0, "without codec", x, total), new double[] {4, .030}, new double[] {8, .015});
        areAt(chart.points(0, "gzip-6, measured", x, total), new double[] {4, .0195}, new double[] {8, .012});
        areAt(chart.points(0, "gzip-6, by (2) to (5)", x, total), new double[] {4, .018}, new double[] {8, .0105});
        DrawnChart.Scale stage = chart.vertical(1, false);
        areAt(chart.points(1, "compression, predicted", x, stage), new double[] {4, .003}, new double[] {8, .003});
        areAt(chart.points(1, "sending, measured", x, stage), new double[] {4, .015}, new double[] {8, .0075});
        areAt(chart.points(1, "sending, predicted", x, stage), new double[] {4, .015}, new double[] {8, .0075});
    }

    @Test
    void drawsStagesOverTheSizeOfTheTransfer() throws Exception {
        session.runsOfTwoNetworks();

        DrawnChart chart = draw("compression-over-size", "compression-over-size-gzip-6-tcp-ip-emulated-link-slow");

        assertThat(chart.panels()).isEqualTo(4);
        double mib = 1 << 20;
        areAt(
                chart.points(0, "measured", chart.horizontal(3, false), chart.vertical(0, false)),
                new double[] {10_000 / mib, .013},
                new double[] {20_000 / mib, .026});
        areAt(
                chart.points(0, "predicted by (2) to (5)", chart.horizontal(3, false), chart.vertical(0, false)),
                new double[] {10_000 / mib, .012},
                new double[] {20_000 / mib, .024});
    }

    @Test
    void drawsErrorsOverTheBandwidth() throws Exception {
        session.runsOfTwoNetworks();

        DrawnChart chart = draw("compression-errors", "compression-errors-bandwidth-gzip-6");

        List<double[]> total = chart.points(0, "total", chart.horizontal(1, false), chart.vertical(0, false));
        areAt(total, new double[] {4, -1.5}, new double[] {8, -1.5});
    }

    /** At 8 Mb/s. Each of two runs is predicted with the other one's speed. */
    @Test
    void drawsErrorsOverTheSizeOfAChunk() throws Exception {
        session.run("fast", "none", 1, new Transfer(20, 1_000, 1_000, 0, MS, 20 * MS));
        session.run("fast", "none", 1, new Transfer(10, 2_000, 2_000, 0, 2 * MS, 20 * MS));
        session.run("fast", "gzip-6", 1, new Transfer(20, 1_000, 500, 2 * MS / 10, MS / 2, 20 * MS));
        session.run("fast", "gzip-6", 2, new Transfer(20, 1_000, 500, 3 * MS / 10, MS / 2, 18 * MS));
        session.run("fast", "gzip-6", 1, new Transfer(10, 2_000, 1_000, 4 * MS / 10, MS, 16 * MS));
        session.run("fast", "gzip-6", 2, new Transfer(10, 2_000, 1_000, 5 * MS / 10, MS, 16 * MS));

        DrawnChart chart = draw("compression-errors", "compression-errors-chunk-gzip-6-tcp-ip-emulated-link-fast");

        DrawnChart.Scale x = chart.horizontal(1, false);
        areAt(
                chart.points(0, "total", x, chart.vertical(0, false)),
                new double[] {1_000 / 1_024.0, (16 - 20 + 14 - 18) / 2.0},
                new double[] {2_000 / 1_024.0, (15 - 16 + 14 - 16) / 2.0});
        areAt(
                chart.points(1, "compression", x, chart.vertical(1, false)),
                new double[] {1_000 / 1_024.0, (50 - 100 / 3.0) / 2},
                new double[] {2_000 / 1_024.0, (25 - 20) / 2.0});
    }

    /** 10 chunks with tb 1 ms and ts 4 ms: the turning point is at 3 ms. */
    @Test
    void drawsFormulaWithTheMeasuredRuns() throws Exception {
        for (int ms : new int[] {1, 2, 4, 5, 6}) {
            long total = ms >= 3 ? 10L * ms + 9 + 4 : ms + 10 * 4;
            session.run("slow", "compute-" + ms, 10, CHUNK_BYTES, ms * MS, MS, total * MS);
        }

        DrawnChart chart = draw("turning-point", "turning-point-tcp-ip-emulated-link-slow");

        List<double[]> line = chart.points(0, "formula (6)", chart.horizontal(0, false), chart.vertical(0, false));
        assertThat(line).hasSize(3);
        areAt(line.subList(1, 3), new double[] {3, .043}, new double[] {6, .073});
        assertThat(line.get(0)[0]).isCloseTo(0, within(.03));
        assertThat(line.get(0)[1]).isCloseTo(.040, within(.001));
    }
}
