package org.lagbench.sender;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.SideMessage;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.ArrivalQuestion;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.ReceiverFacts;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.SideFacts;

/** The result of a run that a receiver reports, after checks that it can be true. */
record ReceiverResult(ControlMessage.Counted counted, RunSpec spec, String peer) {
    private static final int MAXIMUM_FILES = 16;

    /**
     * Checks the counts against each other and the run.
     *
     * @throws LagbenchException with {@link ExitCode#BROKEN} if they cannot be true
     */
    static ReceiverResult check(ControlMessage.Counted counted, RunSpec spec, String peer) throws LagbenchException {
        String impossible = impossible(counted, spec.point());
        if (impossible != null) {
            throw failure(peer, impossible);
        }
        return new ReceiverResult(counted, spec, peer);
    }

    private static @Nullable String impossible(ControlMessage.Counted counted, Point point) {
        RunRecord.Counts counts = counted.counts();
        RunRecord.WindowCounts windows = counts.windows();
        if (counts.distinct() > point.packets()) {
            return counts.distinct() + " packets of " + point.packets();
        } else if ((windows != null) != point.hasWindows()) {
            return windows == null ? "no counts of its observed windows" : "counts of windows that the run has not";
        } else if (windows != null && windows.distinct() > point.stampedPackets() - point.packets()) {
            return windows.distinct() + " packets of " + (point.stampedPackets() - point.packets())
                    + " in observed windows";
        } else if (counts.received() - counts.distinct() != counts.duplicated()) {
            return counts.received() + " packets that are not " + counts.distinct() + " and " + counts.duplicated()
                    + " copies";
        } else if (counts.unrecorded() > counts.duplicated()) {
            return counts.unrecorded() + " unrecorded packets, more than copies";
        } else if (counted.captureRecords() < counts.records()) {
            return counted.captureRecords() + " records of " + counts.records() + " packets";
        } else if (counted.captureRecords() > ReceiverCapture.capacityFor(point.stampedPackets())) {
            return counted.captureRecords() + " records, more than a capture of " + point.stampedPackets()
                    + " packets holds";
        } else if (counted.files().size() > MAXIMUM_FILES
                || new HashSet<>(counted.files()).size() < counted.files().size()) {
            return counted.files().size() + " files, too many or one twice";
        } else if (counted.captureRecords() > 0 && !counted.files().contains(ReceiverCapture.FILE_NAME)) {
            return "no file " + ReceiverCapture.FILE_NAME;
        }
        return null;
    }

    private static LagbenchException failure(String peer, String what) {
        return ExitCode.BROKEN.failure("The receiver at " + peer + " reported an impossible result: " + what + ".");
    }

    /**
     * Checks that the capture has as many records as the receiver reported, all of packets of the run, received during
     * it by the receiver's clock.
     *
     * @param fromNs the earliest time at which a packet can have arrived
     * @param untilNs the latest time
     * @throws LagbenchException with {@link ExitCode#BROKEN} if it has not
     */
    void checkCapture(Path file, long fromNs, long untilNs) throws LagbenchException {
        if (counted.captureRecords() == 0) {
            return;
        }
        try (CaptureReader capture = CaptureReader.open(file)) {
            if (capture.records() != counted.captureRecords()) {
                throw failure(peer, counted.captureRecords() + " records in a capture that has " + capture.records());
            } else if (!capture.isExact()) {
                throw failure(
                        peer, "a capture whose header or length does not fit its " + capture.records() + " records");
            }
            checkRecords(capture, fromNs, untilNs);
        } catch (LagbenchException e) {
            throw e.exitCode() == ExitCode.BROKEN ? e : failure(peer, "an invalid capture (" + e.sentence() + ")");
        }
    }

    private void checkRecords(CaptureReader capture, long fromNs, long untilNs) throws LagbenchException {
        int field = capture.field("seq");
        int received = capture.field("received_ns");
        for (long record = 0; record < capture.records(); record++) {
            long sequence = capture.value(record, field);
            if (sequence < 0 || sequence >= spec.point().stampedPackets()) {
                throw failure(
                        peer,
                        "a capture with packet " + sequence + " of a run of "
                                + spec.point().stampedPackets() + " packets");
            }
            long receivedNs = capture.value(record, received);
            if (receivedNs < fromNs || receivedNs > untilNs) {
                throw failure(
                        peer,
                        "a capture with packet " + sequence + " received at " + receivedNs
                                + " ns, while by the exchanges" + " of clocks the run lasted from " + fromNs + " to "
                                + untilNs + " ns");
            }
        }
    }

    /**
     * Fails if not all packets of a run with a connection arrived, although the connection did not fail: something on
     * the way drops its packets, such as a NAT that has forgotten it.
     */
    void requireDelivery(boolean isStream) throws LagbenchException {
        Point point = spec.point();
        RunRecord.WindowCounts windows = counted.counts().windows();
        long arrived = counted.counts().distinct() + (windows == null ? 0 : windows.distinct());
        if (isStream && arrived < point.stampedPackets() && !point.drain().isZero()) {
            throw ExitCode.BROKEN.failure(
                    (arrived == 0 ? "None" : "Only " + arrived) + " of the " + point.stampedPackets()
                            + " packets of " + spec.name() + " arrived at " + peer
                            + ", although the connection did not fail: a firewall or NAT on the way drops them. It may"
                            + " forget a connection between packets: use a shorter --interval.");
        }
    }

    /**
     * Returns a warning if no packet of the run arrived; null if one did.
     *
     * @param sender the metadata of the sender's engine, which may have the receiver's port of packets
     */
    SideMessage.@Nullable Warning warning(Map<String, Object> sender) {
        long dropped = counted.counts().kernelDrops();
        ReceiverFacts metadata = counted.side().metadata(ReceiverFacts.class);
        boolean areDamaged = metadata != null && metadata.damagedPackets() != null;
        ConnectionFacts connection = SideFacts.read(sender, ConnectionFacts.class);
        String remote = connection == null ? null : connection.remoteAddress();
        boolean isIpv6 = connection != null && connection.isIpv6();
        Map<String, Long> failed = PacketError.counts(sender, PacketError.FAILED_SENDS);
        return counted.counts().distinct() > 0
                ? null
                : new SideMessage.Warning("None of the " + spec.point().packets() + " packets of " + spec.name()
                        + " arrived at "
                        + (remote == null ? peer : remote) + "."
                        + (dropped > 0
                                ? " The kernel there dropped " + dropped + ", because the receive buffer was full."
                                : areDamaged
                                        ? " They arrived there damaged: the link or a network card corrupts them."
                                        : refusals(failed)
                                                + (areAllRefused(failed, sender)
                                                        ? ""
                                                        : " " + ArrivalQuestion.of(spec.point(), isIpv6))));
    }

    private static String refusals(Map<String, Long> failed) {
        return failed.isEmpty() ? "" : " This host refused to send packets: " + PacketError.text(failed) + ".";
    }

    /** Returns whether the host refused packets, and the engine's library dropped all others. */
    private boolean areAllRefused(Map<String, Long> failed, Map<String, Object> sender) {
        long unsent = failed.values().stream().mapToLong(packets -> packets).sum();
        if (sender.get(spec.point().program().engine() + "PacketsNotSent") instanceof Number dropped) {
            unsent += dropped.longValue();
        }
        return !failed.isEmpty() && unsent >= spec.point().packets();
    }
}
