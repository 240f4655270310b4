package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.SessionId;
import org.lagbench.report.table.ComparisonView;
import org.lagbench.report.table.TableFormat;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench compare}: compares the points of sessions with those of others. */
@Listed(in = HelpSection.RESULTS, order = 10)
@Command(
        name = "compare",
        description = {
            "Compare each point of a session with the same point of a baseline session: better, worse, equivalent or"
                    + " undecided. With --baseline, compare several sessions, such as of different days, with several. "
                    + ComparisonView.OF_SETTINGS,
            "",
            "Ends with 9 if a point is worse; else with 10 if one is undecided, without a value, or only in the"
                    + " baseline. Two sessions need 5 repeats or more, 6 for shares and counts; of several, each is one"
                    + " value."
        },
        footer = {
            "  lagbench compare results/main-20260101T120000Z results/branch-20260101T130000Z",
            "  lagbench compare baseline results/branch-20260101T130000Z --metric lag.q99 --margin 10%% --junit a.xml",
            "  lagbench compare results/branch-* --baseline results/main-*"
        })
public final class CompareCommand extends Subcommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "SESSION",
            description =
                    "The sessions that are compared with the baseline. Without --baseline, the first of two is the"
                            + " baseline.")
    private List<Path> sessions = new ArrayList<>();

    @Option(
            names = "--baseline",
            arity = "1..*",
            paramLabel = "SESSION",
            description = "The sessions to compare with, after the sessions that are compared.")
    private List<Path> baselines = new ArrayList<>();

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            description = "Metric to compare, such as lag.q99; may be repeated (default: the median of the lag or round"
                    + " trip, the receive rate, and the throughput of transfers).")
    private List<String> metrics = new ArrayList<>();

    @Mixin
    private final BetweenArguments.MarginArgument margin = new BetweenArguments.MarginArgument();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = TableCommand.Formats.class,
            completionCandidates = TableCommand.Formats.class,
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private TableFormat format = TableFormat.TEXT;

    @Mixin
    private final RequireArguments.CheckArgument checks = new RequireArguments.CheckArgument();

    @Override
    public Integer call() throws LagbenchException, IOException {
        Comparisons.Limits limits = new Comparisons.Limits(margin.share(), checks.acceptedMissing());
        List<Metric<?>> chosen = CheckedFunction.each(metrics, MetricRegistry::judged);
        require(
                !baselines.isEmpty() || sessions.size() == 2,
                "Name the baseline and a session, or several sessions and then --baseline SESSION...");
        shutdown().endAtOnce();
        boolean isPair = baselines.isEmpty();
        List<Summary> before = summaries(isPair ? sessions.subList(0, 1) : baselines, chosen);
        List<Summary> after = summaries(isPair ? sessions.subList(1, 2) : sessions, chosen);
        if (!isPair) {
            checkDistinct(Stream.concat(baselines.stream(), sessions.stream()).toList());
        }
        Comparisons comparisons = Comparisons.ofSessions(before, after, chosen, limits);
        Summary together = Summary.ofAll(after);
        print(ComparisonView.ofSessions(before, after, comparisons).text(format));
        return checks.finish(ComparisonView.checks(Summary.ofAll(before), together, comparisons), err())
                .code();
    }

    /** Checks that no session is named twice, nor a copy of it: it would count as one of another day. */
    private static void checkDistinct(List<Path> named) throws LagbenchException {
        Map<UUID, Path> known = new HashMap<>();
        for (Path session : named) {
            Path other = known.put(SessionId.read(session).id(), session);
            if (other != null) {
                throw ExitCode.USAGE.failure("%s and %s are the same session, or copies of it. Name each session once."
                        .formatted(other, session));
            }
        }
    }

    private static List<Summary> summaries(List<Path> sessions, List<Metric<?>> metrics) throws LagbenchException {
        SummaryOptions options =
                new SummaryOptions(MetricGroups.needs(metrics.isEmpty() ? MetricRegistry.main() : metrics));
        return CheckedFunction.each(sessions, session -> summary(session, options));
    }

    /** Returns the summary of a session that has a point; others cannot be compared. */
    private static Summary summary(Path directory, SummaryOptions options) throws LagbenchException {
        Summary summary = Summaries.of(Session.open(directory), options);
        if (summary.points().isEmpty()) {
            throw ExitCode.FILES.failure(
                    directory + " has no complete run to compare. See: lagbench table " + directory);
        }
        return summary;
    }
}
