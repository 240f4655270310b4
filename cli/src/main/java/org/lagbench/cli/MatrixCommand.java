package org.lagbench.cli;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.matrix.MatrixResult;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.AtomicFile;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.MatrixSpec;
import org.lagbench.experiment.MatrixSpec.Pair;
import org.lagbench.experiment.SitesReader;
import org.lagbench.report.page.MatrixReportFile;
import org.lagbench.report.table.MatrixDocument;
import org.lagbench.report.table.MatrixOpenMetrics;
import org.lagbench.report.table.RequirementReport;
import org.lagbench.report.table.Result;
import org.lagbench.report.table.TableFormat;
import org.lagbench.runner.capacity.MatrixExecution;
import org.lagbench.runner.capacity.MatrixSession;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench matrix}: measures the paths between all sites. */
@Listed(in = HelpSection.MEASURE, order = 60)
@Command(
        name = "matrix",
        description = {
            "Measure lag, loss, round trip and the rate of TCP, or other metrics, from each site to each other, and"
                    + " print a table of each.",
            "",
            "Start lagbench serve --allow run,send-to-others --site HOST,... on each site, with one key for all or with"
                    + " its own. In a round no site takes part twice. Writes matrix.html with heat maps, matrix.csv and"
                    + " matrix.json into the session directory."
        },
        footer = {
            "  lagbench matrix my-sites.yaml",
            "  lagbench matrix my-sites.yaml --plan            print the rounds, measure nothing",
            "  lagbench matrix --resume results/my-sites-20260314T101500Z"
        })
public final class MatrixCommand extends Subcommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "SITES",
            description = "The file of sites; see configs/sites/reference.yaml.")
    private @Nullable Path file;

    @Option(names = "--plan", description = "Print the rounds, and measure nothing.")
    private boolean plan;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Parent of the new session directory (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of(SessionArguments.DEFAULT_OUTPUT);

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Measure the missing pairs of this session; with none missing, print its tables.")
    private @Nullable Path resume;

    @Option(
            names = "--at-once",
            paramLabel = "N",
            description = "Maximum number of pairs of a round to measure at the same time (default: all).")
    private int atOnce = Integer.MAX_VALUE;

    @Option(
            names = "--bottlenecks",
            description = "Also test which pairs of the same round share a bottleneck, and measure these again, one"
                    + " at a time. Fills each path for several seconds.")
    private boolean bottlenecks;

    @Option(
            names = "--all-methods",
            description = "With --bottlenecks: test by delays and by rates, even if the delays are certain. matrix.json"
                    + " has all verdicts.")
    private boolean allMethods;

    @Option(
            names = "--metric",
            paramLabel = "ID",
            description = "Show this metric, see docs/reference/metrics.md; may be repeated (default: lag.median, loss,"
                    + " roundTrip.median and rate).")
    private List<String> metrics = new ArrayList<>();

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            converter = Formats.class,
            completionCandidates = Formats.class,
            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private TableFormat format = TableFormat.TEXT;

    @Option(
            names = "--openmetrics",
            paramLabel = "FILE",
            description = "Also write or replace this file with the metrics of each pair, for the textfile collector of"
                    + " Prometheus's node exporter: /var/lib/node_exporter/lagbench.prom.")
    private @Nullable Path openMetrics;

    @Mixin
    private final ResumeArguments resumed = new ResumeArguments();

    @Mixin
    private final RequireArguments requirements = new RequireArguments();

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        require(atOnce >= 1, "--at-once: " + atOnce + " is below the minimum of 1.");
        require(bottlenecks || !allMethods, "--all-methods needs --bottlenecks.");
        require(
                (file == null) != (resume == null),
                "Give either a file of sites, such as configs/sites/reference.yaml, or --resume DIR.");
        requirements.check();
        List<Metric<?>> shown =
                metrics.isEmpty() ? MatrixResult.METRICS : CheckedFunction.each(metrics, MetricRegistry::judged);
        List<Metric<?>> judged = requirements.ofPairs();
        if (plan) {
            printPlan(file == null ? spec(MatrixSession.open(Objects.requireNonNull(resume))) : SitesReader.read(file));
            return ExitCode.OK.code();
        }
        try (MatrixSession session = file == null
                ? MatrixSession.open(Objects.requireNonNull(resume))
                : MatrixSession.create(output, SitesReader.read(file), Instant.now())) {
            if (resume != null) {
                resumed.check(resume, session.spec().keyFiles(), SitesReader.hosts(session.spec()), err());
            }
            err().println("session " + session.directory());
            MatrixExecution execution = new MatrixExecution(session, atOnce, shutdown(), line -> err().println(line));
            ExitCode outcome = execution.run();
            if (bottlenecks && outcome != ExitCode.INTERRUPTED) {
                ExitCode ofSearch = execution.searchBottlenecks(allMethods);
                outcome = outcome == ExitCode.OK ? ofSearch : outcome;
            }
            ExitCode verdict = write(session, session.result(shown, judged));
            if (outcome != ExitCode.OK) {
                err().println("Some pairs are missing. To measure them: lagbench matrix --resume "
                        + session.directory()
                        + session.spec().keyFiles().stream()
                                .map(file -> " " + Experiment.ALLOW_FILE + " " + file)
                                .collect(Collectors.joining()));
            }
            return (outcome == ExitCode.OK ? verdict : outcome).code();
        }
    }

    /** Writes and prints the result, and returns what the requirements found. */
    private ExitCode write(MatrixSession session, MatrixResult result) throws LagbenchException {
        RequirementReport judged = requirements.judge(result);
        Result measured = MatrixDocument.result(result);
        Result all = requirements.isGiven() ? judged.addTo(measured) : measured;
        AtomicFile.write(session.directory().resolve("matrix.csv"), all.text(TableFormat.CSV));
        AtomicFile.write(session.directory().resolve("matrix.json"), all.text(TableFormat.JSON));
        MatrixReportFile.write(session.directory().resolve("matrix.html"), result, judged.judgments(), all);
        if (openMetrics != null) {
            AtomicFile.writeForOthers(openMetrics, MatrixOpenMetrics.text(result));
        }
        print(all.text(format));
        return requirements.finish(judged, err());
    }

    private void printPlan(MatrixSpec spec) {
        int sites = spec.sites().size();
        List<List<Pair>> rounds = spec.rounds();
        int pairs = rounds.stream().mapToInt(List::size).sum();
        out().println(sites + " sites, " + pairs + " directed pairs, " + rounds.size() + " rounds. A round has at most "
                + sites / 2 + " pairs, so no schedule has fewer than "
                + (pairs + sites / 2 - 1) / (sites / 2) + " rounds.");
        for (int i = 0; i < rounds.size(); i++) {
            out().println("round " + (i + 1) + ": "
                    + rounds.get(i).stream()
                            .map(pair -> spec.sites().get(pair.from()).name() + " → "
                                    + spec.sites().get(pair.to()).name())
                            .collect(Collectors.joining(", ")));
        }
    }

    private static MatrixSpec spec(MatrixSession opened) throws LagbenchException {
        try (MatrixSession session = opened) {
            return session.spec();
        }
    }

    private static final class Formats extends Choice<TableFormat> {
        Formats() {
            super(
                    "format",
                    Stream.of(TableFormat.values())
                            .filter(format -> format != TableFormat.LONG)
                            .toList(),
                    TableFormat::text);
        }
    }
}
