package org.lagbench.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.DrawnChart.Scale;
import org.w3c.dom.Element;

/**
 * What is drawn is what was captured. Six packets: packet 4 is lost, packet 1 overtaken by packet 2, packet 3 arrives
 * twice.
 *
 * <pre>
 *  packet    sent   arrives  lag
 *     0         0        40   40
 *     2       210       230   20
 *     1       105       235  130
 *     3       300       360   60
 *     3       300       365  copy
 *     5       501       516   15     (µs)
 * </pre>
 */
class ChartFilesTest {
    private static final long US = 1_000;

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it before each test
    private Path directory;

    @Test
    void drawsLagAndSendDelayAtTheirPackets() throws Exception {
        DrawnChart chart = read(make(sixPackets(), "lag-over-send-delay"), "lag-over-send-delay-udp-24");
        assertThat(chart.panels()).isEqualTo(2);
        Scale packet = chart.horizontal(1, false);
        List<double[]> lag = chart.points(0, "lag", packet, chart.vertical(0, false));
        areAt(lag, new double[][] {{0, 40}, {1, 130}, {2, 20}, {3, 60}, {5, 15}}, 0.02, 0.2);
        List<double[]> delay = chart.points(1, "sent", packet, chart.vertical(1, false));
        areAt(delay, new double[][] {{1, 105}, {2, 105}, {3, 90}, {4, 120}, {5, 81}}, 0.02, 0.2);
    }

    @Test
    void breaksLineAtLostPacket() throws Exception {
        DrawnChart chart = read(make(sixPackets(), "lag-over-send-delay"), "lag-over-send-delay-udp-24");
        Element lag = chart.groups(0, "line").get(0);
        List<List<Integer>> lengths = DrawnChart.elements(lag, "path")
                .map(path -> Stream.of(path.getAttribute("d").substring(1).split("M"))
                        .map(piece -> DrawnChart.pairs(piece).size())
                        .toList())
                .toList();
        assertThat(lengths).containsExactly(List.of(4), List.of(1)); // packets 0 to 3; packet 5 is a dot
    }

    @Test
    void drawsInterPacketDelayOnOneScale() throws Exception {
        DrawnChart chart = read(make(sixPackets(), "inter-packet-delay"), "inter-packet-delay-udp-24");
        Scale packet = chart.horizontal(1, false);
        List<double[]> received = chart.points(0, "received", packet, chart.vertical(0, true));
        // 190 before packet 2, 5 before 1, 125 before 3, 5 before its copy, 151 before 5
        assertThat(received).hasSize(5);
        assertThat(received.stream().mapToDouble(point -> point[1]).sum()).isCloseTo(476, within(4.0));
        List<double[]> sent = chart.points(1, "sent", packet, chart.vertical(1, true));
        areAt(sent, new double[][] {{1, 105}, {2, 105}, {3, 90}, {4, 120}, {5, 81}}, 0.02, 1);
        assertThat(chart.vertical(0, true).value1())
                .isEqualTo(chart.vertical(1, true).value1());
        assertThat(chart.vertical(0, true).value2())
                .isEqualTo(chart.vertical(1, true).value2());
    }

    @Test
    void drawsLagAtTimeOfSending() throws Exception {
        DrawnChart chart = read(make(sixPackets(), "lag-over-time"), "lag-over-time-udp-24");
        List<double[]> lag = chart.points(0, "lag", chart.horizontal(0, false), chart.vertical(0, true));
        areAt(lag, new double[][] {{0, 40}, {0.105, 130}, {0.21, 20}, {0.3, 60}, {0.501, 15}}, 0.0005, 1);
        assertThat(chart.axisTitle(0, "axis-x")).endsWith("(ms)");
        assertThat(chart.axisTitle(0, "axis-y")).endsWith("(µs)");
    }

    @Test
    void namesClockStepWithItsSize() throws Exception {
        long stepNs = 2_000 * US;
        int packets = 4_000;
        long[] sent = LongStream.range(0, packets).map(i -> i * 1_000 * US).toArray();
        long[][] received = LongStream.range(0, packets)
                .mapToObj(i -> new long[] {i, i * 1_000 * US + (50 + i % 7) * US + (i < 2_000 ? 0 : stepNs)})
                .toArray(long[][]::new);
        List<TwoWayExchange> exchanges = LongStream.range(0, 40)
                .mapToObj(i -> {
                    long sentNs = SessionFixture.EPOCH_NS + i * 100_000 * US + 50_000 * US;
                    long receivedNs = sentNs + 20 * US + (i < 20 ? 0 : stepNs);
                    return new TwoWayExchange(sentNs, receivedNs, receivedNs + 5 * US, sentNs + 45 * US);
                })
                .toList();
        SessionFixture session = new SessionFixture(directory.resolve("stepped"));
        session.run("0001-udp-24-r1", "udp", 24)
                .sent(sent)
                .received(received)
                .twoWay(exchanges)
                .write();
        DrawnChart chart = read(make(session, "lag-over-time"), "lag-over-time-udp-24");
        assertThat(chart.axisTitle(1, "axis-y")).isEqualTo("clocks");
        assertThat(chart.groups(1, "spans").get(0).getTextContent()).containsPattern("^\\s*\\+2(\\.0+)? ms\\s*$");
        double at = chart.horizontal(1, false)
                .value(DrawnChart.pairs(
                                DrawnChart.elements(chart.groups(1, "spans").get(0), "path")
                                        .findFirst()
                                        .orElseThrow()
                                        .getAttribute("d"))
                        .get(0)[0]);
        assertThat(at).isCloseTo(2, within(0.1));
    }

    @Test
    void drawsDistributionsFromOnePacketToAll() throws Exception {
        DrawnChart chart = read(make(sixPackets(), "lag-distribution"), "lag-distribution");
        Scale lag = chart.horizontal(1, true);
        // 15 20 40 60 130
        List<double[]> cumulative = chart.points(0, "24 bytes", lag, chart.vertical(0, false));
        List<double[]> complementary = chart.points(1, "24 bytes", lag, chart.vertical(1, true));
        assertThat(cumulative).hasSize(10).anySatisfy(point -> isAt(point, 40, 0.6));
        isAt(cumulative.get(0), 15, 0);
        isAt(cumulative.get(9), 130, 1);
        assertThat(complementary).hasSize(9).anySatisfy(point -> isAt(point, 60, 0.4));
        isAt(complementary.get(0), 15, 1);
        isAt(complementary.get(8), 130, 0.2);
    }

    @Test
    void marksTailWithItsCauses() throws Exception {
        long[] sent = LongStream.range(0, 1_000).map(i -> i * 1_000 * US).toArray();
        long[][] received = LongStream.range(0, 1_000)
                .mapToObj(i -> new long[] {i, i * 1_000 * US + (i == 400 ? 900 : i == 700 ? 500 : 20) * US})
                .toArray(long[][]::new);
        SessionFixture session = new SessionFixture(directory.resolve("causes"));
        Path run = session.run("0001-udp-24-r1", "udp", 24)
                .sent(sent)
                .received(received)
                .write();
        long collectedNs = SessionFixture.EPOCH_NS + sent[400];
        try (GrowingCapture sender = EventsCapture.create(run.resolve(EventsCapture.SENDER_FILE_NAME));
                GrowingCapture receiver = EventsCapture.create(run.resolve(EventsCapture.RECEIVER_FILE_NAME))) {
            sender.append(Cause.SAFEPOINT.code(), collectedNs - 9_000 * US, collectedNs - 8_000 * US, 1_000 * US, 0, 0);
            receiver.append(Cause.GARBAGE_COLLECTION.code(), collectedNs, collectedNs + 900 * US, 900 * US, 0, 0);
        }
        DrawnChart slow = read(make(session, "slow-packets"), "slow-packets");
        assertThat(slow.groups(0, "marks"))
                .extracting(cause -> cause.getAttribute("data-name"))
                .containsExactly("Garbage collection, receiver, UDP/IP, 24 bytes");
        assertThat(Files.readString(directory.resolve("figures").resolve("slow-packets.svg")))
                .contains("The slowest packet took 900 µs, 45 times the median:")
                .doesNotContain("≤ lag");
        DrawnChart ledger = read(make(session, "ledger"), "ledger");
        assertThat(ledger.groups(0, "row"))
                .extracting(row -> row.getAttribute("data-name"))
                .containsExactly("UDP/IP, 24 bytes");
        assertThat(Files.readString(directory.resolve("figures").resolve("ledger.svg")))
                .contains("garbage collection, receiver");
        DrawnChart chart = read(make(session, "lag-distribution"), "lag-distribution");
        assertThat(chart.groups(0, "marks")).isEmpty();
        List<Element> marks = chart.groups(1, "marks");
        assertThat(marks).hasSize(1);
        assertThat(marks.get(0).getAttribute("data-name")).isEqualTo("Garbage collection, receiver, 24 bytes");
        // a triangle around the slowest of 1,000 packets; no event explains the second
        List<double[]> corners = DrawnChart.elements(marks.get(0), "path")
                .flatMap(path -> DrawnChart.pairs(path.getAttribute("d")).stream())
                .toList();
        assertThat(corners).hasSize(3);
        assertThat(chart.horizontal(1, true).value(corners.get(0)[0])).isCloseTo(900, within(1.0));
        assertThat(chart.vertical(1, true).value((corners.get(0)[1] + corners.get(1)[1]) / 2))
                .isCloseTo(0.001, within(0.00001));
    }

    @Test
    void drawsTukeysBoxesWithQuantiles() throws Exception {
        DrawnChart chart = read(make(sixPackets(), "lag-boxes"), "lag-boxes");
        Scale lag = chart.vertical(0, true);
        Element box = chart.groups(0, "box").get(0);
        // quartiles 20 and 60, so that whiskers reach from −40 to 120 at most; Q95 60 + 0.8 · 70, Q99 60 + 0.96 · 70
        Element quartiles = DrawnChart.elements(box, "rect").findFirst().orElseThrow();
        double top = Double.parseDouble(quartiles.getAttribute("y"));
        double height = Double.parseDouble(quartiles.getAttribute("height"));
        assertThat(lag.value(top)).isCloseTo(60, within(0.5));
        assertThat(lag.value(top + height)).isCloseTo(20, within(0.2));
        List<Double> level = DrawnChart.elements(box, "path")
                .filter(line -> line.getAttribute("fill").isEmpty())
                .map(line -> DrawnChart.pairs(line.getAttribute("d")))
                .filter(ends -> ends.get(0)[1] == ends.get(1)[1] && ends.get(0)[0] != ends.get(1)[0])
                .map(ends -> lag.value(ends.get(0)[1]))
                .toList();
        assertThat(level).hasSize(3);
        assertThat(level.get(0)).isCloseTo(15, within(0.2));
        assertThat(level.get(1)).isCloseTo(60, within(0.5)); // 130 is an outlier
        assertThat(level.get(2)).isCloseTo(40, within(0.4));
        List<Double> marks = DrawnChart.elements(box, "path")
                .filter(mark -> !mark.getAttribute("fill").isEmpty())
                .map(mark -> DrawnChart.pairs(mark.getAttribute("d")))
                .map(corners -> corners.stream().mapToDouble(corner -> corner[1]))
                .map(heights -> heights.summaryStatistics())
                .map(heights -> lag.value((heights.getMin() + heights.getMax()) / 2))
                .toList();
        assertThat(marks.get(0)).isCloseTo(116, within(1.0));
        assertThat(marks.get(1)).isCloseTo(127.2, within(1.0));
    }

    @Test
    void drawsBufferLevelsAtSampleTimesOnOneScale() throws Exception {
        SessionFixture session = sixPackets();
        Path run = session.path().resolve("runs/0001-udp-24-r1");
        long beginNs = SessionFixture.EPOCH_NS;
        try (GrowingCapture sender =
                GrowingCapture.create(run.resolve(BufferFiles.SENDER_FILE_NAME), BufferFiles.SENDER_FIELDS)) {
            sender.append(beginNs - 100, 7_777, -1, -1, -1, -1, -1); // before the first packet
            sender.append(beginNs + 100 * US, 2_048, -1, -1, -1, -1, -1);
            sender.append(beginNs + 300 * US, 512, -1, -1, -1, -1, -1);
        }
        try (GrowingCapture receiver =
                GrowingCapture.create(run.resolve(BufferFiles.RECEIVER_FILE_NAME), BufferFiles.RECEIVER_FIELDS)) {
            receiver.append(beginNs + 200 * US, 4_096);
        }
        DrawnChart chart = read(make(session, "buffer-occupancy"), "buffer-occupancy-udp-24");
        assertThat(chart.panels()).isEqualTo(2);
        Scale time = chart.horizontal(1, false);
        assertThat(chart.axisTitle(0, "axis-y")).isEqualTo("send buffer (KiB)");
        areAt(
                chart.points(0, "send buffer", time, chart.vertical(0, false)),
                new double[][] {{0.1, 2}, {0.3, 0.5}},
                0.001,
                0.02);
        areAt(
                chart.points(1, "receive buffer", time, chart.vertical(1, false)),
                new double[][] {{0.2, 4}},
                0.001,
                0.02);
        assertThat(chart.vertical(0, false).pointsPerUnit())
                .isCloseTo(chart.vertical(1, false).pointsPerUnit(), within(0.01));
    }

    @Test
    void keepsExtremeOfManyPackets() throws Exception {
        int packets = 200_000;
        long[] sent = LongStream.range(0, packets).map(i -> i * 10 * US).toArray();
        long[][] received = LongStream.range(0, packets)
                .mapToObj(i -> new long[] {i, i * 10 * US + (i == 123_456 ? 9_000 : 5 + i % 3) * US})
                .toArray(long[][]::new);
        Arrays.sort(received, (left, right) -> Long.compare(left[1], right[1]));
        SessionFixture session = new SessionFixture(directory.resolve("many"));
        session.run("0001-tcp-992-r1", "tcp", 992).sent(sent).received(received).write();
        ChartFiles files = make(session, "lag-over-send-delay");
        DrawnChart chart = read(files, "lag-over-send-delay-tcp-992");
        assertThat(chart.panels()).isEqualTo(4);
        List<double[]> lag = chart.points(0, "lag", chart.horizontal(2, false), chart.vertical(0, false));
        assertThat(lag).hasSizeLessThan(4_000);
        List<double[]> extreme = lag.stream().filter(point -> point[1] > 100).toList();
        assertThat(extreme).hasSize(1);
        assertThat(extreme.get(0)[0]).isCloseTo(123_456, within(20.0));
        assertThat(extreme.get(0)[1]).isCloseTo(9_000, within(3.0));
        assertThat(chart.vertical(0, false).pointsPerUnit())
                .isCloseTo(chart.vertical(2, false).pointsPerUnit(), within(1e-5));
    }

    @Test
    void neighboringPanelsShareScale() throws Exception {
        SessionFixture session = sixPackets();
        session.run("0002-tcp-24-r1", "tcp", 24)
                .sent(0, 10 * US)
                .received(new long[] {0, 7_000 * US}, new long[] {1, 9_000 * US})
                .write();
        DrawnChart chart = read(make(session, "lag-distribution"), "lag-distribution");
        assertThat(chart.panels()).isEqualTo(4);
        Scale ofTcp = chart.horizontal(2, true);
        Scale ofUdp = chart.horizontal(3, true);
        assertThat(ofTcp.value1()).isEqualTo(ofUdp.value1());
        assertThat(ofTcp.value2()).isEqualTo(ofUdp.value2());
        assertThat(ofTcp.at2() - ofTcp.at1()).isCloseTo(ofUdp.at2() - ofUdp.at1(), within(0.02));
        List<double[]> tcp = chart.points(0, "24 bytes", ofTcp, chart.vertical(0, false));
        isAt(tcp.get(tcp.size() - 1), 8_990, 1);
        List<double[]> udp = chart.points(1, "24 bytes", ofUdp, chart.vertical(0, false));
        isAt(udp.get(udp.size() - 1), 130, 1);
    }

    @Test
    void captionsStatePacketsAndClockBound() throws Exception {
        ChartFiles files = make(sixPackets());
        for (Path file : files.written()) {
            if (file.toString().endsWith(".svg")) {
                String text = Files.readString(file).replaceAll("\\s+", " ");
                assertThat(text).contains("nothing removed").containsPattern("[^0-9](5|6) packets");
                if (!file.toString().contains("inter-packet-delay")) {
                    assertThat(text).contains("± 1 ns (one kernel)").contains("1 packet was lost");
                }
                assertThat(text).contains("font-family=").contains("sans-serif");
            }
        }
    }

    @Test
    void rendersReproduciblePixelsOfStatedSize() throws Exception {
        SessionFixture session = sixPackets();
        ChartFiles files = make(session);
        List<byte[]> first = contents(files);
        assertThat(contents(make(session))).containsExactlyElementsOf(first);
        for (Path file : files.written()) {
            if (file.toString().endsWith(".png")) {
                Element svg = new DrawnChart(
                                Files.readAllBytes(Path.of(file.toString().replace(".png", ".svg"))))
                        .svg();
                BufferedImage image = ImageIO.read(file.toFile());
                assertThat(image.getWidth()).isCloseTo(pixels(svg.getAttribute("width")), within(1));
                assertThat(image.getHeight()).isCloseTo(pixels(svg.getAttribute("height")), within(1));
            }
        }
    }

    @Test
    void leavesNoPartialFileAfterFailure() throws Exception {
        Path charts = directory.resolve("figures");
        Files.createDirectories(charts.resolve("lag-boxes.svg").resolve("in the way"));
        assertThatThrownBy(() -> make(sixPackets(), "lag-boxes"))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
        try (Stream<Path> left = Files.list(charts)) {
            assertThat(left).containsExactly(charts.resolve("lag-boxes.svg"));
        }
    }

    @Test
    void reportsFiguresWithoutData() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("nothing"));
        session.run("0001-udp-24-r1", "udp", 24).write();
        ChartFiles files = make(session);
        assertThat(files.written()).isEmpty();
        assertThat(files.leftOut()).isEqualTo(ChartKinds.load().all());
    }

    private SessionFixture sixPackets() throws IOException, LagbenchException {
        SessionFixture session = new SessionFixture(directory.resolve("hand"));
        session.run("0001-udp-24-r1", "udp", 24)
                .sent(0, 105 * US, 210 * US, 300 * US, 420 * US, 501 * US)
                .received(
                        new long[] {0, 40 * US},
                        new long[] {2, 230 * US},
                        new long[] {1, 235 * US},
                        new long[] {3, 360 * US},
                        new long[] {3, 365 * US},
                        new long[] {5, 516 * US})
                .write();
        return session;
    }

    private ChartFiles make(SessionFixture fixture, String... names) throws LagbenchException {
        Session session = Session.open(fixture.path());
        ChartContext context = new ChartContext(session, Summaries.of(session, SummaryOptions.DEFAULT));
        List<ChartKind> kinds = new ArrayList<>(ChartKinds.load().all());
        kinds.removeIf(kind -> names.length > 0 && !List.of(names).contains(kind.name()));
        Path into = directory.resolve("figures");
        return ChartFiles.write(into, context, kinds, EnumSet.allOf(ChartFiles.Format.class));
    }

    private DrawnChart read(ChartFiles files, String name) throws Exception {
        Path file = directory.resolve("figures").resolve(name + ".svg");
        assertThat(files.written()).contains(file);
        return new DrawnChart(Files.readAllBytes(file));
    }

    private static List<byte[]> contents(ChartFiles files) throws IOException {
        List<byte[]> contents = new ArrayList<>();
        for (Path file : files.written()) {
            contents.add(Files.readAllBytes(file));
        }
        return contents;
    }

    private static int pixels(String points) {
        return (int) Math.ceil(Double.parseDouble(points.replace("pt", "")) / 72 * 300);
    }

    private static void areAt(List<double[]> points, double[][] expected, double withinX, double withinY) {
        assertThat(points).hasSize(expected.length);
        for (int i = 0; i < expected.length; i++) {
            assertThat(points.get(i)[0]).isCloseTo(expected[i][0], within(withinX));
            assertThat(points.get(i)[1]).isCloseTo(expected[i][1], within(withinY));
        }
    }

    private static void isAt(double[] point, double lagUs, double fraction) {
        assertThat(point[0]).isCloseTo(lagUs, within(lagUs / 100));
        assertThat(point[1]).isCloseTo(fraction, within(0.005));
    }
}
