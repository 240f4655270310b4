package org.lagbench.sender;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.control.ClockMonitor;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.ThisHost;
import org.lagbench.packetio.engine.SendEngine;

/**
 * What becomes {@code run.json}: what was asked for, what both sides tell of it, and how far their clocks may be apart.
 */
final class RunRecordBuilder {
    private final RunSpec spec;
    private final String transportTitle;
    private final WarmUp warmUp;
    private boolean clocksAccepted;
    private @Nullable String startedAt;

    RunRecordBuilder(RunSpec spec, String transportTitle, WarmUp warmUp) {
        this.spec = spec;
        this.transportTitle = transportTitle;
        this.warmUp = warmUp;
    }

    /** Whether the clocks were taken although they may be further apart than allowed. */
    void clocksAccepted(boolean accepted) {
        clocksAccepted = accepted;
    }

    /** The recorded part begins now. */
    void begins() {
        startedAt = Instant.now().toString();
    }

    /**
     * The record of a run that came to its end.
     *
     * @param observed what is known of this side beside what the path knows
     */
    RunRecord complete(
            SendEngine path, ControlMessage.Counted counted, Map<String, Object> observed, ClockMonitor clocks) {
        return record(RunRecord.State.COMPLETE, null, path, counted, observed, clocks);
    }

    /** The record of a run that did not. */
    RunRecord brokenOff(SendEngine path, LagbenchException why, Map<String, Object> observed, ClockMonitor clocks) {
        return why instanceof InterruptedRun interrupted
                ? record(RunRecord.State.INTERRUPTED, interrupted.when(), path, null, observed, clocks)
                : record(RunRecord.State.BROKEN, why.sentence(), path, null, observed, clocks);
    }

    private RunRecord record(
            RunRecord.State state,
            @Nullable String failure,
            SendEngine path,
            ControlMessage.@Nullable Counted counted,
            Map<String, Object> observed,
            ClockMonitor clocks) {
        Map<String, Object> metadata = new HashMap<>(path.metadata());
        metadata.putAll(observed);
        return RunRecord.of(
                spec,
                transportTitle,
                warmUp.packets(),
                state,
                failure,
                String.valueOf(startedAt),
                ThisHost.side(metadata),
                counted == null ? null : counted.side(),
                counted == null ? null : counted.counts(),
                clock(clocks));
    }

    private RunRecord.Clock clock(ClockMonitor clocks) {
        ClockBound bound = clocks.bound();
        return new RunRecord.Clock(
                bound.boundNs(),
                bound.basis(),
                clocksAccepted,
                bound.marks(),
                clocks.senderHistory(),
                clocks.receiverHistory(),
                clocks.twoWay());
    }
}
