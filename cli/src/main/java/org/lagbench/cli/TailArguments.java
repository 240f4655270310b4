package org.lagbench.cli;

import java.util.List;
import org.lagbench.analysis.cause.Tail;
import picocli.CommandLine.Option;

/** The option that says which lags are attributed to causes. */
final class TailArguments {
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
