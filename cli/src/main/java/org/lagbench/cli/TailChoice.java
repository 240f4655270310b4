package org.lagbench.cli;

import java.util.List;
import org.lagbench.analysis.cause.Tail;

/** Which lags are given causes, by the quantile in percent that they are above. */
final class TailChoice extends Choice<Tail> {
    TailChoice() {
        super("tail", List.of(Tail.values()), tail -> tail.percent().toString());
    }
}
