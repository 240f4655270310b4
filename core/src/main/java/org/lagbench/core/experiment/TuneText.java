package org.lagbench.core.experiment;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.time.Intervals;
import org.lagbench.core.tune.GoodputFloor;
import org.lagbench.core.tune.Knob;
import org.lagbench.core.tune.TuneBudget;
import org.lagbench.core.tune.Tuning;

/** Writes {@code tune} as one would. */
final class TuneText {
    private TuneText() {}

    static String yaml(@Nullable Tuning tuning) {
        if (tuning == null) {
            return TuneReader.NONE;
        }
        Integer loss = tuning.maximumLossPpm();
        return "{" + TuneReader.MINIMISE + ": " + tuning.objective().text() + ", " + TuneReader.LOSS + ": "
                + (loss == null ? TuneReader.ANY : NetworkText.share(loss)) + ", " + TuneReader.GOODPUT + ": "
                + floor(tuning.goodput()) + ", " + TuneReader.INDIFFERENCE + ": "
                + NetworkText.share(tuning.indifferencePpm()) + ", " + TuneReader.BUDGET + ": "
                + budget(tuning.budget()) + ", " + TuneReader.KNOBS + ": "
                + tuning.knobs().stream().map(TuneText::knob).collect(Collectors.joining(", ", "{", "}")) + "}";
    }

    private static String floor(@Nullable GoodputFloor floor) {
        if (floor == null) {
            return TuneReader.ANY;
        }
        return floor.sharePpm() > 0 ? NetworkText.share(floor.sharePpm()) : NetworkText.rate(floor.bitsPerS());
    }

    private static String budget(TuneBudget budget) {
        return budget.time() == null
                ? budget.runs() + " runs"
                : Intervals.format(budget.time().toNanos());
    }

    private static String knob(Knob knob) {
        return knob.name() + ": "
                + (knob.isRange()
                        ? "{" + TuneReader.FROM + ": " + knob.from() + ", " + TuneReader.TO + ": " + knob.to() + "}"
                        : knob.values().stream().collect(Collectors.joining(", ", "[", "]")));
    }
}
