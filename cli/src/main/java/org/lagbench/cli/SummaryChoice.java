package org.lagbench.cli;

import picocli.CommandLine.Option;

/** Which runs are summed up, and by which clocks. */
final class SummaryChoice {
    @Option(
            names = "--include-broken",
            description = "Runs that broke off as well, as far as their captures go, and named as such.")
    private boolean includeBroken;

    @Option(
            names = "--clock",
            paramLabel = "CLOCK",
            defaultValue = "raw",
            converter = ClockView.Names.class,
            completionCandidates = ClockView.Names.class,
            description =
                    "${COMPLETION-CANDIDATES}; corrected: beside each lag as stamped the same less offset and skew of"
                            + " the clocks, by the run's two-way stamps and by the hulls of all stamps (default:"
                            + " ${DEFAULT-VALUE}).")
    private ClockView clock = ClockView.RAW;

    boolean includesBroken() {
        return includeBroken;
    }

    boolean correctsClocks() {
        return clock == ClockView.CORRECTED;
    }
}
