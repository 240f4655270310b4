package org.lagbench.receiver;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.Handshake;
import org.lagbench.control.Heartbeat;
import org.lagbench.core.capture.BestEffortFiles;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.cause.CauseRecorder;
import org.lagbench.core.cause.CompilationMonitor;
import org.lagbench.core.cause.EventCounter;
import org.lagbench.core.clock.ClockStepMonitor;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.StartGate;
import org.lagbench.core.timeseries.IntervalMonitor;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.socket.DataPort;
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
    private final ArrivalRecorder arrivals;
    private final DropRecorder dropRecord;
    private final DroppedDatagrams dropped;

    /** Why the engine cannot receive any more. */
    private final AtomicReference<LagbenchException> failure;

    private final ClockStepMonitor clockSteps = ClockStepMonitor.start();
    private final CauseRecorder causes;
    private final CompilationMonitor compilation = new CompilationMonitor();
    private final List<HostLoad> load = new ArrayList<>();
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
        this.arrivals = opened.arrivals();
        this.dropRecord = opened.drops();
        this.dropped = DroppedDatagrams.of(receiver::kernelDrops, transport.wire());
        this.failure = opened.failure();
        this.causes = new CauseRecorder(opened.engine().runsOnJvm());
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
        readLoad();
        causes.prepare(point.recordsCauses());
        receiver.start();
        List<EventCounter> counters = List.of(
                new EventCounter(Cause.KERNEL_DROP, dropped::overflowed),
                new EventCounter(Cause.BUS_RESET, receiver::busResets));
        causes.warmUp(counters);
        Map<String, String> announcement = receiver.announce();
        String port = announcement.get(DataPort.PORT);
        long tag = control.connection().runTag(offer.nonce());
        arrivals.start(port, tag, receiver.datagramMarks());
        dropRecord.start(port, tag);
        control.write(new ControlMessage.Accepted(
                control.announcement(announcement), files.captureFile().toString()));
        Duration stallTimeout = point.stallTimeout();
        control.longestSilence(files.timeout(), () -> 0);
        try (Heartbeat heartbeat = new Heartbeat(control.connection(), stallTimeout)) {
            receive(counters, heartbeat);
        }
    }

    private void receive(List<EventCounter> counters, Heartbeat heartbeat) throws IOException, LagbenchException {
        control.await(ControlMessage.Connected.class);
        control.await(ControlMessage.Begin.class);
        causes.warmUp(counters);
        System.gc();
        readLoad();
        causes.begin(
                point,
                receiver.awaitThread(),
                counters,
                ObservedWindows.seed(offer.nonce()),
                () -> receiver.counts().received(),
                arrivals);
        long dropsBefore = dropped.overflowed();
        long damagedBefore = damaged();
        long warmUpBefore = receiver.counts().warmUpReceived();
        if (point.warmUpPackets() > offer.leadInPackets()) {
            compilation.awaitIdle();
        }
        startGate.pass(offer.leadInPackets() * packetIntervalNs);
        control.write(new ControlMessage.Begun());
        compilation.begin();
        try (IntervalMonitor intervals = IntervalSender.start(control, files.directory())) {
            control.longestSilence(files.timeout(), this::packetsSoFar);
            ControlMessage.Done done = control.await(ControlMessage.Done.class);
            control.longestSilence(files.timeout(), () -> 0);
            if (done.sent() != point.stampedPackets()) {
                throw new ProtocolException(
                        "an end of the run after " + done.sent() + " of " + point.stampedPackets() + " packets");
            }
            if (point.hasWindows()) {
                causes.stop(); // both ask the engine how many packets it has received
            }
            receiver.drain(point.drain(transport).toMillis());
            if (intervals != null) {
                intervals.end(done.sent());
            }
        }
        arrivals.disarm();
        dropRecord.disarm();
        readLoad();
        compilation.end();
        long dropsSince = dropped.overflowed() - dropsBefore;
        long damagedSince = damaged() - damagedBefore;
        causes.stop();
        Map<String, Object> metadata = new HashMap<>(receiver.metadata());
        BestEffortFiles sideFiles = files.sideFiles();
        sideFiles.write(BufferFiles.RECEIVER_FILE_NAME, receiver::endStageRecording);
        keepStamps(); // before the events, because closing the capture frees space on a full disk
        arrivals.writeTo(files.captureFile(), receiver.counts());
        sideFiles.write(
                EventsCapture.RECEIVER_FILE_NAME,
                () -> causes.end(files.directory().resolve(EventsCapture.RECEIVER_FILE_NAME)));
        sideFiles.write(DropsCapture.FILE_NAME, () -> dropRecord.writeTo(files.directory()));
        sideFiles.putMetadata(metadata);
        metadata.putAll(arrivals.metadata());
        metadata.putAll(dropRecord.metadata());
        metadata.putAll(causes.metadata());
        metadata.putAll(compilation.metadata());
        if (control.keepsStamps()) {
            metadata.put(RunRecord.Side.DIRECTORY, files.directory().toString());
        }
        ReceivedCounts tally = receiver.counts(); // consistent, because the receiving thread has ended
        metadata.put("warmUpReceived", tally.warmUpReceived());
        long leadIn = tally.warmUpReceived() - warmUpBefore;
        long drops = dropsBefore < 0 ? dropsBefore : Math.max(0, dropsSince);
        RunRecord.Counts counts =
                RecordedCounts.of(offer, tally, windowCounts(), leadIn, drops, dropRecord.recognized(), overflows());
        long damaged = RecordedCounts.damaged(offer, tally, counts, leadIn, drops, damagedSince);
        if (damaged > 0) {
            metadata.put(RunRecord.Side.DAMAGED, damaged);
        }
        readLoad();
        heartbeat.quiet(); // after Counted the sender expects only what it requests
        isCounted = true;
        control.write(new ControlMessage.Counted(
                counts,
                RunRecord.Side.ofThisHost(metadata),
                capture.records(),
                clockSteps.steps(),
                load,
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

    /** Returns how many packets arrived damaged so far: by their checksum, or by their number. */
    private long damaged() {
        return dropped.damaged() + receiver.counts().damaged();
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

    /** Reads how busy this host is, except in a monitor's probe, which must cost little. */
    private void readLoad() {
        if (!control.isProbe()) {
            load.add(HostLoad.read());
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
        causes.close();
        arrivals.close();
        dropRecord.close();
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
