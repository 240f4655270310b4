package org.lagbench.receiver;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.Handshake;
import org.lagbench.control.Heartbeat;
import org.lagbench.control.StartGate;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.clock.ClockStepMonitor;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.core.recorder.RecordedSide;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.KeptFiles;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.ReceiverFacts;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.SideFacts;
import org.lagbench.core.timeseries.IntervalMonitor;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.socket.DroppedDatagrams;
import org.lagbench.packetio.transport.PacketAccounting.ReceivedCounts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The receiver's side of one run, from the sender's offer to the counts. A failed run keeps its capture. */
final class ReceiverRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverRun.class);

    private final ControlSession control;
    private final ControlMessage.Offer offer;
    private final Point point;
    private final RunFiles files;
    private final ReceiverCapture capture;

    /** Null unless the run has transfers. */
    private final @Nullable ReceiverCapture bytes;

    private final Transport transport;
    private final ReceiveEngine receiver;
    private final DropRecorder dropRecord;
    private final DroppedDatagrams dropped;
    private final ReceiverRecorders recorders;

    /** Why the engine cannot receive any more. */
    private final AtomicReference<LagbenchException> failure;

    private final ClockStepMonitor clockSteps = ClockStepMonitor.start();
    private boolean isDraining;
    private boolean isCounted;
    private StartGate startGate = StartGate.OPEN;
    private long packetIntervalNs;

    private ReceiverRun(ControlSession control, ControlMessage.Offer offer, ReceiverResources opened) {
        this.control = control;
        this.offer = offer;
        this.point = offer.point();
        this.files = opened.files();
        this.capture = opened.capture();
        this.bytes = opened.bytes();
        this.transport = opened.transport();
        this.receiver = opened.receiver();
        this.dropRecord = opened.drops();
        this.dropped = DroppedDatagrams.of(receiver::kernelDrops, transport.wire());
        this.failure = opened.failure();
        this.recorders = ReceiverRecorders.of(control, offer, opened, dropped, new ReceivedPackets());
    }

    /**
     * Creates the capture and opens the receiving engine.
     *
     * @throws LagbenchException if the offer was refused; the sender has received the reason
     */
    static ReceiverRun open(
            ControlSession control, ControlMessage.Offer offer, Transports transports, Engines engines, Path directory)
            throws IOException, LagbenchException {
        try {
            Point point = offer.point();
            Transport transport = transports.named(point.transport());
            Engine engine = engines.named(point.program().engine());
            engines.check(engine, transport, point.traffic().kind(), point.observe());
            engines.checkLocalEnd(engine, transport, control.local(), false);
            return new ReceiverRun(
                    control,
                    offer,
                    ReceiverResources.open(control, offer, transport, PacketEngine.of(engine), directory));
        } catch (IllegalArgumentException e) {
            throw Handshake.refuse(
                    control.connection(), Refusal.RUN, "The receiver does not accept this run: " + e.getMessage());
        } catch (LagbenchException e) {
            throw Handshake.refuse(control.connection(), Refusal.of(e.exitCode()), "On the receiver: " + e.sentence());
        }
    }

    /**
     * Sets the gate at which the warm sender waits before the recorded packets.
     *
     * @param intervalNs mean time between packets, in ns; 0 in a flood
     */
    void startAt(StartGate gate, long intervalNs) {
        startGate = gate;
        packetIntervalNs = intervalNs;
    }

    /**
     * Receives the packets of the run, and sends the counts to the sender.
     *
     * @throws LagbenchException if the run failed on this host
     */
    void receive() throws IOException, LagbenchException {
        try {
            receiveAndCount();
        } catch (IOException e) {
            LagbenchException known = failure.get();
            if (known != null) {
                throw known;
            }
            throw e;
        }
    }

    /** Returns the files of the run. The sender copies them, or on the same host adds its own. */
    RunFiles files() {
        return files;
    }

    /** Deletes the files of a run that nobody keeps, unless the sender on this host keeps its own next to them. */
    void deleteFiles() throws IOException {
        closeCapture();
        files.delete();
    }

    private void receiveAndCount() throws IOException, LagbenchException {
        receiver.start();
        recorders.all().prepare();
        recorders.all().warmUp();
        control.write(new ControlMessage.Accepted(
                control.announcement(receiver.announce()), files.captureFile().toString()));
        Duration stallTimeout = point.stallTimeout();
        control.longestSilence(files.timeout(), () -> 0);
        try (Heartbeat heartbeat = new Heartbeat(control.connection(), stallTimeout)) {
            receive(heartbeat);
        }
    }

    private void receive(Heartbeat heartbeat) throws IOException, LagbenchException {
        control.await(ControlMessage.Connected.class);
        recorders.all().connected();
        control.await(ControlMessage.Begin.class);
        recorders.all().warmUp();
        System.gc();
        recorders.all().warmedUp();
        long dropsBefore = dropped.overflowed();
        long damagedBefore = dropped.damaged();
        ReceivedCounts before = receiver.counts();
        if (point.warmUpPackets() > offer.leadInPackets()) {
            recorders.compilation().awaitIdle();
        }
        startGate.pass(offer.leadInPackets() * packetIntervalNs);
        control.write(new ControlMessage.Begun());
        recorders.all().begin();
        try (IntervalMonitor intervals = IntervalSender.start(control, files.directory())) {
            control.longestSilence(files.timeout(), this::packetsSoFar);
            ControlMessage.Done done = control.await(ControlMessage.Done.class);
            control.longestSilence(files.timeout(), () -> 0);
            if (done.sent() != point.stampedPackets()) {
                throw new ProtocolException(
                        "an end of the run after " + done.sent() + " of " + point.stampedPackets() + " packets");
            }
            drain();
            if (intervals != null) {
                intervals.end(done.sent());
            }
        }
        recorders.all().end();
        long dropsSince = packets(dropped.overflowed() - dropsBefore);
        long damagedSince =
                packets(dropped.damaged() - damagedBefore) + receiver.counts().damaged() - before.damaged();
        Map<String, Object> metadata = new HashMap<>(receiver.metadata());
        files.sideFiles().write(BufferFiles.RECEIVER_FILE_NAME, receiver::endSocketRecord);
        keepStamps(); // before the recorders' files, because closing the capture frees space on a full disk
        recorders.all().write();
        ReceivedCounts tally = receiver.counts(); // consistent, because the receiving thread has ended
        long leadIn = tally.warmUpReceived() - before.warmUpReceived();
        long drops = dropsBefore < 0 ? dropsBefore : Math.max(0, dropsSince);
        RunRecord.Counts counts = RecordedCounts.of(
                offer, tally, windowCounts(), leadIn, drops, damagedSince, dropRecord.recognized(), overflows());
        long damaged = RecordedCounts.damaged(offer, tally, counts, leadIn, drops, damagedSince);
        List<SideFacts> records = recorders.all().metadata();
        records.add(new ReceiverFacts(tally.warmUpReceived(), damaged > 0 ? damaged : null));
        if (control.keepsStamps()) {
            records.add(new KeptFiles(files.directory().toString()));
        }
        metadata.putAll(SideFacts.entries(records));
        files.sideFiles().putMetadata(metadata);
        heartbeat.quiet(); // after Counted the sender expects only what it requests
        isCounted = true;
        control.write(new ControlMessage.Counted(
                counts,
                RunRecord.Side.ofThisHost(metadata),
                capture.records(),
                clockSteps.steps(),
                recorders.load().readings(),
                files.names()));
        LOG.atLevel(control.isProbe() ? Level.DEBUG : Level.INFO)
                .log(
                        "run {} from {}: {} of {} packets, {}",
                        offer.run().name(),
                        control.connection().peer(),
                        tally.distinct(),
                        point.stampedPackets(),
                        control.keepsStamps() ? "kept in " + files.captureFile() : "not kept");
    }

    /** Returns how many packets some datagrams have. */
    private long packets(long datagrams) {
        return Math.round(datagrams * receiver.packetsPerDatagram());
    }

    /** Counts the packets of observed windows; null without windows. */
    private RunRecord.@Nullable WindowCounts windowCounts() throws LagbenchException {
        if (!point.hasWindows()) {
            return null;
        }
        try (CaptureReader stamps = CaptureReader.open(files.captureFile())) {
            return RecordedCounts.windows(point, stamps);
        }
    }

    /** Returns how many packets asked for have a recorded drop and did not arrive. */
    private long overflows() throws LagbenchException {
        if (dropRecord.overflowed().isEmpty()) {
            return 0;
        }
        try (CaptureReader stamps = CaptureReader.open(files.captureFile())) {
            return RecordedCounts.missing(dropRecord.overflowed(), stamps);
        }
    }

    /** Receives the packets on their way, while no other thread may ask the engine for its counts. */
    private void drain() {
        synchronized (this) {
            isDraining = true;
        }
        receiver.drain(point.drain(transport).toMillis());
    }

    /** The recorded packets, for the recorders. */
    private final class ReceivedPackets implements RecordedSide.Packets {
        @Override
        public @Nullable PacketThread thread() {
            return receiver.awaitThread();
        }

        @Override
        public long moved() {
            synchronized (ReceiverRun.this) {
                return isDraining ? 0 : receiver.counts().received();
            }
        }
    }

    private long packetsSoFar() {
        ReceivedCounts counts = receiver.counts();
        return counts.warmUpReceived() + counts.received() + counts.leadOutReceived();
    }

    /** Closes the capture; refuses the sender if stamps were lost. */
    private void keepStamps() throws IOException, LagbenchException {
        try {
            closeCapture();
        } catch (IOException e) {
            throw Handshake.refuse(
                    control.connection(),
                    capture.failure() == null ? Refusal.FAILED : Refusal.FILES,
                    "The receiver cannot keep its stamps: " + IoErrors.reason(e) + ".");
        }
        LagbenchException known = failure.get();
        if (known != null) {
            throw known;
        }
    }

    private void closeCapture() throws IOException {
        receiver.close();
        try (capture) {
            if (bytes != null) {
                bytes.close();
            }
        }
    }

    /**
     * Releases all resources. A run keeps its files if it has recorded packets or was counted, even if none arrived.
     */
    @Override
    public void close() throws IOException {
        clockSteps.close();
        recorders.close();
        closeCapture();
        if (capture.records() == 0 && !isCounted) {
            files.delete();
        } else if (!receiver.isDrained()) {
            LOG.warn(
                    "run {} broke: {} of {} packets received, kept in {}",
                    offer.run().name(),
                    receiver.counts().distinct(),
                    point.stampedPackets(),
                    files.captureFile());
        }
    }
}
