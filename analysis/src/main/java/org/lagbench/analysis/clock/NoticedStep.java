package org.lagbench.analysis.clock;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.clock.ClockStep;
import org.lagbench.core.clock.TwoWayExchange;
import org.lagbench.core.run.RunRecord;

/**
 * A step of a clock that its host noticed.
 *
 * @param bySender whether the sender's clock was set
 * @param atNs about when the host noticed it, by the sender's clock, in ns since the epoch
 */
public record NoticedStep(ClockStep step, boolean bySender, long atNs) {
    /** Returns the steps of both hosts' clocks during a run. */
    public static List<NoticedStep> of(RunRecord.Clock clock, TwoWayStamps stamps) {
        return Stream.concat(of(clock.sender(), true, stamps), of(clock.receiver(), false, stamps))
                .toList();
    }

    private static Stream<NoticedStep> of(ClockHistory history, boolean bySender, TwoWayStamps stamps) {
        return history.steps().stream().map(step -> {
            TwoWayExchange near = stamps.exchanges().stream()
                    .min(Comparator.comparingLong(exchange -> Math.abs(exchange.receivedNs() - step.atNs())))
                    .orElseThrow();
            return new NoticedStep(step, bySender, step.atNs() - (bySender ? 0 : near.upperNs()));
        });
    }

    /** Returns how much the receiver's clock gained on the sender's, in ns. */
    public long gainNs() {
        return bySender ? -step.sizeNs() : step.sizeNs();
    }
}
