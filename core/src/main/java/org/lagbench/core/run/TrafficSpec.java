package org.lagbench.core.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The traffic of a run.
 *
 * @param inFlight how many packets of a round-trip run may wait for their answers: 1 or {@link #UNLIMITED}
 * @param answerTimeout how long after a packet of a round-trip run its answer is late, from
 *     {@link #MINIMUM_ANSWER_TIMEOUT} to {@link #MAXIMUM_ANSWER_TIMEOUT}
 * @param transfer the transfers; null for other traffic, and on the receiver
 */
public record TrafficSpec(Traffic kind, int inFlight, Duration answerTimeout, @Nullable TransferSpec transfer) {
    /** The value of {@code inFlight} for packets that do not wait for answers. */
    public static final int UNLIMITED = 0;

    /** The values of {@code inFlight} as users write them. */
    public static final String IN_FLIGHT_ACCEPTED = "1 or unlimited";

    private static final String UNLIMITED_TEXT = "unlimited";
    public static final int DEFAULT_IN_FLIGHT = 1;
    public static final Duration MINIMUM_ANSWER_TIMEOUT = Duration.ofMillis(1);
    public static final Duration MAXIMUM_ANSWER_TIMEOUT = Duration.ofSeconds(60);
    public static final Duration DEFAULT_ANSWER_TIMEOUT = Duration.ofSeconds(1);

    /** The traffic of an experiment or program that names none. */
    public static final TrafficSpec ONE_WAY = of(Traffic.ONE_WAY);

    public TrafficSpec {
        if (inFlight != 1 && inFlight != UNLIMITED) {
            throw new IllegalArgumentException(
                    "in-flight: " + inFlight + " is not accepted; it takes " + IN_FLIGHT_ACCEPTED + ".");
        }
        if (answerTimeout.compareTo(MINIMUM_ANSWER_TIMEOUT) < 0
                || answerTimeout.compareTo(MAXIMUM_ANSWER_TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "answer-timeout of " + answerTimeout.toMillis() + " ms; accepted: 1 ms to 60 s");
        }
    }

    /** Creates traffic without transfers. */
    public TrafficSpec(Traffic kind, int inFlight, Duration answerTimeout) {
        this(kind, inFlight, answerTimeout, null);
    }

    public static TrafficSpec of(TransferSpec transfer) {
        return new TrafficSpec(Traffic.TRANSFER, DEFAULT_IN_FLIGHT, DEFAULT_ANSWER_TIMEOUT, transfer);
    }

    /** Returns a kind of traffic with the defaults. */
    public static TrafficSpec of(Traffic kind) {
        return new TrafficSpec(kind, DEFAULT_IN_FLIGHT, DEFAULT_ANSWER_TIMEOUT);
    }

    /**
     * Reads the number of packets in flight.
     *
     * @throws IllegalArgumentException if the text is not accepted
     */
    public static int parseInFlight(String text) {
        return switch (text) {
            case "1" -> 1;
            case UNLIMITED_TEXT -> UNLIMITED;
            default ->
                throw new IllegalArgumentException(
                        "in-flight: \"" + text + "\" is not accepted; it takes " + IN_FLIGHT_ACCEPTED + ".");
        };
    }

    /** Returns the number of packets in flight as {@link #parseInFlight} reads it. */
    public String inFlightText() {
        return inFlight == UNLIMITED ? UNLIMITED_TEXT : Integer.toString(inFlight);
    }

    /** Returns whether the receiver answers each packet. */
    public boolean isAnswered() {
        return kind == Traffic.ROUND_TRIP;
    }

    /** Returns whether the sender waits for the answer of a packet before it sends the next one. */
    public boolean isPingPong() {
        return kind == Traffic.ROUND_TRIP && inFlight == 1;
    }

    /**
     * Returns the number of packets of a run.
     *
     * @param packets the number for traffic other than transfers
     */
    public long packets(long packets, int packetBytes) {
        return transfer == null ? packets : transfer.count() * transfer.pieces(packetBytes);
    }

    /** Returns the kind with a hyphen before it, for names of runs; empty for one-way traffic. */
    public String nameSuffix() {
        return kind == Traffic.ONE_WAY ? "" : "-" + kind.text();
    }
}
