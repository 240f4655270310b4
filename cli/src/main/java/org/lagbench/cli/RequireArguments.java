package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.comparison.Judgment;
import org.lagbench.analysis.comparison.Requirement;
import org.lagbench.analysis.comparison.SeriesRequirements;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.MetricGroups;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.run.Metric;
import org.lagbench.core.text.Units;
import org.lagbench.core.timeseries.SeriesInfo;
import org.lagbench.report.table.Checks;
import org.lagbench.report.table.MatrixMetrics;
import org.lagbench.report.table.RequirementReport;
import org.lagbench.report.table.Result;
import org.lagbench.report.table.TableFormat;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the commands that check requirements. */
final class RequireArguments {
    @Option(
            names = "--require",
            paramLabel = "LIMIT",
            description = "Limit of a metric, such as 'lag.q99 <= 2 ms' or 'loss <= 0.1 %% at size=992,transport=udp';"
                    + " of a monitor's series or a matrix's pairs such as 'lag.median <= 2 ms'. May be repeated. Ends"
                    + " with 9 if one is missed, and with 10 if one is undecided. See docs/how-to/use-in-ci.md.")
    private List<String> limits = new ArrayList<>();

    @Option(
            names = "--judge-by",
            paramLabel = "BASIS",
            defaultValue = Basis.INTERVAL,
            converter = Basis.class,
            completionCandidates = Basis.class,
            description = "${COMPLETION-CANDIDATES}; interval: --require is met or missed if the 95 %% interval over"
                    + " the repeats shows it, which needs 6 repeats; value: by the value alone, also"
                    + " of one run (default: ${DEFAULT-VALUE}).")
    private String basis = Basis.INTERVAL;

    @Mixin
    private final CheckArgument checks = new CheckArgument();

    private final boolean makesRuns;

    /** The options of a command that judges runs. */
    RequireArguments() {
        this(false);
    }

    /**
     * The options of a command.
     *
     * @param makesRuns whether the command makes the runs that it judges, so that it can miss runs without a limit
     */
    RequireArguments(boolean makesRuns) {
        this.makesRuns = makesRuns;
    }

    /**
     * Returns the requirements.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if one cannot be parsed, or their other options are given
     *     without any
     */
    private List<Requirement> requirements() throws LagbenchException {
        Subcommand.require(
                isGiven() || !(checks.needsLimit(makesRuns) || judgesByValue()),
                "--junit" + (makesRuns ? " and --judge-by" : ", --judge-by and --allow-missing")
                        + " need --require LIMIT.");
        return CheckedFunction.each(limits, Requirement::parse);
    }

    private Judgment.Basis judgmentBasis() throws LagbenchException {
        return new Judgment.Basis(judgesByValue(), checks.acceptedMissing());
    }

    private boolean judgesByValue() {
        return basis.equals(Basis.VALUE);
    }

    /**
     * Checks the options before runs are executed or read; throws as {@link #requirements}, or if there is no such
     * metric.
     */
    void check() throws LagbenchException {
        judgmentBasis();
        for (Requirement requirement : requirements()) {
            requirement.metric();
        }
    }

    /**
     * Checks the options before series are recorded; throws as {@link #requirements}, or if there is no such series.
     */
    void check(List<SeriesInfo> series) throws LagbenchException {
        judgmentBasis();
        for (Requirement requirement : requirements()) {
            SeriesRequirements.named(requirement, series);
        }
    }

    boolean isGiven() {
        return !limits.isEmpty();
    }

    /** Returns the groups of metrics that the requirements need besides those of tables; throws as {@link #check}. */
    Set<MetricGroup<?>> needs() throws LagbenchException {
        return MetricGroups.needs(CheckedFunction.each(requirements(), Requirement::metric));
    }

    /** Returns the metrics that the requirements limit in a matrix; throws as {@link #check}. */
    List<Metric<?>> ofPairs() throws LagbenchException {
        return CheckedFunction.each(requirements(), MatrixMetrics::named);
    }

    /** Judges the points of a summary. */
    RequirementReport judge(Summary summary) throws LagbenchException {
        List<Judgment> judgments = new ArrayList<>();
        for (Requirement requirement : requirements()) {
            judgments.addAll(requirement.judge(summary, judgmentBasis()));
        }
        return new RequirementReport(summary, judgments, RequirementReport.POINT, judgesByValue());
    }

    /** Judges the series of a monitor's session. */
    RequirementReport judge(Path session) throws LagbenchException {
        return report(
                session.toString(),
                SeriesRequirements.judge(session, requirements(), judgmentBasis()),
                RequirementReport.SERIES);
    }

    /** Judges the pairs of a matrix; throws as {@link #requirements}, or if there is no such metric. */
    RequirementReport judge(MatrixResult result) throws LagbenchException {
        List<Judgment> judgments = new ArrayList<>();
        for (Requirement requirement : requirements()) {
            judgments.addAll(MatrixMetrics.judge(result, requirement, judgmentBasis()));
        }
        return report(result.name(), judgments, RequirementReport.PAIR);
    }

    private RequirementReport report(String session, List<Judgment> judgments, String kind) {
        Summary noPoints = new Summary(session, false, List.of(), List.of());
        return new RequirementReport(noPoints, judgments, kind, judgesByValue());
    }

    /** Returns a result as text, with what was judged if there are requirements. */
    String text(Result result, RequirementReport judged, TableFormat format) {
        return (isGiven() ? judged.addTo(result) : result).text(format);
    }

    /** Returns the share of the planned runs that may be missing, from 0 to 1. */
    double acceptedMissing() throws LagbenchException {
        return checks.acceptedMissing();
    }

    /** Reports what was judged for CI as {@link CheckArgument#finish}. */
    ExitCode finish(RequirementReport report, PrintWriter err) throws LagbenchException {
        return isGiven() ? checks.finish(report.checks(), err) : ExitCode.OK;
    }

    private static final class Basis extends Choice<String> {
        static final String INTERVAL = "interval";
        static final String VALUE = "value";

        Basis() {
            super("basis", List.of(INTERVAL, VALUE), name -> name);
        }
    }

    /** The options for the verdicts of requirements and comparisons, and their exit code. */
    static final class CheckArgument {
        @Option(
                names = "--junit",
                paramLabel = "FILE",
                description =
                        "Write the verdicts as a JUnit report: missed or worse is a failure, undecided is skipped.")
        private @Nullable Path junit;

        @Option(
                names = "--allow-missing",
                paramLabel = "PERCENT",
                description = "Share of the planned runs or values that may be missing: 5 %%. With more, nothing is"
                        + " met, better or equivalent. A command that makes runs ends with 6 if more failed or received"
                        + " no packet (default: none).")
        private @Nullable String allowMissing;

        boolean needsLimit(boolean makesRuns) {
            return junit != null || (allowMissing != null && !makesRuns);
        }

        /**
         * Returns the share that may be missing.
         *
         * @throws LagbenchException with {@link ExitCode#USAGE} if it is no percentage
         */
        double acceptedMissing() throws LagbenchException {
            if (allowMissing == null) {
                return 0;
            }
            try {
                return Quantities.parseShare(allowMissing) / Units.PERCENT / Quantities.PPM_PER_PERCENT;
            } catch (IllegalArgumentException e) {
                throw ExitCode.USAGE.failure(
                        "--allow-missing: \"" + allowMissing + "\" is not a percentage up to 100, such as 5 %.", e);
            }
        }

        /** Writes the report if requested, names the checks that fail on standard error, and returns the exit code. */
        ExitCode finish(Checks checks, PrintWriter err) throws LagbenchException {
            if (junit != null) {
                AtomicFile.write(junit, checks.junit());
            }
            checks.failures().forEach(failure -> err.println("lagbench: " + failure));
            return checks.exitCode();
        }
    }
}
