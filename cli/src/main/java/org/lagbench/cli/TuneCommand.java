package org.lagbench.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.report.page.TuneCharts;
import org.lagbench.report.page.TuneReport;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.Progress;
import org.lagbench.runner.sweep.SearchPlan;
import org.lagbench.runner.sweep.Sweep;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench tune}: finds the buffers that minimize an objective under constraints. */
@Listed(in = HelpSection.MEASURE, order = 30)
@Command(
        name = "tune",
        description = {
            "Find the socket buffers, and other settings, that minimize the lag under constraints.",
            "",
            "Runs a coarse grid of settings, drops those proven worse, refines the grid around the best, and compares"
                    + " the best with the system default. Ends when the result is proven or the budget is used up, and"
                    + " prints which. The section tune of the experiment sets the goal; see configs/reference.yaml. If"
                    + " tune.objective is a setting, such as receive-buffer, its smallest value that meets the limits"
                    + " is found instead."
        },
        footer = {
            "  sudo lagbench tune configs/tune-udp-flood.yaml",
            "  lagbench tune configs/quickstart.yaml --set transports=udp --set packet-bytes=396 --budget 5min",
            "  lagbench tune --resume results/tune-udp-flood-20260101T120000Z --budget 20min"
        })
public final class TuneCommand extends Subcommand {
    @Mixin
    private final ExperimentArguments.JvmArguments jvm = new ExperimentArguments.JvmArguments();

    @Mixin
    private final ExperimentArguments arguments = new ExperimentArguments();

    @Option(
            names = "--budget",
            paramLabel = "BUDGET",
            description = "Budget in time or runs: 600s, 10min, 200 runs; replaces the experiment's tune.budget."
                    + " A resumed tuning run has spent what its complete runs took.")
    private @Nullable String budget;

    @Option(names = "--quiet", description = "Print only errors and the result.")
    private boolean quiet;

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        try (Execution execution = arguments.begin(this::read, false, err(), shutdown())) {
            Progress progress = Progress.lines(err(), quiet);
            SearchPlan plan = new SearchPlan(execution.experiment(), execution.seed(), progress::note);
            ExitCode exitCode = Sweep.execute(execution, plan, (missing, remaining) -> progress);
            return (exitCode == ExitCode.OK ? report(execution, plan.report()) : exitCode).code();
        }
    }

    /** Reads the experiment, with the default section tune if it has none. */
    private Experiment read(Path file, List<String> overrides) throws LagbenchException {
        ExperimentReader reader = jvm.reader();
        List<String> all = new ArrayList<>(overrides);
        boolean setsTune = all.stream().anyMatch(override -> override.startsWith("tune"));
        if (!setsTune && reader.read(file, all).tune() == null) {
            all.add("tune={}");
        }
        if (budget != null) {
            all.add("tune.budget=" + budget);
        }
        return reader.read(file, all);
    }

    /** Prints and writes the result, and returns its exit code. */
    private ExitCode report(Execution execution, TuneReport report) throws LagbenchException {
        Path session = execution.session().directory();
        report.write(
                session,
                execution.session().hasCompleteRun()
                        ? Summaries.of(Session.open(session), SummaryOptions.DEFAULT)
                        : SweepOutput.withoutRuns(execution));
        out().println(report.text());
        out().println("Session: " + session);
        try {
            TuneCharts.write(session, report);
        } catch (LagbenchException e) {
            err().println("The charts cannot be drawn: " + e.sentence());
        }
        return report.result().exitCode();
    }
}
