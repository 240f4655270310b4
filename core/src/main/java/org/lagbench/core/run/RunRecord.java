package org.lagbench.core.run;

import com.fasterxml.jackson.annotation.JsonAlias;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.ClockHistory;
import org.lagbench.core.clock.OffsetInterval;
import org.lagbench.core.lab.LabRecord;

/**
 * What became of one run: the file {@code run.json} beside its captures. Times are ISO-8601 in UTC.
 *
 * @param format {@link #FORMAT}
 * @param name the run's name
 * @param transport the transport's name
 * @param transportTitle the transport's name in tables
 * @param packetBytes size of each packet in bytes
 * @param packets how many packets were to be recorded
 * @param warmUpPackets how many packets went before them
 * @param repeat which repetition this is, from 1
 * @param paceMode {@link Pace.Mode#text()}
 * @param paceIntervalNs time between packets, or between bursts, in ns, 0 in a flood
 * @param paceBurst how many packets were due at the same instant
 * @param settings the transport's settings by name
 * @param engine the name of what sent and received; the first records call it {@code implementation}
 * @param jvm {@link JvmOptions#text()} that its JVMs were given
 * @param observe {@link Observation#text()} of each thing recorded beside the packets' stamps
 * @param stream which stream of several it was; null if the experiment had no streams
 * @param state whether the run came to its end
 * @param failure why it did not, a sentence
 * @param startedAt when the first recorded packet was about to be sent
 * @param endedAt when the run ended
 * @param sender the sending side
 * @param receiver the receiving side; null if it told nothing
 * @param counts what the receiver counted; null if it told nothing
 * @param clock how the two sides' clocks relate; null if the receiver told nothing
 * @param lab the network it was made over; null for the machines' own
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

    /** Tells the format and its version. */
    public static final String FORMAT = "lagbench-run-1";

    /** Fills in what the first records, which knew of nothing else, do not tell. */
    public RunRecord {
        paceBurst = Objects.requireNonNullElse(paceBurst, 1);
        Objects.requireNonNull(engine);
        jvm = Objects.requireNonNullElse(jvm, JvmOptions.DEFAULT);
        observe = List.copyOf(Objects.requireNonNullElse(observe, List.of()));
    }

    /** Returns the record of a run without a lab, of which the specification says what was ordered. */
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

    /** The same with the network it was made over. */
    public RunRecord withLab(LabRecord network) {
        return new RunRecord(
                format,
                name,
                transport,
                transportTitle,
                packetBytes,
                packets,
                warmUpPackets,
                repeat,
                paceMode,
                paceIntervalNs,
                paceBurst,
                settings,
                engine,
                jvm,
                observe,
                stream,
                state,
                failure,
                startedAt,
                endedAt,
                sender,
                receiver,
                counts,
                clock,
                network);
    }

    /** How a run ended. */
    public enum State {
        /** All packets were sent and the receiver told what it got. */
        COMPLETE,
        /** A peer vanished or the network failed. */
        BROKEN,
        /** The user interrupted it. */
        INTERRUPTED
    }

    /**
     * One side of a run.
     *
     * @param host the host's name
     * @param bootId the running kernel's boot identifier, by which two processes know that they share a clock
     * @param java version of the JVM
     * @param metadata what the transport was granted and counted on this side
     */
    public record Side(String host, String bootId, String java, @JsonAlias("facts") Map<String, Object> metadata) {}

    /**
     * What the receiver counted of the recorded packets.
     *
     * @param received recorded packets that came, copies included
     * @param distinct recorded packets that came at least once
     * @param duplicated copies beyond the first
     * @param reordered first copies that came after one with a greater sequence number
     * @param foreign packets that were not of this run
     * @param unrecorded recorded packets for which the capture had no room
     * @param kernelDrops packets the receiving host dropped for want of buffer during the run; −1 if it does not tell
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
     * How the two clocks relate: their difference, receiver less sender, is within ± the bound.
     *
     * @param boundNs ± how far a lag may be off because of the clocks, in ns; null if not known
     * @param basis what the bound rests on
     * @param accepted whether the run was made although the bound was above the experiment's limit
     * @param marks what the reader of a lag must know of the clocks, a sentence each
     * @param sender what the sender's host said of its clock before, during and after the run, and when it was set
     * @param receiver the same of the receiver's host
     * @param twoWay what questions and answers over the control connection proved of the offset, in the order of time
     */
    public record Clock(
            @Nullable Long boundNs,
            ClockBound.Basis basis,
            boolean accepted,
            List<String> marks,
            ClockHistory sender,
            ClockHistory receiver,
            List<OffsetInterval> twoWay) {

        /** Whether somebody set one of the clocks during the run. */
        public boolean stepped() {
            return !sender.steps().isEmpty() || !receiver.steps().isEmpty();
        }
    }
}
