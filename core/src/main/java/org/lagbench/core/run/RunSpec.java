package org.lagbench.core.run;

import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.model.Settings;

/**
 * The specification of one run. All values are within their ranges.
 *
 * @param name names the run's directory: "0007-tcp-992-r2"; matches {@link #NAME}
 * @param warmUpPackets number of unrecorded packets to send before the recorded ones
 * @param pace the schedule of the packets
 * @param repeat the number of the repetition, from 1
 * @param traffic what the run does
 * @param program what sends and receives
 * @param observe recordings besides the packets' stamps
 * @param stream the run's stream; null if the experiment has no streams
 * @param drain how long the receiver waits for late packets after the last one was sent; up to {@link #MAXIMUM_DRAIN}
 * @param stallTimeout the time without progress after which a run fails; longer than the time between packets, from
 *     {@link #MINIMUM_STALL_TIMEOUT} to {@link #MAXIMUM_STALL_TIMEOUT}
 */
public record RunSpec(
        String name,
        String transport,
        int packetBytes,
        long packets,
        long warmUpPackets,
        Pace pace,
        int repeat,
        Settings settings,
        TrafficSpec traffic,
        Program program,
        Set<Observation> observe,
        @Nullable StreamRole stream,
        Duration drain,
        Duration stallTimeout) {
    /** Smallest packet with a header, in bytes. */
    public static final int MINIMUM_PACKET_BYTES = 24;

    public static final long MAXIMUM_PACKETS = 1_000_000_000L;
    public static final Duration MAXIMUM_DRAIN = Duration.ofSeconds(60);
    public static final Duration DEFAULT_DRAIN = Duration.ofMillis(500);
    public static final Duration MINIMUM_STALL_TIMEOUT = Duration.ofSeconds(1);
    public static final Duration MAXIMUM_STALL_TIMEOUT = Duration.ofHours(1);
    public static final Duration DEFAULT_STALL_TIMEOUT = Duration.ofSeconds(30);

    /** The accepted names; a run's name becomes a directory on two hosts. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public RunSpec {
        observe = Set.copyOf(observe);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "run name \"" + name + "\" is not 1 to 100 letters, digits, dots, hyphens and underscores");
        }
        if (packetBytes < (traffic.isPingPong() ? 1 : MINIMUM_PACKET_BYTES)) {
            throw new IllegalArgumentException("packets of " + packetBytes + " bytes; the smallest are 24");
        }
        if (packets < 1 || packets > MAXIMUM_PACKETS || warmUpPackets < 0 || warmUpPackets > MAXIMUM_PACKETS) {
            throw new IllegalArgumentException(packets + " packets after " + warmUpPackets
                    + " of warm-up; a run records from 1 to " + MAXIMUM_PACKETS + " after 0 or more");
        }
        if (drain.isNegative() || drain.compareTo(MAXIMUM_DRAIN) > 0) {
            throw new IllegalArgumentException("drain of " + drain.toMillis() + " ms; accepted: 0 to 60 s");
        }
        if (stallTimeout.compareTo(MINIMUM_STALL_TIMEOUT) < 0 || stallTimeout.compareTo(MAXIMUM_STALL_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "stall timeout of " + stallTimeout.toMillis() + " ms; accepted: 1 to 3600 s");
        }
        if (pace.intervalNs() >= stallTimeout.toNanos()) {
            throw new IllegalArgumentException("stall timeout of " + stallTimeout.toMillis()
                    + " ms; it must be longer than the time between packets");
        }
        if (traffic.answerTimeout().compareTo(stallTimeout) >= 0 && traffic.kind() == Traffic.ROUND_TRIP) {
            throw new IllegalArgumentException(
                    "stall timeout of " + stallTimeout.toMillis() + " ms; it must be longer than the answer timeout");
        }
    }

    /** Creates a run of one-way traffic. */
    public RunSpec(
            String name,
            String transport,
            int packetBytes,
            long packets,
            long warmUpPackets,
            Pace pace,
            int repeat,
            Settings settings,
            Program program,
            Set<Observation> observe,
            @Nullable StreamRole stream,
            Duration drain,
            Duration stallTimeout) {
        this(
                name,
                transport,
                packetBytes,
                packets,
                warmUpPackets,
                pace,
                repeat,
                settings,
                TrafficSpec.ONE_WAY,
                program,
                observe,
                stream,
                drain,
                stallTimeout);
    }

    /** Returns the bytes that the stamps of both sides take at least: those of a complete run without a bus. */
    public long stampBytes() {
        int ofAnswers = traffic.kind() == Traffic.ROUND_TRIP
                ? ReceiverCapture.ANSWERED_FIELDS.size() + ReceiverCapture.ANSWER_FIELDS.size()
                : ReceiverCapture.FIELDS.size();
        return packets * Long.BYTES * (SenderCapture.FIELDS.size() + ofAnswers);
    }
}
