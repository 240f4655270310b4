package org.lagbench.runner.sweep;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunGroup;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.yaml.Experiment;

/** Makes all runs of an experiment that its session does not have yet. */
public final class SweepExecution {
    private SweepExecution() {}

    /**
     * Checks that this machine has the engines and the key of an experiment, and supports the settings of its
     * transports.
     *
     * @param skipUnavailable whether runs that this machine cannot make will be left out
     * @throws LagbenchException if not; the message says what to do
     */
    public static void checkMachine(Experiment experiment, boolean skipUnavailable) throws LagbenchException {
        if (experiment.keyFile() != null) {
            SharedKey.read(experiment.keyFile()); // checked also if both sides are on this host, and need no key
        }
        MachineCheck check = new MachineCheck();
        for (RunSpec run : experiment.runs(0)) {
            LagbenchException reason = check.reason(run);
            if (reason != null && !(skipUnavailable && reason.exitCode() == ExitCode.UNAVAILABLE)) {
                throw reason;
            }
        }
    }

    /**
     * Makes the runs. When it returns, all its processes have ended and all failures have been reported.
     *
     * @param output receives the progress and the errors
     */
    public static ExitCode execute(Execution execution, ProgressOutput output)
            throws LagbenchException, InterruptedException {
        SessionDirectory session = execution.session();
        List<RunGroup> all = execution.experiment().groups(execution.seed());
        Map<String, String> damaged = new LinkedHashMap<>();
        all.stream().flatMap(group -> group.runs().stream()).map(RunSpec::name).forEach(run -> {
            String damage = session.damage(run);
            if (damage != null) {
                damaged.put(run, damage);
            }
        });
        List<RunGroup> missing = all.stream()
                .filter(group -> !session.isComplete(group)
                        || group.runs().stream().anyMatch(run -> damaged.containsKey(run.name())))
                .toList();
        RemainingTime remainingTime =
                new RemainingTime(missing.stream().map(RemainingTime::longest).toList(), System::nanoTime);
        try (Progress progress = output.start(execution, all, missing.size(), remainingTime)) {
            damaged.forEach((run, damage) -> progress.note(run + " is made again: " + damage + "."));
            int before = all.size() - missing.size();
            Made made =
                    missing.isEmpty() ? new Made(ExitCode.OK, 0) : make(execution, missing, remainingTime, progress);
            int complete = before + made.runs();
            if (complete < all.size()) {
                progress.error((made.exitCode() == ExitCode.INTERRUPTED ? "Interrupted: " : "")
                        + complete + " of " + all.size()
                        + " runs are complete and kept. To make the others: lagbench sweep --resume "
                        + session.directory());
                if (session.hasBrokenRun()) {
                    progress.error(stampsOfBrokenRuns(execution));
                }
            }
            progress.finished(made.exitCode(), complete, all.size());
            return made.exitCode();
        }
    }

    /** The runs that were completed, and how the execution ended. */
    private record Made(ExitCode exitCode, int runs) {}

    private static Made make(
            Execution execution, List<RunGroup> missing, RemainingTime remainingTime, Progress progress)
            throws LagbenchException, InterruptedException {
        try (RunMaker maker = new RunMaker(execution, progress)) {
            DiskSpace.check(execution.session().directory(), missing).ifPresent(progress::note);
            BufferLimits.exceeded(
                            execution.experiment(),
                            missing.stream()
                                    .flatMap(group -> group.runs().stream())
                                    .toList())
                    .forEach(progress::note);
            Sweep sweep = maker.sweep(remainingTime);
            return new Made(sweep.make(missing), sweep.completed());
        }
    }

    /** Returns how to see the stamps of runs that ended early. A receiver on another host has its part of them. */
    private static String stampsOfBrokenRuns(Execution execution) {
        Endpoint receiver = execution.experiment().receiver();
        return "The stamps of runs that ended early are kept"
                + (receiver == null
                        ? ": "
                        : " here and at " + receiver
                                + ". Copy the files of each run from there to the same run here, then: ")
                + "lagbench table " + execution.session().directory() + " --include-broken";
    }
}
