package org.lagbench.cli;

import java.util.List;
import org.lagbench.analysis.cause.Tail;
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

    /** The option that says which lags are attributed to causes. */
    static final class TailArgument {
        @Option(
                names = "--tail",
                paramLabel = "PERCENT",
                defaultValue = "99",
                converter = TailChoice.class,
                completionCandidates = TailChoice.class,
                description = "Quantile of the run above which a lag is attributed to a cause, if causes were observed:"
                        + " ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
        private Tail tail = Tail.DEFAULT;

        Tail tail() {
            return tail;
        }

        /** The tails, named by their quantile in percent. */
        private static final class TailChoice extends Choice<Tail> {
            TailChoice() {
                super("tail", List.of(Tail.values()), tail -> tail.percent().toString());
            }
        }
    }
}
