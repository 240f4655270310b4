package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
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

/** The receiver's part of one run: from the sender's offer to the counts, with the capture kept whatever happens. */
final class ReceiverRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReceiverRun.class);

    /** Room in the capture for copies made on the way: an eighth of the packets, and this many. */
    private static final int ROOM_FOR_COPIES = 1024;

    private final ControlSession conversation;
    private final ControlMessage.Offer offer;
    private final Path captureFile;
    private final ReceiverCapture capture;
    private final ReceiveEngine path;
    private final ClockStepMonitor clockSteps = ClockStepMonitor.start();
    private final CauseRecorder causes;
    private final CompilationMonitor compilation = new CompilationMonitor();

    private ReceiverRun(
            ControlSession conversation,
            ControlMessage.Offer offer,
            Engine engine,
            Path captureFile,
            ReceiverCapture capture,
            ReceiveEngine path) {
        this.conversation = conversation;
        this.offer = offer;
        this.captureFile = captureFile;
        this.capture = capture;
        this.path = path;
        boolean observesCauses = offer.observe().contains(Observation.CAUSES);
        this.causes =
                engine.runsOnJvm() ? CauseRecorder.of(observesCauses) : CauseRecorder.ofAnotherProcess(observesCauses);
    }

    /**
     * Opens what the run needs.
     *
     * @throws LagbenchException if the offer cannot be taken; the sender has been told
     */
    static ReceiverRun open(
            ControlSession conversation,
            ControlMessage.Offer offer,
            Transports transports,
            Engines engines,
            Path directory)
            throws IOException, LagbenchException {
        try {
            Transport transport = transports.named(offer.transport());
            Engine engine = engines.named(offer.engine());
            engines.check(engine, transport, Traffic.ONE_WAY, offer.observe());
            return open(conversation, offer, PacketTransport.of(transport), PacketEngine.of(engine), directory);
        } catch (IllegalArgumentException e) {
            throw Handshake.refuse(
                    conversation.connection(), ExitCode.PEER, "The receiver does not take this run: " + e.getMessage());
        } catch (LagbenchException e) {
            throw Handshake.refuse(conversation.connection(), e.exitCode(), "On the receiver: " + e.sentence());
        }
    }

    private static ReceiverRun open(
            ControlSession conversation,
            ControlMessage.Offer offer,
            PacketTransport transport,
            PacketEngine engine,
            Path directory)
            throws LagbenchException {
        if (!RunSpec.NAME.matcher(offer.name()).matches()) {
            throw new IllegalArgumentException("its name may not be a directory's");
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
        TransportRun run = new TransportRun(tag, offer.packetBytes(), conversation.dataHost(), settings);
        engine.check(transport, settings);
        LagbenchException unavailable = engine.unavailableReason(transport);
        if (unavailable != null) {
            throw unavailable;
        }
        try {
            return withCapture(conversation, offer, transport, engine, captureFile(directory, offer.name()), run);
        } catch (IOException e) {
            throw noCapture(directory, e);
        } catch (OutOfMemoryError e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "there is not enough memory to count " + offer.packets()
                            + " packets, a bit each; give the JVM more with -Xmx.",
                    e);
        }
    }

    private static LagbenchException noCapture(Path directory, IOException why) {
        return new LagbenchException(
                ExitCode.FILES,
                "the capture cannot be made in " + directory.toAbsolutePath() + ": " + IoErrors.reason(why) + ".",
                why);
    }

    /** Tells the sender: one on a bus would not notice that nobody takes its packets. */
    private static Consumer<String> failed(ControlSession conversation) {
        return why -> {
            LOG.warn("The receiver could not take more packets: {}", why);
            try {
                conversation.say(new ControlMessage.Refused(
                        "The receiver could not take more packets: " + why, ExitCode.BROKEN.name()));
            } catch (IOException e) {
                LOG.debug("the sender has gone as well: {}", e.toString());
            }
        };
    }

    private static ReceiverRun withCapture(
            ControlSession conversation,
            ControlMessage.Offer offer,
            PacketTransport transport,
            PacketEngine engine,
            Path file,
            TransportRun run)
            throws IOException, LagbenchException {
        Path runDirectory = Objects.requireNonNull(file.getParent());
        long room = offer.packets() + offer.packets() / 8 + ROOM_FOR_COPIES;
        boolean recordsStages = offer.observe().contains(Observation.STAGES);
        @Nullable ReceiverCapture capture = null;
        try {
            capture = recordsStages && !transport.recordsBusCycle()
                    ? ReceiverCapture.createWithKernelStamps(file, room)
                    : ReceiverCapture.create(file, room, transport.recordsBusCycle());
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
            ReceiveEngine opened = engine.openReceiver(config, capture, failed(conversation));
            return new ReceiverRun(conversation, offer, engine, file, capture, opened);
        } catch (IOException | LagbenchException | OutOfMemoryError e) {
            if (capture != null) {
                capture.close();
                ReceiverFiles.delete(runDirectory);
            }
            deleteIfEmpty(runDirectory);
            throw e;
        }
    }

    private static void deleteIfEmpty(@Nullable Path runDirectory) throws IOException {
        try {
            if (runDirectory != null) {
                Files.deleteIfExists(runDirectory);
            }
        } catch (DirectoryNotEmptyException e) {
            return; // a sender on this host keeps its files in the same directory
        }
    }

    /** A path that does not exist: in the run's directory, or in one with a number behind its name. */
    private static Path captureFile(Path directory, String name) throws IOException {
        for (int i = 1; ; i++) {
            Path runDirectory = directory.resolve(i == 1 ? name : name + "." + i);
            Path file = runDirectory.resolve(ReceiverCapture.FILE_NAME).toAbsolutePath();
            Files.createDirectories(runDirectory);
            if (!Files.exists(file)) {
                return file;
            }
            if (i == Integer.MAX_VALUE) {
                throw new FileAlreadyExistsException(file.toString());
            }
        }
    }

    /** Takes the packets of the run and tells the sender what came. */
    void receive() throws IOException, LagbenchException {
        causes.prepare();
        path.start();
        causes.awaitPrepared();
        List<EventCounter> counters = List.of(
                new EventCounter(Cause.KERNEL_DROP, path::kernelDrops),
                new EventCounter(Cause.BUS_RESET, path::busResets));
        causes.warmUp(counters);
        conversation.say(
                new ControlMessage.Accepted(conversation.announcement(path.announce()), captureFile.toString()));
        conversation.connection().readTimeoutMs(0);
        conversation.await(ControlMessage.Connected.class);
        conversation.await(ControlMessage.Begin.class);
        causes.warmUp(counters);
        System.gc();
        causes.begin(path.awaitThread(), counters);
        long dropsBefore = path.kernelDrops();
        long warmUpBefore = path.counts().warmUpReceived();
        if (offer.warmUpPackets() > offer.leadInPackets()) {
            compilation.awaitIdle();
        }
        conversation.say(new ControlMessage.Begun());
        compilation.begin();
        conversation.await(ControlMessage.Done.class);
        path.drain(offer.drainMs());
        compilation.end();
        ReceivedCounts tally = path.counts();
        long dropsSince = path.kernelDrops() - dropsBefore;
        long leadInLost = offer.leadInPackets() - (tally.warmUpReceived() - warmUpBefore);
        causes.end(captureFile.resolveSibling(EventsCapture.RECEIVER_FILE_NAME));
        Map<String, Object> metadata = new HashMap<>(path.metadata());
        metadata.putAll(causes.metadata());
        metadata.putAll(compilation.metadata());
        metadata.put("warmUpReceived", tally.warmUpReceived());
        path.endStages();
        closeCapture();
        conversation.say(new ControlMessage.Counted(
                counts(tally, dropsBefore < 0 ? dropsBefore : recordedDrops(tally, dropsSince, leadInLost)),
                ThisHost.side(metadata),
                capture.records(),
                clockSteps.steps(),
                ReceiverFiles.names(runDirectory())));
        LOG.info(
                "run {} from {}: {} of {} packets, kept in {}",
                offer.name(),
                conversation.connection().peer(),
                tally.distinct(),
                offer.packets(),
                captureFile);
        serveFiles();
    }

    private void serveFiles() throws IOException {
        ControlMessage.Fetch fetch = conversation.awaitUnlessClosed(ControlMessage.Fetch.class);
        while (fetch != null) {
            CaptureTransfer.send(conversation.connection(), runDirectory().resolve(fetch.file()));
            fetch = conversation.awaitUnlessClosed(ControlMessage.Fetch.class);
        }
    }

    private Path runDirectory() {
        return Objects.requireNonNull(captureFile.getParent());
    }

    /**
     * How many of the recorded packets this host dropped: the kernel counts the lead-in with them, whose lost packets
     * it is taken to have dropped before any other. Of a flood it may be up to 16 too many where both have lost
     * packets: so many of the warm-up before may yet be to come when the lead-in's are begun to be counted.
     */
    private long recordedDrops(ReceivedCounts tally, long dropsSinceLeadIn, long leadInLost) {
        long lost = offer.packets() - tally.distinct();
        return Math.max(0, Math.min(lost, dropsSinceLeadIn - Math.max(0, leadInLost)));
    }

    private RunRecord.Counts counts(ReceivedCounts tally, long kernelDrops) {
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
        path.close();
        capture.close();
    }

    /** Gives everything back; the stamps of a run that broke off are kept, and so is nothing but stamps. */
    @Override
    public void close() throws IOException {
        clockSteps.close();
        causes.close();
        closeCapture();
        if (capture.records() == 0) {
            ReceiverFiles.delete(runDirectory());
            deleteIfEmpty(runDirectory());
        } else if (!path.isDrained()) {
            LOG.warn(
                    "run {} broke off: {} of {} packets had come, kept in {}",
                    offer.name(),
                    path.counts().distinct(),
                    offer.packets(),
                    captureFile);
        }
    }
}
