package org.lagbench.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.summary.MainMetrics;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneCriteria;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.analysis.tune.TuneResult.DefaultComparison;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.Objective;

/** Checks the charts of a tuning run by the text in the SVG. */
class TuneChartsTest {
    private static final Knob SEND = Knob.range("send-buffer", 4096, 65536);
    private static final Knob RECEIVE = Knob.range("receive-buffer", 4096, 65536);
    private static final TuneCriteria RULES = new TuneCriteria(List.of(), 0.1);

    @TempDir
    private Path session;

    @Test
    @Tag("one-java")
    void heatMapHasCellForEachCandidate() throws Exception {
        List<TuneResult.CandidateResult> rows = new ArrayList<>();
        TuneCandidate best = new TuneCandidate(Map.of("send-buffer", "4096", "receive-buffer", "65536"));
        rows.add(row(best, CandidateVerdict.TIED, 1.5e3, 90e6));
        rows.add(row(
                new TuneCandidate(Map.of("send-buffer", "65536", "receive-buffer", "65536")),
                CandidateVerdict.WORSE,
                9e3,
                91e6));
        rows.add(row(
                new TuneCandidate(Map.of("send-buffer", "4096", "receive-buffer", "4096")),
                CandidateVerdict.INFEASIBLE,
                1e3,
                20e6));
        rows.add(row(TuneCandidate.DEFAULT, CandidateVerdict.UNDECIDED, 8e3, 91e6));
        TuneResult result = result(List.of(SEND, RECEIVE), best, rows);
        TuneReport report = new TuneReport(result, Objective.of(MetricRegistry.of("lag.q99")), "tcp");
        TuneCharts.write(session, report);
        report.write(session, new Summary("tune", false, List.of(), List.of()));
        PageChecks.checkAll(session.resolve("tune.html"), session.resolve("profile"));

        assertThat(words("tune-surface"))
                .contains("1.50", "9.00", "(1.00)", "Q99 transmit lag in ms", "send buffer", "receive buffer", "64 KiB")
                .contains("breaks a constraint", "Thick frame", "Empty: not run", "default: 8.00 ms, undecided.");
        assertThat(words("tune-trade-off"))
                .contains(
                        "recommended: as good as any",
                        "worse",
                        "breaks a constraint",
                        "system default: undecided",
                        "no candidate is better in both");
    }

    @Test
    void captionOfOneKnobExplainsOnlyWhatIsShown() throws Exception {
        List<TuneResult.CandidateResult> rows = new ArrayList<>();
        rows.add(row(new TuneCandidate(Map.of("send-buffer", "4096")), CandidateVerdict.UNDECIDED, 1e3, 90e6));
        rows.add(row(TuneCandidate.DEFAULT, CandidateVerdict.UNDECIDED, 2e3, 80e6));
        TuneResult result = result(List.of(SEND), null, rows);
        TuneCharts.write(session, new TuneReport(result, Objective.of(MainMetrics.LAG), "udp"));

        assertThat(words("tune-surface"))
                .contains(
                        "Median transmit lag in ms",
                        "median transmit lag (ms)",
                        "send buffer",
                        "default: 2.00 ms, undecided.")
                .contains("The line joins the medians.")
                .doesNotContain("constraint", "Thick frame", "Empty");
        Matcher marks = Pattern.compile("(?s)data-name=\"a run\".*?</g>")
                .matcher(Files.readString(session.resolve("figures").resolve("tune-surface.svg")));
        assertThat(marks.find()).isTrue();
        assertThat(Pattern.compile("M[-0-9.]+,").matcher(marks.group()).results())
                .hasSize(2); // its two runs
        assertThat(words("tune-trade-off"))
                .contains("undecided")
                .doesNotContain("constraint", "recommended", "no candidate is better in both");
    }

    /** Returns the text in a figure. */
    private String words(String name) throws Exception {
        return Files.readString(session.resolve("figures").resolve(name + ".svg"))
                .replaceAll("<[^>]*>", " ")
                .replaceAll("\\s+", " ");
    }

    private static TuneResult result(
            List<Knob> knobs, TuneCandidate recommended, List<TuneResult.CandidateResult> rows) {
        return new TuneResult(
                knobs, RULES, false, recommended, List.of(), null, DefaultComparison.NONE, rows, List.of(), 1);
    }

    private static TuneResult.CandidateResult row(
            TuneCandidate candidate, CandidateVerdict verdict, double objectiveUs, double goodput) {
        return new TuneResult.CandidateResult(
                candidate,
                verdict,
                2,
                0,
                objectiveUs,
                List.of(0.9 * objectiveUs, 1.1 * objectiveUs),
                new Interval(0, 0, 0.1),
                goodput,
                List.of());
    }
}
