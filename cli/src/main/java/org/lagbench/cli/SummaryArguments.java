package org.lagbench.cli;

import java.util.List;
import org.lagbench.analysis.statistics.Tail;
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
            description = "${COMPLETION-CANDIDATES}; corrected: also print lags corrected for clock offset and skew,"
                    + " estimated by chrony, by two-way exchanges and by convex hulls (default: ${DEFAULT-VALUE}).")
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
                description = "Attribute lags above this percentile of their run to causes: ${COMPLETION-CANDIDATES}"
                        + " (default: ${DEFAULT-VALUE}). Needs observe: events.")
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
