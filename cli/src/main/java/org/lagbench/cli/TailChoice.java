package org.lagbench.cli;

import java.util.List;
import org.lagbench.analysis.cause.Tail;

/** The tails whose lags can be attributed to causes, named by their quantile in percent. */
final class TailChoice extends Choice<Tail> {
    TailChoice() {
        super("tail", List.of(Tail.values()), tail -> tail.percent().toString());
    }
}
