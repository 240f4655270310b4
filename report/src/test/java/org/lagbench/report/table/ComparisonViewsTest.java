package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.report.chart.ChartContext;
import org.lagbench.report.chart.ChartFiles;
import org.lagbench.report.chart.ChartKind;
import org.lagbench.report.chart.ChartKinds;
import org.lagbench.report.page.ReportFile;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A session of two engines with known lags: c has half of the lag of java with 24 bytes, and the same with 992. */
class ComparisonViewsTest {
    private static final int PACKETS = 10;
    private static final int REPEATS = 6;

    private final Path directory;
    private final SessionFixture session;

    ComparisonViewsTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.session = new SessionFixture(directory.resolve("engines"));
    }

    @BeforeEach
    void writeRuns() throws Exception {
        for (int repeat = 1; repeat <= REPEATS; repeat++) {
            for (int bytes : new int[] {24, 992}) {
                long lagNs = 40_000 + 1_000L * repeat;
                run("java", "default", repeat, bytes, lagNs);
                run("c", "default", repeat, bytes, (bytes == 24 ? lagNs / 2 : lagNs) + 10L * (repeat % 2));
            }
        }
    }

    private void run(String engine, String jvm, int repeat, int bytes, long lagNs) throws Exception {
        long[] sent = new long[PACKETS];
        long[][] received = new long[PACKETS][];
        for (int i = 0; i < PACKETS; i++) {
            sent[i] = i * 1_000_000L;
            received[i] = new long[] {i, sent[i] + lagNs};
        }
        session.run(engine + jvm.hashCode() + "-" + bytes + "-r" + repeat, "udp", bytes)
                .engine(engine, jvm)
                .sent(sent)
                .received(received)
                .write();
    }

    @Test
    void showsRatiosIntervalsAndVerdicts() throws Exception {
        String text = comparison(TableFormat.TEXT);
        assertThat(text.lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(text)
                .contains("Transmit lag, compared with engine java")
                .containsPattern("(?m)^ +992 +c +Median +equivalent +43\\.5 +43\\.5 +1\\.000 +1\\.000 +1\\.000$")
                .containsPattern("(?m)^ +24 +c +Median +better +43\\.5 +21\\.8 +0\\.500 +0\\.500 +0\\.500$")
                .contains("medians over the repeats (6)", "Equivalent: two one-sided tests at 5 %");
        // 0 and 10 ns in turn; and half of 41 to 46 µs, whose trend widens the interval
        assertThat(text.replaceAll("\\s+", " "))
                .containsPattern("─ Difference ─+ .* Median From To")
                .containsPattern("992 c Median equivalent (43\\.5 43\\.5 (1\\.000 ){3})?0\\.005 0\\.00 0\\.010 ")
                .containsPattern("24 c Median better (43\\.5 21\\.8 (0\\.500 ){3})?-21\\.7 -3\\d\\.\\d -1\\d\\.\\d ");
    }

    @Test
    void writesEveryFormat() throws Exception {
        JsonNode json = JsonMapper.shared().readTree(comparison(TableFormat.JSON));
        assertThat(json.get("format").asString()).isEqualTo("lagbench-comparison-2");
        assertThat(json.get("baseline").asString()).isEqualTo("java");
        assertThat(json.get("comparisons")).hasSize(14);
        JsonNode median = json.get("comparisons").get(7);
        assertThat(median.at("/point/packetBytes").asInt()).isEqualTo(24);
        assertThat(median.get("metric").asString()).isEqualTo("lag.median");
        assertThat(median.get("ratio").asDouble()).isBetween(.5, .5003);
        assertThat(median.get("difference").asDouble()).as("in µs").isBetween(-21.75, -21.74);
        assertThat(median.get("differenceLow").asDouble()).isLessThan(-23);
        assertThat(median.get("differenceHigh").asDouble()).isBetween(-20.5, 0.0);
        assertThat(median.get("verdict").asString()).isEqualTo("better");
        List<String> csv = comparison(TableFormat.CSV).lines().toList();
        assertThat(csv).hasSize(15);
        assertThat(csv.get(0))
                .startsWith("transport,")
                .contains(",value,metric,unit,")
                .endsWith(",verdict,doubt");
        assertThat(csv.get(8)).contains(",c,lag.median,µs,true,6,").endsWith(",better,");
        assertThat(comparison(TableFormat.MARKDOWN))
                .contains("### Receive rate, compared with engine java", "| UDP/IP | 24 | c | ");
        assertThat(comparison(TableFormat.LATEX)).contains("\\caption{Transmit lag, compared with engine java}");
    }

    @Test
    void showsWhatEnginesAllocate() throws Exception {
        assertThat(comparison(TableFormat.TEXT)).doesNotContain("allocated");
        for (int repeat = 1; repeat <= 2; repeat++) {
            session.run("rmi-24-r" + repeat, "udp", 24)
                    .engine("rmi", "default")
                    .sent(0)
                    .received(new long[] {0, 50_000})
                    .metadata(
                            Map.of("packetThreadBytesPerPacket", 1_000L * repeat),
                            Map.of("connectionThreadBytesPerPacket", 700L))
                    .write();
        }
        assertThat(comparison(TableFormat.TEXT))
                .contains("Memory allocated per packet")
                .containsPattern("(?m)^ +24 +1,500 +700$");
        JsonNode allocations =
                JsonMapper.shared().readTree(comparison(TableFormat.JSON)).get("allocations");
        assertThat(allocations).hasSize(1);
        assertThat(allocations.get(0).at("/point/engine").asString()).isEqualTo("rmi");
        assertThat(allocations.get(0).get("senderBytesPerPacket").asDouble()).isEqualTo(1_500);
    }

    @Test
    void showsSeriesOfRepeats() throws Exception {
        String text = study(TableFormat.TEXT);
        assertThat(text)
                .contains(
                        "Mean and variance of the repeats, compared with engine java",
                        "Medians of the repeats, compared with engine java",
                        "Least squares through the pairs",
                        "Values that the other's forecast intervals capture",
                        "p-values of tests",
                        "An outlier is a pair of which one value is at least 100 times the other");
        // 43.5 ± 1.87 µs, and half of it
        assertThat(text).containsPattern("c +Transmit lag +43\\.5000 +3\\.50000 +21\\.7550 +0\\.87");
        assertThat(text).containsPattern("c +Transmit lag +6 +0\\.500 +1\\.000 +6 +0\\.500 +1\\.000 +no");
        JsonNode json = JsonMapper.shared().readTree(study(TableFormat.JSON));
        assertThat(json.get("studies")).hasSize(4);
        assertThat(json.at("/studies/0/equivalence/first/mean").asDouble()).isEqualTo(43.5);
        List<String> csv = study(TableFormat.CSV).lines().toList();
        assertThat(csv).hasSize(5);
        assertThat(csv.get(0))
                .contains(",equivalence.regression.slope,")
                .doesNotContain("histogram", "errors.fractions");
    }

    @Test
    void drawsLinesOverPacketSizeAndForecastErrors() throws Exception {
        Session opened = Session.open(session.path());
        Summary summary = summary();
        ChartKinds kinds = ChartKinds.load();
        ChartFiles files = ChartFiles.write(
                directory,
                ChartContext.between(opened, summary, between()),
                List.of(
                        kinds.named("over-packet-size"),
                        kinds.named("error-histogram"),
                        kinds.named("error-distribution")),
                EnumSet.of(ChartFiles.Format.SVG));
        assertThat(files.written())
                .extracting(file -> String.valueOf(file.getFileName()))
                .contains(
                        "over-packet-size-engine-lag.median-udp-ip.svg",
                        "error-histogram-udp-24-c-lag.median.svg",
                        "error-distribution-udp-24-c-lag.median.svg");
        assertThat(Files.readString(directory.resolve("over-packet-size-engine-lag.median-udp-ip.svg")))
                .contains("packet size (bytes)", "transmit lag, median (µs)", "java, interval");
        Path report = directory.resolve("report.html");
        ReportFile.write(report, opened, summary);
        assertThat(Files.readString(report)).contains("id=\"over-packet-size\"");
    }

    @Test
    void numbersFiguresWhoseFilesWouldHaveOneName() throws Exception {
        for (String jvm : List.of("-Xlog:gc", "-Xlog-gc")) {
            for (int bytes : new int[] {24, 992}) {
                run("java", jvm, 1, bytes, 40_000);
                run("c", jvm, 1, bytes, 40_000);
            }
        }
        ChartContext context = ChartContext.between(Session.open(session.path()), summary(), between());
        assertThat(ChartKinds.load().named("over-packet-size").draw(context))
                .extracting(ChartKind.Drawing::name)
                .doesNotHaveDuplicates()
                .filteredOn(name -> name.startsWith("over-packet-size-engine-lag.median-udp-ip-xlog-gc"))
                .hasSize(2);
    }

    private static Between between() {
        return new Between("engine", "java", Between.MARGIN);
    }

    private Summary summary() throws LagbenchException {
        return Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT);
    }

    private String comparison(TableFormat format) throws Exception {
        return new TableView(new ComparisonView(), false, false, between())
                .result(summary())
                .text(format);
    }

    private String study(TableFormat format) throws Exception {
        return new TableView(new EquivalenceReport.OfAxis(), false, false, between())
                .result(summary())
                .text(format);
    }
}
