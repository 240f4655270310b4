package org.lagbench.cli;

import org.lagbench.cli.sweep.ClockRequirements;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.Intervals;
import picocli.CommandLine.Option;

/** What the commands that make runs are told of the two hosts' clocks. */
final class ClockOptions {
    @Option(
            names = "--wait-for-clock",
            paramLabel = "TIME",
            description = "How long each run waits for the two hosts' clocks to come as close as clock.max-error"
                    + " (default: ${DEFAULT-VALUE}).")
    private String waitForClock = "0s";

    @Option(
            names = "--accept-unsynchronized",
            description = "Make the runs even if the clocks are not close enough, and have every table marked.")
    private boolean acceptUnsynchronized;

    ClockRequirements wishes(Experiment experiment) throws LagbenchException {
        return new ClockRequirements(
                experiment.clock(), Intervals.ofOption("--wait-for-clock", waitForClock), acceptUnsynchronized);
    }
}
