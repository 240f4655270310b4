package org.lagbench.cli;

import java.util.List;
import picocli.CommandLine.Option;

/** The options of the commands that summarize runs: which runs, and with which clocks. */
final class SummaryArguments {
    @Option(names = "--include-broken", description = "Include the captures of broken runs, and mark them.")
    private boolean includeBroken;

    @Option(
            names = "--clock",
            paramLabel = "CLOCK",
            defaultValue = ClockChoice.RAW,
            converter = ClockChoice.class,
            completionCandidates = ClockChoice.class,
            description = "${COMPLETION-CANDIDATES}; corrected: also print each lag less the estimated offset and skew"
                    + " of the clocks, by chrony, by the two-way stamps and by the hulls of all stamps (default:"
                    + " ${DEFAULT-VALUE}).")
    private String clock = ClockChoice.RAW;

    boolean includesBroken() {
        return includeBroken;
    }

    boolean correctsClocks() {
        return clock.equals(ClockChoice.CORRECTED);
    }

    private static final class ClockChoice extends Choice<String> {
        static final String RAW = "raw";
        static final String CORRECTED = "corrected";

        ClockChoice() {
            super("clock", List.of(RAW, CORRECTED), name -> name);
        }
    }
}
