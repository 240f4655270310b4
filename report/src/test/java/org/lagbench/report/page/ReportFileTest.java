package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord.State;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.TableView;

class ReportFileTest {
    private final Path directory;

    ReportFileTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @Test
    void writesSameBytesTwice() throws Exception {
        Path session = ReportSession.write(directory);
        String first = report(session);
        assertThat(report(session)).isEqualTo(first);
        assertThat(session.resolve(".report.html.partial")).doesNotExist();
    }

    @Test
    void forbidsBrowsersToFetchAnything() throws Exception {
        String html = report(ReportSession.write(directory));
        assertThat(html).contains("Content-Security-Policy\" content=\"default-src &#39;none&#39;");
        assertThat(html)
                .doesNotContain("src=\"http")
                .doesNotContain("href=\"http")
                .doesNotContain("@import");
    }

    @Test
    void explainsSessionWithoutCompleteRun() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("0001-tcp-24-r1", "tcp", 24)
                .sent(0)
                .packets(2)
                .ended(State.BROKEN, "the cable was pulled")
                .write();
        String html = report(session.path());
        assertThat(html).contains("No run completed: ", "broke off: the cable was pulled");
        assertThat(html).doesNotContain("id=\"lag-table\"", "id=\"over-time\"", "id=\"environment\"", "id=\"runs\"");
    }

    @Test
    void beginsWithTablesOfTerminal() throws Exception {
        Path path = ReportSession.write(directory);
        String html = report(path);
        Summary summary = Summaries.of(Session.open(path), SummaryOptions.DEFAULT);
        List<String> titles = Document.of(summary, TableView.LAG).tables().stream()
                .map(table -> "<caption>" + table.title() + "</caption>")
                .toList();
        assertThat(titles).hasSizeGreaterThan(1);
        assertThat(Pattern.compile("<caption>[^<]*</caption>")
                        .matcher(html)
                        .results()
                        .map(MatchResult::group))
                .startsWith(titles.toArray(String[]::new));
    }

    @Test
    void ordersPointsByAscendingSize() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        for (int bytes : new int[] {992, 24, 396}) {
            session.run("0001-udp-" + bytes + "-r1", "udp", bytes)
                    .sent(0, 10)
                    .packets(2)
                    .write();
        }
        String html = report(session.path());
        assertThat(Pattern.compile("\"point\">UDP/IP, (\\d+)")
                        .matcher(html)
                        .results()
                        .map(size -> size.group(1)))
                .containsExactly("24", "396", "992");
    }

    @Test
    void foldsDetailSectionsButNotLagTable() throws Exception {
        String html = report(ReportSession.write(directory));
        for (String id : List.of("delays", "media", "playout", "ledger", "series", "environment")) {
            assertThat(html).containsPattern("<section id=\"" + id + "\"[^>]*>\\s*<details>\\s*<summary><h2");
        }
        assertThat(html).containsPattern("<section id=\"lag-table\"[^>]*>\\s*<h2");
    }

    @Test
    void showsLossNextToLags() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        run(session, "tcp", 1_000, 33_000);
        run(session, "udp", 280, 4_400);
        run(session, "ieee1394", 1_000, 100_000);
        String html = report(session.path());
        assertThat(html)
                .contains("UDP/IP, 992 bytes: median 4.40 µs, Q99 4.40 µs, maximum 4.40 µs, 72.0\u00a0% lost")
                .contains("TCP/IP, 992 bytes: median 33.0 µs, Q99 33.0 µs, maximum 33.0 µs, none lost");
        assertThat(html.indexOf("Packets were lost: 72.0\u00a0% of UDP/IP, 992\u00a0bytes."))
                .isPositive()
                .isLessThan(html.indexOf("id=\"overview\""));
    }

    /** Writes a run of 1,000 packets, of which the first arrive after one lag. */
    private static void run(SessionFixture session, String transport, int arrived, long lagNs) throws Exception {
        long[] sent = LongStream.range(0, 1_000).map(i -> i * 1_000_000).toArray();
        long[][] received = IntStream.range(0, arrived)
                .mapToObj(i -> new long[] {i, sent[i] + lagNs})
                .toArray(long[][]::new);
        session.run("0001-" + transport + "-992-r1", transport, 992)
                .sent(sent)
                .received(received)
                .write();
    }

    @Test
    void hasNoLagChartIfNoPacketArrived() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("0001-udp-24-r1", "udp", 24).sent(0, 10, 20).write();
        String html = report(session.path());
        assertThat(html).contains("1\u00a0run, 3\u00a0packets, 3\u00a0lost.", "id=\"lag-table\"", "id=\"delays\"");
        assertThat(html).doesNotContain("id=\"over-time\"", "id=\"distribution\"");
    }

    @Test
    void namesFileThatCannotBeWritten() throws Exception {
        Path session = ReportSession.write(directory);
        Path file = directory.resolve("missing").resolve("report.html");
        Session opened = Session.open(session);
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> ReportFile.write(file, opened, Summaries.of(opened, SummaryOptions.DEFAULT)))
                .withMessageContaining(file.toString())
                .satisfies(e -> assertThat(e.exitCode()).isEqualTo(ExitCode.FILES));
    }

    private static String report(Path path) throws Exception {
        Session session = Session.open(path);
        Path file = path.resolve(ReportFile.NAME);
        ReportFile.write(file, session, Summaries.of(session, SummaryOptions.DEFAULT));
        return Files.readString(file);
    }
}
