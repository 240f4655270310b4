package org.lagbench.core.run;

import java.time.Duration;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.settings.Settings;

/**
 * One run, as ordered. All values are within their ranges.
 *
 * @param name names the run's directory: "0007-tcp-992-r2"; letters, digits, dot, hyphen and underscore only
 * @param transport the transport's name
 * @param packetBytes size of each packet, header included, in bytes
 * @param packets how many packets are recorded
 * @param warmUpPackets how many packets go before them, unrecorded
 * @param pace when packets are to leave
 * @param repeat which repetition of the experiment's point this is, from 1
 * @param settings the transport's settings
 * @param program what sends and receives
 * @param observe what is recorded beside the packets' stamps
 * @param stream which stream of several it is; null if the experiment has no streams
 * @param drain how long the receiver waits for stragglers after the last packet was sent and nothing more came; up to
 *     {@link #MAXIMUM_DRAIN}
 * @param stallTimeout after how long without any progress a run is given up; longer than the time between packets, from
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
        Program program,
        Set<Observation> observe,
        @Nullable StreamRole stream,
        Duration drain,
        Duration stallTimeout) {
    /** Smallest packet: its header, in bytes. */
    public static final int MINIMUM_PACKET_BYTES = 24;

    /** Most packets of a run. */
    public static final long MAXIMUM_PACKETS = 1_000_000_000L;

    /** Longest wait for stragglers. */
    public static final Duration MAXIMUM_DRAIN = Duration.ofSeconds(60);

    /** How long stragglers are waited for unless told otherwise. */
    public static final Duration DEFAULT_DRAIN = Duration.ofMillis(500);

    /** Shortest time without progress after which a run is given up. */
    public static final Duration MINIMUM_STALL_TIMEOUT = Duration.ofSeconds(1);

    /** Longest time without progress after which a run is given up. */
    public static final Duration MAXIMUM_STALL_TIMEOUT = Duration.ofHours(1);

    /** After how long without progress a run is given up unless told otherwise. */
    public static final Duration DEFAULT_STALL_TIMEOUT = Duration.ofSeconds(30);

    /** What a run may be called; it becomes a directory on two hosts. */
    public static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    public RunSpec {
        observe = Set.copyOf(observe);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "run name \"" + name + "\" is not letters, digits, dot, hyphen, underscore");
        }
        if (packetBytes < MINIMUM_PACKET_BYTES) {
            throw new IllegalArgumentException("packets of " + packetBytes + " bytes; the smallest are 24");
        }
        if (packets < 1 || packets > MAXIMUM_PACKETS || warmUpPackets < 0 || warmUpPackets > MAXIMUM_PACKETS) {
            throw new IllegalArgumentException(packets + " packets after " + warmUpPackets
                    + " of warm-up; a run records from 1 to " + MAXIMUM_PACKETS + " after 0 or more");
        }
        if (drain.isNegative() || drain.compareTo(MAXIMUM_DRAIN) > 0) {
            throw new IllegalArgumentException("drain of " + drain.toMillis() + " ms; it takes 0 to 60 s");
        }
        if (stallTimeout.compareTo(MINIMUM_STALL_TIMEOUT) < 0 || stallTimeout.compareTo(MAXIMUM_STALL_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "stall timeout of " + stallTimeout.toMillis() + " ms; it takes 1 to 3600 s");
        }
        if (pace.intervalNs() >= stallTimeout.toNanos()) {
            throw new IllegalArgumentException("stall timeout of " + stallTimeout.toMillis()
                    + " ms; it must be longer than the time between packets");
        }
    }
}
