package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.cli.sweep.SessionDirectory;
import org.lagbench.cli.tune.TuneExecution;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.experiment.ExperimentReader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.transport.Transports;
import org.lagbench.core.tune.Objective;
import org.lagbench.core.tune.Tuning;
import org.lagbench.report.tune.TuneFigures;
import org.lagbench.report.tune.TuneFiles;
import org.lagbench.report.tune.TuneReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lagbench tune}: finds the buffers that minimise an objective under constraints. */
@Command(
        name = "tune",
        sortOptions = false,
        description = {
            "Find the socket buffers, and other settings, that minimise the lag under constraints.",
            "",
            "Runs a coarse grid of them again and again, drops what is proven worse, looks closer around the best, and"
                    + " compares it with today's default. Ends when it is decided or the budget is used up, and says"
                    + " which. What to find is in the experiment's section tune; see configs/reference.yaml."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  sudo lagbench tune configs/tune-udp-flood.yaml",
            "  lagbench tune configs/quickstart.yaml --set transports=udp --set packet-bytes=396 --budget 5min",
            "  lagbench tune --resume results/tune-udp-flood-20260101T120000Z --budget 10min"
        })
final class TuneCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Lagbench lagbench;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Mixin
    private final ExperimentChoice choice = new ExperimentChoice();

    @Option(
            names = "--budget",
            paramLabel = "BUDGET",
            description =
                    "After what it ends undecided: 600s, 10min, 200 runs; in place of the experiment's tune.budget."
                            + " Counted anew when resumed.")
    private @Nullable String budget;

    @Mixin
    private final ClockOptions clocks = new ClockOptions();

    @Option(names = "--quiet", description = "Print only errors and the result.")
    private boolean quiet;

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        ExperimentChoice.Begun begun = choice.begin(this::read);
        Experiment experiment = begun.experiment();
        try (SessionDirectory session = begun.directory()) {
            TuneExecution execution = new TuneExecution(
                    experiment, session, clocks.wishes(experiment), Version.number(), lagbench.interruption());
            PrintWriter err = spec.commandLine().getErr();
            ExitCode exitCode = execution.execute(err, quiet);
            TuneResult result = execution.result();
            Tuning tuning = experiment.tune();
            if (result != null && tuning != null) {
                String transport = experiment.transports().get(0).transport();
                tell(session.directory(), result, tuning.objective(), transport);
            }
            return exitCode.code();
        }
    }

    /** Where the file does not say what is to be found, the defaults are. */
    private Experiment read(Path from, List<String> overrides) throws LagbenchException {
        ExperimentReader reader = new ExperimentReader(Transports.load(), Engines.load());
        List<String> all = new ArrayList<>(overrides);
        boolean setsTune = all.stream().anyMatch(override -> override.startsWith("tune"));
        if (!setsTune && reader.read(from, all).tune() == null) {
            all.add("tune={}");
        }
        if (budget != null) {
            all.add("tune.budget=" + budget);
        }
        return reader.read(from, all);
    }

    private void tell(Path session, TuneResult result, Objective objective, String transport) throws LagbenchException {
        TuneFiles.write(session, result, objective, transport);
        PrintWriter out = spec.commandLine().getOut();
        out.println(new TuneReport(result, objective, transport).text());
        out.println("Session: " + session);
        out.flush();
        try {
            TuneFigures.write(session, result, objective);
        } catch (LagbenchException e) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("There are no figures of this tune: " + e.sentence());
            err.flush();
        }
    }
}
