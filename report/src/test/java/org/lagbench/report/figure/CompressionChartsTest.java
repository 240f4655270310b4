package org.lagbench.report.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.session.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.lab.LabRecord;
import org.lagbench.report.plot.ImageFormat;

/** Tests the charts of compressed transfers with runs of known times. */
class CompressionChartsTest {
    private static final int CHUNK_BYTES = 1_000;
    private static final long MS = 1_000_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @SuppressWarnings("NullAway.Init") // makeSession sets it
    private SessionFixture session;

    private int runs;

    @BeforeEach
    void makeSession() throws Exception {
        session = new SessionFixture(directory.resolve("hu"));
    }

    /**
     * Writes a run with a transfer. Compression of a chunk takes {@code compressNs}, the call that sends it
     * {@code sendNs}.
     */
    private void run(
            String network, String codec, int chunks, int encodedBytes, long compressNs, long sendNs, long totalNs)
            throws Exception {
        long[] sent = new long[chunks];
        long[][] received = new long[chunks][];
        long[][] rows = new long[chunks][];
        for (int i = 0; i < chunks; i++) {
            long beginNs = i * (compressNs + sendNs);
            sent[i] = beginNs + compressNs;
            received[i] = new long[] {i, sent[i] + sendNs};
            rows[i] = new long[] {encodedBytes, beginNs, sent[i], sent[i], sent[i] + sendNs};
        }
        session.run(String.format("%04d-r1", ++runs), "tcp", CHUNK_BYTES)
                .sent(sent)
                .received(received)
                .transfers((long) chunks * CHUNK_BYTES, new long[] {-2_000, -1_000, totalNs})
                .chunks(codec, rows)
                .lab(new LabRecord(network, network, 10_000_000, null, List.of()))
                .write();
    }

    private DrawnFigure draw(Figure figure, String file) throws Exception {
        Session opened = Session.open(session.path());
        FigureContext context = new FigureContext(opened, Summaries.of(opened, SummaryOptions.DEFAULT));
        FigureFiles files =
                FigureFiles.write(directory.resolve("figures"), context, List.of(figure), EnumSet.of(ImageFormat.SVG));
        Path path = directory.resolve("figures").resolve(file + ".svg");
        assertThat(files.written()).contains(path);
        return new DrawnFigure(Files.readAllBytes(path));
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

    /** Transfers of 10 and 20 chunks at 8 and 4 Mb/s, compressed to half their size in 0.2 ms a chunk. */
    private void transfersOfTwoNetworks() throws Exception {
        for (int chunks : new int[] {10, 20}) {
            run("fast", "none", chunks, CHUNK_BYTES, 0, MS, chunks * MS);
            run("slow", "none", chunks, CHUNK_BYTES, 0, 2 * MS, 2 * MS * chunks);
            run("fast", "gzip-6", chunks, CHUNK_BYTES / 2, MS / 5, MS / 2, 8 * MS * chunks / 10);
            run("slow", "gzip-6", chunks, CHUNK_BYTES / 2, MS / 5, MS, 13 * MS * chunks / 10);
        }
    }

    @Test
    void drawsTotalsAndStagesOverTheBandwidth() throws Exception {
        transfersOfTwoNetworks();

        DrawnFigure figure = draw(Figure.COMPRESSION_OVER_BANDWIDTH, "compression-over-bandwidth-gzip-6");

        DrawnFigure.Scale x = figure.horizontal(1, false);
        DrawnFigure.Scale total = figure.vertical(0, false);
        areAt(figure.points(0, "without codec", x, total), new double[] {4, .030}, new double[] {8, .015});
        areAt(figure.points(0, "gzip-6, measured", x, total), new double[] {4, .0195}, new double[] {8, .012});
        areAt(figure.points(0, "gzip-6, by (2) to (5)", x, total), new double[] {4, .018}, new double[] {8, .0105});
        DrawnFigure.Scale stage = figure.vertical(1, false);
        areAt(figure.points(1, "compression, predicted", x, stage), new double[] {4, .003}, new double[] {8, .003});
        areAt(figure.points(1, "sending, measured", x, stage), new double[] {4, .015}, new double[] {8, .0075});
        areAt(figure.points(1, "sending, predicted", x, stage), new double[] {4, .015}, new double[] {8, .0075});
    }

    @Test
    void drawsStagesOverTheSizeOfTheTransfer() throws Exception {
        transfersOfTwoNetworks();

        DrawnFigure figure =
                draw(Figure.COMPRESSION_OVER_SIZE, "compression-over-size-gzip-6-tcp-ip-emulated-link-slow");

        assertThat(figure.panels()).isEqualTo(4);
        double mib = 1 << 20;
        areAt(
                figure.points(0, "measured", figure.horizontal(3, false), figure.vertical(0, false)),
                new double[] {10_000 / mib, .013},
                new double[] {20_000 / mib, .026});
        areAt(
                figure.points(0, "predicted by (2) to (5)", figure.horizontal(3, false), figure.vertical(0, false)),
                new double[] {10_000 / mib, .012},
                new double[] {20_000 / mib, .024});
    }

    @Test
    void drawsErrorsOverTheBandwidth() throws Exception {
        transfersOfTwoNetworks();

        DrawnFigure figure = draw(Figure.COMPRESSION_ERRORS, "compression-errors-bandwidth-gzip-6");

        List<double[]> total = figure.points(0, "total", figure.horizontal(1, false), figure.vertical(0, false));
        areAt(total, new double[] {4, -1.5}, new double[] {8, -1.5});
    }

    /** 10 chunks with tb 1 ms and ts 4 ms: the turning point is at 3 ms. */
    @Test
    void drawsFormulaWithTheMeasuredRuns() throws Exception {
        for (int ms : new int[] {1, 2, 4, 5, 6}) {
            long total = ms >= 3 ? 10L * ms + 9 + 4 : ms + 10 * 4;
            run("slow", "compute-" + ms, 10, CHUNK_BYTES, ms * MS, MS, total * MS);
        }

        DrawnFigure figure = draw(Figure.TURNING_POINT, "turning-point-tcp-ip-emulated-link-slow");

        List<double[]> line = figure.points(0, "formula (6)", figure.horizontal(0, false), figure.vertical(0, false));
        assertThat(line).hasSize(3);
        areAt(line.subList(1, 3), new double[] {3, .043}, new double[] {6, .073});
        assertThat(line.get(0)[0]).isCloseTo(0, within(.03));
        assertThat(line.get(0)[1]).isCloseTo(.040, within(.001));
    }
}
