package org.lagbench.sender;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ClockMonitor;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.packetio.engine.SendEngine;

/** Builds {@code run.json} from the specification, the metadata of both sides, and the state of their clocks. */
final class RunRecordBuilder {
    private final RunSpec spec;
    private final String transportTitle;
    private final int maximumOtherLoadPpm;
    private boolean clocksAccepted;
    private Instant startedAt = Instant.now();

    RunRecordBuilder(RunSpec spec, String transportTitle, int maximumOtherLoadPpm) {
        this.spec = spec;
        this.maximumOtherLoadPpm = maximumOtherLoadPpm;
        this.transportTitle = transportTitle;
    }

    /** Sets whether the run was executed although the clock bound was too large. */
    void clocksAccepted(boolean accepted) {
        clocksAccepted = accepted;
    }

    /** Records that the recorded packets start now. */
    void started() {
        startedAt = Instant.now();
    }

    /**
     * Returns the record of a run that begins.
     *
     * @param observation metadata of this side in addition to the engine's
     */
    RunRecord running(SendEngine sender, Map<String, Object> observation, ClockMonitor clocks) {
        Map<String, Object> metadata = new HashMap<>(sender.metadata());
        metadata.putAll(observation);
        return new RunRecord(
                spec,
                transportTitle,
                RunRecord.State.RUNNING,
                null,
                Instant.now(),
                null,
                RunRecord.Side.ofThisHost(metadata),
                null,
                null,
                clock(clocks),
                null,
                null);
    }

    /**
     * Returns the record of a run that has ended.
     *
     * @param counted the receiver's result; null if the run ended early
     * @param failure why it ended early; null if it is complete
     * @param observations metadata of this side in addition to the engine's
     * @param load readings of this host
     */
    RunRecord record(
            SendEngine sender,
            ControlMessage.@Nullable Counted counted,
            @Nullable LagbenchException failure,
            Map<String, Object> observations,
            List<HostLoad> load,
            ClockMonitor clocks) {
        RunRecord.State state = failure == null
                ? RunRecord.State.COMPLETE
                : failure instanceof InterruptedRun ? RunRecord.State.INTERRUPTED : RunRecord.State.BROKEN;
        String reason = failure instanceof InterruptedRun interrupted
                ? interrupted.when()
                : failure == null ? null : failure.sentence();
        Map<String, Object> metadata = new HashMap<>(sender.metadata());
        metadata.putAll(observations);
        return new RunRecord(
                spec,
                transportTitle,
                state,
                reason,
                startedAt,
                Instant.now(),
                RunRecord.Side.ofThisHost(metadata),
                counted == null ? null : counted.side(),
                counted == null ? null : counted.counts(),
                clock(clocks),
                new RunRecord.Machine(maximumOtherLoadPpm, load, counted == null ? List.of() : counted.load()),
                null);
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
