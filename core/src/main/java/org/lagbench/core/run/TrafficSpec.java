package org.lagbench.core.run;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.RunParameters;

/**
 * The traffic of a run.
 *
 * @param inFlight how many packets of a round-trip run may wait for their replies: 1 or
 *     {@link RunParameters#UNLIMITED}; the default for other traffic
 * @param replyTimeout how long after a packet of a round-trip run its reply is late; the default for other traffic
 * @param transfer the transfers; null for other traffic
 */
public record TrafficSpec(Traffic kind, int inFlight, Duration replyTimeout, @Nullable TransferSpec transfer) {
    /** The traffic of an experiment or program that names none. */
    public static final TrafficSpec ONE_WAY = of(Traffic.ONE_WAY);

    public TrafficSpec {
        if (kind == Traffic.ROUND_TRIP) {
            RunParameters.IN_FLIGHT.check(inFlight);
            RunParameters.REPLY_TIMEOUT.check(replyTimeout);
        } else { // values without meaning for the traffic become defaults, so that equal traffic is equal
            inFlight = RunParameters.IN_FLIGHT.defaultValue();
            replyTimeout = RunParameters.REPLY_TIMEOUT.defaultValue();
        }
    }

    /** Creates traffic without transfers. */
    public TrafficSpec(Traffic kind, int inFlight, Duration replyTimeout) {
        this(kind, inFlight, replyTimeout, null);
    }

    public static TrafficSpec of(TransferSpec transfer) {
        return new TrafficSpec(
                Traffic.TRANSFER,
                RunParameters.IN_FLIGHT.defaultValue(),
                RunParameters.REPLY_TIMEOUT.defaultValue(),
                transfer);
    }

    /** Returns a kind of traffic with the defaults. */
    public static TrafficSpec of(Traffic kind) {
        return new TrafficSpec(
                kind, RunParameters.IN_FLIGHT.defaultValue(), RunParameters.REPLY_TIMEOUT.defaultValue());
    }

    /** Returns how the pieces of transfers are compressed; null if they are packets, and for other traffic. */
    public @Nullable CompressionSpec compression() {
        return transfer == null ? null : transfer.compression();
    }

    /** Returns whether the receiver answers each packet. */
    public boolean isAnswered() {
        return kind == Traffic.ROUND_TRIP;
    }

    /** Returns whether the sender waits for the reply of a packet before it sends the next one. */
    public boolean isPingPong() {
        return kind == Traffic.ROUND_TRIP && inFlight == 1;
    }

    /** Returns the size of the smallest packet in bytes: without a header if only one is on its way at a time. */
    public int minimumPacketBytes() {
        return isPingPong() ? 1 : RunParameters.MINIMUM_PACKET_BYTES;
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
