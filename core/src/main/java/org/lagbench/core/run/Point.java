package org.lagbench.core.run;

import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;

/**
 * What the repeats of a run have in common: a point of the experiment. All values are within their ranges. The same
 * value describes a run everywhere: to the programs that make it, to the other host, and in {@code run.json}.
 *
 * @param transport the transport's name
 * @param packetBytes size of each packet, header included, in bytes
 * @param packets number of recorded packets
 * @param warmUpPackets number of unrecorded packets to send before the recorded ones
 * @param pace the schedule of the packets
 * @param traffic what the run does
 * @param settings of the transport, with all defaults
 * @param program what sends and receives, with its own settings
 * @param observe what is recorded besides the packets' stamps
 * @param conditions what it has in common with all points; the stall timeout is longer than the time between packets
 */
public record Point(
        String transport,
        int packetBytes,
        long packets,
        long warmUpPackets,
        Pace pace,
        TrafficSpec traffic,
        Settings settings,
        EngineSpec program,
        Set<ObservedSource> observe,
        RunConditions conditions) {
    public Point {
        RunParameters.NAME.named("transport").check(transport);
        observe = Collections.unmodifiableSortedSet(
                new TreeSet<>(observe)); // sorted, because the order of other sets differs between processes
        if (packetBytes < traffic.minimumPacketBytes()) {
            throw new IllegalArgumentException(
                    "packets of " + packetBytes + " bytes; the smallest are " + traffic.minimumPacketBytes());
        }
        RunParameters.PACKETS.check(packets);
        RunParameters.WARM_UP_PACKETS.check(warmUpPackets);
        Duration stallTimeout = conditions.stallTimeout();
        if (pace.intervalNs() >= stallTimeout.toNanos()) {
            throw new IllegalArgumentException("stall timeout of " + stallTimeout.toMillis()
                    + " ms; it must be longer than the time between packets");
        }
        if (traffic.replyTimeout().compareTo(stallTimeout) >= 0 && traffic.kind() == Traffic.ROUND_TRIP) {
            throw new IllegalArgumentException(
                    "stall timeout of " + stallTimeout.toMillis() + " ms; it must be longer than the reply timeout");
        }
        TransferSpec transfer = traffic.transfer();
        if (transfer != null
                && (transfer.bytes() % packetBytes != 0 || traffic.packets(packets, packetBytes) != packets)) {
            throw new IllegalArgumentException(packets + " packets of " + packetBytes + " bytes are not "
                    + transfer.count() + " whole transfers of " + transfer.bytes() + " bytes");
        }
    }

    /** Returns this point with other settings and sources. */
    public Point with(Settings otherSettings, EngineSpec otherProgram, Set<ObservedSource> otherObserve) {
        return new Point(
                transport,
                packetBytes,
                packets,
                warmUpPackets,
                pace,
                traffic,
                otherSettings,
                otherProgram,
                otherObserve,
                conditions);
    }

    /** Returns the transport's settings, then the engine's settings, whose names are different. */
    public Settings allSettings() {
        return settings.and(program.settings());
    }

    /** Returns how long the receiver waits for late packets after the last one was sent. */
    public Duration drain() {
        return conditions.drain();
    }

    /**
     * Returns how long the receiver waits for late packets: over a stream, which retransmits lost ones, at least until
     * the run would fail without progress; in addition, as long as the transport holds packets.
     */
    public Duration drain(Transport transport) {
        boolean waitsLonger = transport.wire().isStream()
                && !drain().isZero()
                && stallTimeout().compareTo(drain()) > 0;
        return (waitsLonger ? stallTimeout() : drain()).plusNanos(transport.holdNs(settings));
    }

    /** Returns the time without progress after which a run fails. */
    public Duration stallTimeout() {
        return conditions.stallTimeout();
    }

    /** Returns whether both sides record a source of all packets. */
    public boolean observes(ObservedSource source) {
        return observe.contains(source)
                || (observe.contains(ObservedSource.EVENTS) && source.isEvent() && source.isOf(traffic.kind()));
    }

    /** Returns whether both sides record a source: of all packets, or in windows. */
    public boolean records(ObservedSource source) {
        return observes(source) || (source.isEvent() && hasWindows());
    }

    /**
     * Returns this point without {@link ObservedSource#AUTO}. Packets asked for have the same lags with and without it,
     * unless all of them are observed.
     */
    public Point withoutAuto() {
        if (!observes(ObservedSource.AUTO)) {
            return this;
        }
        Set<ObservedSource> others = new TreeSet<>(observe);
        others.remove(ObservedSource.AUTO);
        return with(settings, program, others);
    }

    /**
     * Returns the number of packets that both sides stamp in a complete run: those asked for, and those of the observed
     * windows.
     */
    public long stampedPackets() {
        return packets + ObservedWindows.of(this).packets();
    }

    /** Returns whether observed windows follow the packets that were asked for. */
    public boolean hasWindows() {
        return stampedPackets() > packets;
    }

    /** Returns whether the receiving kernel stamps all packets. */
    public boolean stampsArrivals() {
        return observes(ObservedSource.ARRIVALS) || observes(ObservedSource.TIMESTAMPING);
    }

    /** Returns the minimum size of the stamps of both sides in bytes: the size in a complete run without a bus. */
    public long stampBytes() {
        int ofReplies = traffic.isAnswered()
                ? ReceiverCapture.ANSWERED_FIELDS.size() + ReceiverCapture.REPLY_FIELDS.size()
                : ReceiverCapture.FIELDS.size();
        return stampedPackets() * Long.BYTES * (SenderCapture.FIELDS.size() + ofReplies);
    }
}
