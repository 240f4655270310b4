package org.lagbench.core.model;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The parameters of a run: what an experiment file, the options of {@code lagbench run}, another host's request,
 * {@code run.json} and the C engine have in common.
 */
public final class RunParameters {
    /** Smallest packet with a header, in bytes. */
    public static final int MINIMUM_PACKET_BYTES = 24;

    /** The maximum number of packets of a run, recorded or not. */
    public static final long MAXIMUM_PACKETS = 1_000_000_000L;

    /** Shortest time between packets in ns. */
    public static final long MINIMUM_INTERVAL_NS = 1_000;

    /** Longest time between packets in ns. */
    public static final long MAXIMUM_INTERVAL_NS = 10_000_000_000L;

    /** The value of {@link #IN_FLIGHT} for packets that do not wait for their replies. */
    public static final int UNLIMITED = 0;

    private static final String UNLIMITED_TEXT = "unlimited";

    /** The maximum number of characters of a name. */
    public static final int MAX_NAME = 100;

    /** A name, which becomes a part of names of files on two hosts. */
    public static final Parameter<String> NAME = Parameter.text(
                    "name",
                    Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0," + (MAX_NAME - 1) + "}"),
                    "up to " + MAX_NAME
                            + " letters, digits, dots, hyphens and underscores, the first a letter or digit")
            .described("The name of the session directory and of the experiment in tables.");

    public static final Parameter<Long> PACKETS = Parameter.number("packets", 1, MAXIMUM_PACKETS)
            .byDefault(10_000L)
            .described("How many packets each run records.");

    public static final Parameter<Long> WARM_UP_PACKETS = Parameter.number("warm-up-packets", 0, MAXIMUM_PACKETS)
            .byDefault(10_000L)
            .described("How many packets are sent before the recorded ones, so that the JVM has compiled its code.");

    /** The size of packets; the transport and the traffic limit it further. */
    public static final Parameter<Integer> PACKET_BYTES = Parameter.bytes("packet-bytes", 1, Integer.MAX_VALUE)
            .map(Long::intValue, Integer::longValue)
            .accepting(
                    "a size from " + MINIMUM_PACKET_BYTES + " bytes to the transport's maximum (16KiB, 16kB or plain)")
            .described("Size of each packet in bytes, including its header of 24 bytes.");

    public static final Parameter<Integer> IN_FLIGHT = Parameter.choice("in-flight", List.of("1", UNLIMITED_TEXT))
            .map(text -> text.equals("1") ? 1 : UNLIMITED, count -> count == 1 ? "1" : UNLIMITED_TEXT)
            .byDefault(1)
            .described("With round-trip, how many packets may wait for their replies.");

    public static final Parameter<Duration> REPLY_TIMEOUT = Parameter.duration(
                    "reply-timeout", Duration.ofMillis(1), Duration.ofSeconds(60))
            .byDefault(Duration.ofSeconds(1))
            .described("With round-trip, how long after a packet its reply is late.");

    public static final Parameter<Long> TRANSFER_BYTES = Parameter.bytes(
                    "transfer-bytes", MINIMUM_PACKET_BYTES, 1L << 40)
            .byDefault(1L << 16)
            .described("With transfer, the size of each transfer, a multiple of packet-bytes.");

    public static final Parameter<Integer> TRANSFERS = Parameter.integer("transfers", 1, 10_000)
            .byDefault(10)
            .described("With transfer, the number of transfers of a run, one after the other.");

    /** Whether transfers share a connection. */
    public static final Parameter<Boolean> CONNECTION = Parameter.choice("connection", List.of("new", "kept"))
            .map(text -> text.equals("kept"), isKept -> isKept ? "kept" : "new")
            .byDefault(false)
            .described("With transfer, whether each transfer has its own connection.");

    /** The time between packets, or between bursts, in ns. */
    public static final Parameter<Long> INTERVAL = Parameter.time("interval", MINIMUM_INTERVAL_NS, MAXIMUM_INTERVAL_NS)
            .byDefault(125_000L)
            .described("Time between packets, or between bursts.");

    /** The maximum is a frame of 8K video, uncompressed. */
    public static final Parameter<Integer> BURST = Parameter.integer("burst", 1, 100_000)
            .byDefault(1)
            .described("How many packets are due at the same instant, as those of a video frame are.");

    public static final Parameter<Duration> DRAIN = Parameter.duration("drain", Duration.ZERO, Duration.ofSeconds(60))
            .byDefault(Duration.ofMillis(500))
            .described("How long the receiver waits for late packets after the last one was sent.");

    public static final Parameter<Duration> STALL_TIMEOUT = Parameter.duration(
                    "stall-timeout", Duration.ofSeconds(1), Duration.ofHours(1))
            .byDefault(Duration.ofSeconds(30))
            .described("How long a run may make no progress, or wait for a reply, before it is aborted.");

    private RunParameters() {}
}
