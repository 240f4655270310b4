package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.ReceiverFiles;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.cause.CauseRecorder;
import org.lagbench.core.cause.EventCounter;
import org.lagbench.core.clock.ClockStepMonitor;
import org.lagbench.core.compiler.CompilationMonitor;
import org.lagbench.core.control.CaptureTransfer;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.Handshake;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.engine.Traffic;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.ThisHost;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.packet.ReceivedCounts;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.StageRecording;
import org.lagbench.packetio.transport.TransportRun;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The receiver's side of one run, from the sender's offer to the counts. A failed run keeps its capture. */
final class ReceiverRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverRun.class);

    /** Records for duplicated packets: an eighth of the packets, and this many. */
    private static final int EXTRA_RECORDS = 1024;

    private final ControlSession control;
    private final ControlMessage.Offer offer;
    private final Path captureFile;
    private final ReceiverCapture capture;
    private final ReceiveEngine receiver;
    private final ClockStepMonitor clockSteps = ClockStepMonitor.start();
    private final CauseRecorder causes;
    private final CompilationMonitor compilation = new CompilationMonitor();

    private ReceiverRun(
            ControlSession control,
            ControlMessage.Offer offer,
            Engine engine,
            Path captureFile,
            ReceiverCapture capture,
            ReceiveEngine receiver) {
        this.control = control;
        this.offer = offer;
        this.captureFile = captureFile;
        this.capture = capture;
        this.receiver = receiver;
        boolean observesCauses = offer.observe().contains(Observation.CAUSES);
        this.causes =
                engine.runsOnJvm() ? CauseRecorder.of(observesCauses) : CauseRecorder.ofAnotherProcess(observesCauses);
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
            Transport transport = transports.named(offer.transport());
            Engine engine = engines.named(offer.engine());
            engines.check(engine, transport, Traffic.ONE_WAY, offer.observe());
            return open(control, offer, PacketTransport.of(transport), PacketEngine.of(engine), directory);
        } catch (IllegalArgumentException e) {
            throw Handshake.refuse(
                    control.connection(), ExitCode.PEER, "The receiver does not accept this run: " + e.getMessage());
        } catch (LagbenchException e) {
            throw Handshake.refuse(control.connection(), e.exitCode(), "On the receiver: " + e.sentence());
        }
    }

    private static ReceiverRun open(
            ControlSession control,
            ControlMessage.Offer offer,
            PacketTransport transport,
            PacketEngine engine,
            Path directory)
            throws LagbenchException {
        if (!RunSpec.NAME.matcher(offer.name()).matches()) {
            throw new IllegalArgumentException("its name is not valid for a directory");
        }
        if (offer.packets() < 1
                || offer.packets() > RunSpec.MAXIMUM_PACKETS
                || offer.warmUpPackets() < 0
                || offer.warmUpPackets() > RunSpec.MAXIMUM_PACKETS
                || offer.drainMs() < 0
                || offer.drainMs() > RunSpec.MAXIMUM_DRAIN.toMillis()) {
            throw new IllegalArgumentException("its numbers are out of range");
        }
        Settings settings = Settings.of(transport.settings(), offer.settings());
        if (offer.packetBytes() > transport.maximumPacketBytes(settings)) {
            throw new IllegalArgumentException("packets of " + offer.packetBytes() + " bytes are too large");
        }
        long tag = HexFormat.fromHexDigitsToLong(offer.tag());
        TransportRun run = new TransportRun(tag, offer.packetBytes(), control.dataHost(), settings);
        engine.check(transport, settings);
        LagbenchException unavailable = engine.unavailableReason(transport);
        if (unavailable != null) {
            throw unavailable;
        }
        try {
            return withCapture(control, offer, transport, engine, newCaptureFile(directory, offer.name()), run);
        } catch (IOException e) {
            throw IoErrors.toException("the capture cannot be created in " + directory.toAbsolutePath(), e);
        } catch (OutOfMemoryError e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "the heap is too small to count " + offer.packets() + " packets with a bit each; increase it with"
                            + " -Xmx.",
                    e);
        }
    }

    private static ReceiverRun withCapture(
            ControlSession control,
            ControlMessage.Offer offer,
            PacketTransport transport,
            PacketEngine engine,
            Path file,
            TransportRun run)
            throws IOException, LagbenchException {
        Path runDirectory = Objects.requireNonNull(file.getParent());
        long records = offer.packets() + offer.packets() / 8 + EXTRA_RECORDS;
        boolean recordsStages = offer.observe().contains(Observation.STAGES);
        @Nullable ReceiverCapture capture = null;
        try {
            capture = recordsStages && !transport.recordsBusCycle()
                    ? ReceiverCapture.createWithKernelStamps(file, records)
                    : ReceiverCapture.create(file, records, transport.recordsBusCycle());
            TransportRun paced = offer.flood() ? run.floodUntil(offer.packets() - 1) : run;
            TransportRun observed = recordsStages
                    ? paced.recording(new StageRecording(runDirectory, offer.packets(), offer.warmUpPackets()))
                    : paced;
            EngineConfig config = new EngineConfig(
                    transport,
                    observed,
                    Traffic.ONE_WAY,
                    offer.packets(),
                    offer.warmUpPackets(),
                    file,
                    offer.announced());
            ReceiveEngine receiver = engine.openReceiver(config, capture, failureListener(control));
            return new ReceiverRun(control, offer, engine, file, capture, receiver);
        } catch (IOException | LagbenchException | OutOfMemoryError e) {
            if (capture != null) {
                capture.close();
                ReceiverFiles.delete(runDirectory);
            }
            deleteIfEmpty(runDirectory);
            throw e;
        }
    }

    /** Returns a listener that reports a failure to the sender, which on a bus would not notice it. */
    private static Consumer<String> failureListener(ControlSession control) {
        return reason -> {
            String sentence = "The receiver cannot receive any more: " + reason;
            LOG.warn("{}", sentence);
            try {
                control.write(new ControlMessage.Refused(sentence, ExitCode.BROKEN.name()));
            } catch (IOException e) {
                LOG.debug("the sender has closed the control connection as well: {}", e.toString());
            }
        };
    }

    private static void deleteIfEmpty(Path runDirectory) throws IOException {
        try {
            Files.deleteIfExists(runDirectory);
        } catch (DirectoryNotEmptyException e) {
            return; // a sender on this host keeps its files in the same directory
        }
    }

    /** Returns a file that does not exist, in the run's directory or in one with a number after its name. */
    private static Path newCaptureFile(Path directory, String name) throws IOException {
        for (int i = 1; ; i++) {
            Path runDirectory = directory.resolve(i == 1 ? name : name + "." + i);
            Path file = runDirectory.resolve(ReceiverCapture.FILE_NAME).toAbsolutePath();
            Files.createDirectories(runDirectory);
            if (!Files.exists(file)) {
                return file;
            }
        }
    }

    /** Receives the packets of the run and sends the counts and the files to the sender. */
    void receive() throws IOException, LagbenchException {
        causes.prepare();
        receiver.start();
        causes.awaitPrepared();
        List<EventCounter> counters = List.of(
                new EventCounter(Cause.KERNEL_DROP, receiver::kernelDrops),
                new EventCounter(Cause.BUS_RESET, receiver::busResets));
        causes.warmUp(counters);
        control.write(new ControlMessage.Accepted(control.announcement(receiver.announce()), captureFile.toString()));
        control.connection().readTimeoutMs(0);
        control.await(ControlMessage.Connected.class);
        control.await(ControlMessage.Begin.class);
        causes.warmUp(counters);
        System.gc();
        causes.begin(receiver.awaitThread(), counters);
        long dropsBefore = receiver.kernelDrops();
        long warmUpBefore = receiver.counts().warmUpReceived();
        if (offer.warmUpPackets() > offer.leadInPackets()) {
            compilation.awaitIdle();
        }
        control.write(new ControlMessage.Begun());
        compilation.begin();
        control.await(ControlMessage.Done.class);
        receiver.drain(offer.drainMs());
        compilation.end();
        ReceivedCounts tally = receiver.counts();
        long dropsSince = receiver.kernelDrops() - dropsBefore;
        long leadInLost = offer.leadInPackets() - (tally.warmUpReceived() - warmUpBefore);
        causes.end(captureFile.resolveSibling(EventsCapture.RECEIVER_FILE_NAME));
        Map<String, Object> metadata = new HashMap<>(receiver.metadata());
        metadata.putAll(causes.metadata());
        metadata.putAll(compilation.metadata());
        metadata.put("warmUpReceived", tally.warmUpReceived());
        receiver.endStages();
        closeCapture();
        control.write(new ControlMessage.Counted(
                counts(tally, dropsBefore < 0 ? dropsBefore : recordedDrops(tally, dropsSince, leadInLost)),
                ThisHost.side(metadata),
                capture.records(),
                clockSteps.steps(),
                ReceiverFiles.names(runDirectory())));
        LOG.info(
                "run {} from {}: {} of {} packets, kept in {}",
                offer.name(),
                control.connection().peer(),
                tally.distinct(),
                offer.packets(),
                captureFile);
        ControlMessage.Fetch fetch = control.awaitUnlessClosed(ControlMessage.Fetch.class);
        while (fetch != null) {
            CaptureTransfer.send(control.connection(), runDirectory().resolve(fetch.file()));
            fetch = control.awaitUnlessClosed(ControlMessage.Fetch.class);
        }
    }

    private Path runDirectory() {
        return Objects.requireNonNull(captureFile.getParent());
    }

    /**
     * Returns how many of the recorded packets this host dropped. The kernel counts them together with the lead-in,
     * whose lost packets are assumed to be dropped first. After a flood the result may be up to 16 too large if both
     * lost packets, because packets of the warm-up may still be in transit when the lead-in begins.
     */
    private long recordedDrops(ReceivedCounts tally, long dropsSinceLeadIn, long leadInLost) {
        long lost = offer.packets() - tally.distinct();
        return Math.max(0, Math.min(lost, dropsSinceLeadIn - Math.max(0, leadInLost)));
    }

    private static RunRecord.Counts counts(ReceivedCounts tally, long kernelDrops) {
        return new RunRecord.Counts(
                tally.received(),
                tally.distinct(),
                tally.duplicated(),
                tally.reordered(),
                tally.foreign(),
                tally.unrecorded(),
                kernelDrops);
    }

    private void closeCapture() throws IOException {
        receiver.close();
        capture.close();
    }

    /** Releases all resources. A broken run keeps its files only if it has recorded packets. */
    @Override
    public void close() throws IOException {
        clockSteps.close();
        causes.close();
        closeCapture();
        if (capture.records() == 0) {
            ReceiverFiles.delete(runDirectory());
            deleteIfEmpty(runDirectory());
        } else if (!receiver.isDrained()) {
            LOG.warn(
                    "run {} broke: {} of {} packets received, kept in {}",
                    offer.name(),
                    receiver.counts().distinct(),
                    offer.packets(),
                    captureFile);
        }
    }
}
