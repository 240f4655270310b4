package org.lagbench.core.run;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.model.LabRecord;

/**
 * The outcome of one run: the file {@code run.json} beside its captures. Times are ISO-8601 in UTC.
 *
 * @param transportTitle the transport's name in tables
 * @param warmUpPackets packets sent before the recorded ones
 * @param repeat the number of the repetition, from 1
 * @param paceMode {@link Pace.Mode#text()}
 * @param paceIntervalNs time between packets, or between bursts, in ns, 0 in a flood
 * @param paceBurst packets due at the same instant
 * @param settings the transport's settings by name
 * @param traffic {@link Traffic#text()}
 * @param inFlight {@link TrafficSpec#inFlight()} of a round-trip run; null for others
 * @param answerTimeoutNs {@link TrafficSpec#answerTimeout()} of a round-trip run in ns; null for others
 * @param transfer the transfers; null for other traffic
 * @param engine the engine's name; the first records call it {@code implementation}
 * @param jvm {@link JvmOptions#text()} of the run's JVMs
 * @param observe {@link Observation#text()} of each observation
 * @param stream the run's stream; null if the experiment had no streams
 * @param state whether the run was completed
 * @param failure why it was not, a sentence
 * @param startedAt when the first recorded packet was about to be sent
 * @param sender the sending side
 * @param receiver the receiving side; null if it reported nothing
 * @param counts the receiver's counts; null if it reported nothing
 * @param clock the relation of the two sides' clocks; null if the receiver reported nothing
 * @param lab the emulated network of the run; null if there was none
 */
public record RunRecord(
        String format,
        String name,
        String transport,
        String transportTitle,
        int packetBytes,
        long packets,
        long warmUpPackets,
        int repeat,
        String paceMode,
        long paceIntervalNs,
        Integer paceBurst,
        Map<String, Object> settings,
        String traffic,
        @Nullable Integer inFlight,
        @Nullable Long answerTimeoutNs,
        @Nullable TransferSpec transfer,
        @JsonAlias("implementation") String engine,
        String jvm,
        List<String> observe,
        @Nullable StreamRole stream,
        State state,
        @Nullable String failure,
        String startedAt,
        String endedAt,
        Side sender,
        @Nullable Side receiver,
        @Nullable Counts counts,
        @Nullable Clock clock,
        @Nullable LabRecord lab) {
    /** The file's name in a run's directory. */
    public static final String FILE_NAME = "run.json";

    /** The format and its version. */
    public static final String FORMAT = "lagbench-run-1";

    /** Fills in the components that records of the first versions lack. */
    public RunRecord {
        paceBurst = Objects.requireNonNullElse(paceBurst, 1);
        Objects.requireNonNull(engine);
        traffic = Objects.requireNonNullElse(traffic, Traffic.ONE_WAY.text());
        jvm = Objects.requireNonNullElse(jvm, JvmOptions.DEFAULT);
        observe = List.copyOf(Objects.requireNonNullElse(observe, List.of()));
    }

    /**
     * Returns the record of a run, without the network it was made over.
     *
     * @param transportTitle the transport's name in tables
     */
    public static RunRecord of(
            RunSpec run,
            String transportTitle,
            State state,
            @Nullable String failure,
            String startedAt,
            String endedAt,
            Side sender,
            @Nullable Side receiver,
            @Nullable Counts counts,
            @Nullable Clock clock) {
        TrafficSpec traffic = run.traffic();
        boolean isAnswered = traffic.kind() == Traffic.ROUND_TRIP;
        return new RunRecord(
                FORMAT,
                run.name(),
                run.transport(),
                transportTitle,
                run.packetBytes(),
                run.packets(),
                run.warmUpPackets(),
                run.repeat(),
                run.pace().mode().text(),
                run.pace().intervalNs(),
                run.pace().burst(),
                run.settings().asMap(),
                traffic.kind().text(),
                isAnswered ? (Integer) traffic.inFlight() : null,
                isAnswered ? (Long) traffic.answerTimeout().toNanos() : null,
                traffic.transfer(),
                run.program().engine(),
                run.program().jvmOptions().text(),
                run.observe().stream().sorted().map(Observation::text).toList(),
                run.stream(),
                state,
                failure,
                startedAt,
                endedAt,
                sender,
                receiver,
                counts,
                clock,
                null);
    }

    /** How a run ended. */
    public enum State {
        /** All packets were sent and the receiver reported its counts. */
        COMPLETE,
        /** The run ended early because a peer vanished or the network failed. */
        BROKEN,
        /** The user interrupted the run. */
        INTERRUPTED
    }

    /**
     * One side of a run.
     *
     * @param host the host's name
     * @param bootId the running kernel's boot identifier; two processes with the same one share a clock, unless one
     *     machine is a copy of the other
     * @param java version of the JVM
     * @param metadata values that the transport was granted and counts on this side
     */
    public record Side(String host, String bootId, String java, @JsonAlias("facts") Map<String, Object> metadata) {
        /** The key of the metadata with the directory of the run on this side's host. */
        public static final String DIRECTORY = "directory";
    }

    /**
     * The receiver's counts of the recorded packets.
     *
     * @param received packets received, copies included
     * @param distinct packets received at least once
     * @param duplicated copies beyond the first
     * @param reordered first copies received after one with a greater sequence number
     * @param foreign packets of other runs
     * @param unrecorded packets for which the capture had no room
     * @param kernelDrops packets that the receiving host dropped because a buffer was full; −1 if unknown
     */
    public record Counts(
            long received,
            long distinct,
            long duplicated,
            long reordered,
            long foreign,
            long unrecorded,
            long kernelDrops) {}

    /**
     * The relation of the two clocks: their difference, receiver minus sender, is within ± the bound.
     *
     * @param boundNs ± the error of a lag because of the clocks, in ns; null if unknown
     * @param basis the basis of the bound
     * @param accepted whether the run was made although the bound exceeded the experiment's limit
     * @param marks warnings about the clocks, a sentence each
     * @param sender the states and steps of the sender's clock before, during and after the run
     * @param receiver the same of the receiver's clock
     * @param twoWay the offset as bounded by two-way exchanges, in the order of time
     */
    public record Clock(
            @Nullable Long boundNs,
            ClockBound.Basis basis,
            boolean accepted,
            List<String> marks,
            ClockHistory sender,
            ClockHistory receiver,
            List<OffsetInterval> twoWay) {

        /** Returns whether one of the clocks was stepped during the run. */
        public boolean wasStepped() {
            return !sender.steps().isEmpty() || !receiver.steps().isEmpty();
        }
    }
}
