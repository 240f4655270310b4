package org.lagbench.cli.tune;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.tune.Trial;
import org.lagbench.analysis.tune.TuneCandidate;
import org.lagbench.analysis.tune.TuneCriteria;
import org.lagbench.analysis.tune.TuneResult;
import org.lagbench.analysis.tune.Tuner;
import org.lagbench.cli.sweep.ClockRequirements;
import org.lagbench.cli.sweep.Durations;
import org.lagbench.cli.sweep.RunMaker;
import org.lagbench.cli.sweep.SessionDirectory;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.experiment.TransportAxes;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.lab.Network;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunRecordFile;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.tune.GoodputFloor;
import org.lagbench.core.tune.Tuning;
import org.lagbench.report.table.Numbers;

/**
 * One execution of a tune in its session: shows the tuner what is there already, and makes the runs that it asks for.
 */
public final class TuneExecution {
    private static final double MILLION = 1e6;
    private static final int MOST_ATTEMPTS = 3;

    private final Experiment experiment;
    private final Tuning tuning;
    private final SessionDirectory session;
    private final ClockRequirements clocks;
    private final String lagbenchVersion;
    private final ShutdownCoordinator interruption;
    private int number;
    private @Nullable TuneResult result;

    /** The experiment must have its seed and what is to be found. */
    public TuneExecution(
            Experiment experiment,
            SessionDirectory session,
            ClockRequirements clocks,
            String lagbenchVersion,
            ShutdownCoordinator interruption) {
        this.experiment = experiment;
        this.tuning = Objects.requireNonNull(experiment.tune(), "what is to be found");
        this.session = session;
        this.clocks = clocks;
        this.lagbenchVersion = lagbenchVersion;
        this.interruption = interruption;
    }

    /** What was found; null if it was interrupted or failed. */
    public @Nullable TuneResult result() {
        return result;
    }

    /**
     * Makes the runs. When it returns, no process of it runs any more.
     *
     * @return how it ended; what went wrong has been told
     */
    public ExitCode execute(PrintWriter err, boolean quiet) throws LagbenchException, InterruptedException {
        KnobLimits limits = KnobLimits.of(experiment, tuning.knobs());
        Tuner tuner =
                new Tuner(limits.knobs(), rules(), Objects.requireNonNull(experiment.seed(), "the experiment's seed"));
        try (TuneProgress progress = new TuneProgress(err, quiet)) {
            limits.cut().forEach(progress::line);
            Optional<TuneCandidate> next = showWhatIsThere(tuner);
            ExitCode exitCode = next.isEmpty() ? ExitCode.OK : make(tuner, progress);
            if (exitCode == ExitCode.INTERRUPTED) {
                progress.trouble("Interrupted: " + number + (number == 1 ? " run is" : " runs are")
                        + " kept. To go on: lagbench tune --resume "
                        + session.directory());
            }
            if (exitCode == ExitCode.OK) {
                result = tuner.result();
            }
            return exitCode;
        }
    }

    /** The candidate whose run is the first that is missing; nothing if none is. */
    private Optional<TuneCandidate> showWhatIsThere(Tuner tuner) throws LagbenchException {
        Optional<TuneCandidate> next = tuner.next();
        while (next.isPresent()) {
            RunSpec run = run(next.get()).runs().get(0);
            if (!isThere(run)) {
                return next;
            }
            accept(tuner, run);
            next = tuner.next();
        }
        return next;
    }

    /** Whether a run of that name is complete, and is this one: another budget may have asked for another. */
    private boolean isThere(RunSpec run) throws LagbenchException {
        return session.isComplete(run.name())
                && texts(RunRecordFile.read(directory(run)).settings())
                        .equals(run.settings().asText());
    }

    private static Map<String, String> texts(Map<String, Object> settings) {
        Map<String, String> texts = new LinkedHashMap<>();
        settings.forEach((name, value) -> texts.put(name, value.toString()));
        return texts;
    }

    private ExitCode make(Tuner tuner, TuneProgress progress) throws LagbenchException, InterruptedException {
        Budget budget = new Budget(tuning.budget(), System::nanoTime);
        try (RunMaker maker = new RunMaker(experiment, session, clocks, lagbenchVersion, progress, interruption)) {
            while (!interruption.isInterrupted()) {
                keepTo(budget, tuner);
                Optional<TuneCandidate> next = tuner.next();
                if (next.isEmpty()) {
                    return ExitCode.OK;
                }
                RunGroup run = run(next.get());
                ExitCode exitCode = attempt(maker, run);
                if (exitCode != ExitCode.OK) {
                    return exitCode;
                }
                budget.runMade();
                String phase = tuner.phaseText();
                int contenders = tuner.contenders();
                Trial trial = accept(tuner, run.runs().get(0));
                progress.line(String.format(
                        Locale.ROOT,
                        "run %d  %s, %d in  %s: %s %s µs, %.1f Mbit/s, %d lost; %.1f s a run, at most %s left",
                        number,
                        phase,
                        contenders,
                        next.get().text(),
                        tuning.objective().text(),
                        Double.isInfinite(trial.objectiveNs()) ? "–" : Numbers.usText(trial.objectiveNs()),
                        trial.goodputBitsPerS() / MILLION,
                        trial.lost(),
                        budget.runS(),
                        Durations.text(budget.timeLeft())));
            }
            return ExitCode.INTERRUPTED;
        }
    }

    /**
     * Gives half of the budget to the coarse grid, and keeps enough of it for the comparison with today's default, but
     * no more than a third.
     */
    private static void keepTo(Budget budget, Tuner tuner) {
        if (budget.isHalfUsed()) {
            tuner.refine();
        }
        if (tuner.isSearching() && budget.runsLeft() <= Math.min(2L * Tuner.CONFIRMING_ROUNDS, budget.runs() / 3)) {
            tuner.endSearch();
        }
        if (budget.runsLeft() <= 0) {
            tuner.end();
        }
    }

    /** A run that broke off is made again, for it tells nothing of the candidate. */
    private static ExitCode attempt(RunMaker maker, RunGroup run) throws LagbenchException, InterruptedException {
        ExitCode exitCode = ExitCode.BROKEN;
        for (int i = 0; i < MOST_ATTEMPTS && exitCode == ExitCode.BROKEN; i++) {
            exitCode = maker.make(run);
        }
        return exitCode;
    }

    private Trial accept(Tuner tuner, RunSpec run) throws LagbenchException {
        Trial trial = Trial.of(directory(run), run.packetBytes(), tuning.objective());
        tuner.accept(trial);
        number++;
        return trial;
    }

    private Path directory(RunSpec run) {
        return session.runs().resolve(run.name());
    }

    private RunGroup run(TuneCandidate candidate) {
        TransportAxes axes = experiment.transports().get(0);
        Map<String, String> settings =
                new LinkedHashMap<>(axes.combinations().get(0).asText());
        settings.putAll(candidate.knobs());
        return experiment.run(number + 1, 1, Settings.of(axes.definitions(), settings));
    }

    private TuneCriteria rules() {
        Integer lossPpm = tuning.maximumLossPpm();
        GoodputFloor floor = tuning.goodput();
        Network lab = experiment.lab();
        return new TuneCriteria(
                lossPpm == null ? null : (Double) (lossPpm / MILLION),
                floor == null
                        ? null
                        : (Double) floor.bitsPerS(lab == null ? 0 : lab.there().rateBitsPerS()),
                tuning.indifferencePpm() / MILLION);
    }
}
