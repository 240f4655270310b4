package org.lagbench.sender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ClockMonitor;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlReader;
import org.lagbench.control.Heartbeat;
import org.lagbench.control.ReceiverQuestions;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.core.capture.BufferFiles;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.model.Wire;
import org.lagbench.core.recorder.CompilationMonitor;
import org.lagbench.core.recorder.Recorders;
import org.lagbench.core.run.KeptFiles;
import org.lagbench.core.run.ObservedWindows;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.SenderFacts;
import org.lagbench.core.run.SideFacts;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.engine.EngineEndedException;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.transport.SideConfig;

/** The sender's side of one run, from the offer to {@code run.json}. A failed run keeps its capture. */
final class SenderRun {
    /**
     * How long before its first packet a paced run announces the time of its first recorded packet, for which others
     * may wait, such as an emulated network.
     */
    private static final long NOTICE_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final Duration GARBAGE_COLLECTION_TIMEOUT = Duration.ofSeconds(60);

    private final SenderConfig config;

    /** The run as offered to the receiver. */
    private RunSpec spec;

    private Point point;
    private @Nullable ObservationDecision observation;
    private long windowsSeed;
    private final Transport transport;
    private final PacketEngine engine;
    private final ShutdownCoordinator shutdown;
    private final Path runDirectory;
    private final UnrecordedPackets unrecorded;
    private final long leadOutPackets;
    private final RunRecordBuilder recordBuilder;

    /** @throws LagbenchException if the request is not accepted */
    SenderRun(SenderConfig config, ShutdownCoordinator shutdown) throws LagbenchException {
        this.config = config;
        this.spec = config.spec();
        this.point = spec.point();
        this.transport = Transports.load().named(point.transport());
        this.engine = config.engine(transport);
        this.shutdown = shutdown;
        this.runDirectory = config.link().isRequested()
                ? RunFileNames.unusedDirectory(config.directory(), spec.name(), SenderCapture.FILE_NAME)
                : config.directory().resolve(spec.name());
        this.unrecorded = UnrecordedPackets.of(spec, transport.minimumIntervalNs());
        this.leadOutPackets = UnrecordedPackets.leadOutPackets(spec, transport);
        this.recordBuilder =
                new RunRecordBuilder(spec, transport.title(), config.request().maximumOtherLoadPpm());
    }

    /**
     * Executes the run and writes its files.
     *
     * @param made receives the record of the complete run, even if files other than the stamps are missing
     * @throws LagbenchException if the run did not start, and left no files; or if it broke, and left its stamps and
     *     its record; or if it is complete and files other than its stamps could not be written
     */
    void execute(Consumer<RunRecord> made) throws LagbenchException {
        try {
            transport.checkPacketBytes(point.packetBytes(), point.allSettings());
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure("--" + RunParameters.PACKET_BYTES + ": " + e.getMessage() + ".", e);
        }
        engine.checkMachine(transport, point.allSettings());
        engine.check(transport, point.allSettings());
        try (RunFiles files = RunFiles.create(
                runDirectory,
                point.stampedPackets(),
                transport.wire() == Wire.BUS,
                point.traffic().isAnswered())) {
            try {
                made.accept(connectAndSend(files));
            } catch (LagbenchException e) {
                throw toInterruptedRun(e, files);
            } catch (IOException e) {
                String sentence = "The control connection failed: " + IoErrors.reason(e) + ".";
                throw toInterruptedRun(ExitCode.BROKEN.failure(sentence, e), files);
            }
            files.sideFiles().throwIfMissing();
        }
    }

    private LagbenchException toInterruptedRun(LagbenchException failure, RunFiles files) {
        return InterruptedRun.ifInterrupted(failure, shutdown, spec, files);
    }

    private RunRecord connectAndSend(RunFiles files) throws IOException, LagbenchException {
        try (ControlConnection connection = config.link().open()) {
            Runnable closeConnection = () -> config.link().interrupt(connection);
            shutdown.onInterrupt(closeConnection);
            try (ControlReader reader = new ControlReader(connection);
                    ClockMonitor clocks = new ClockMonitor(
                            connection, reader, config.chrony(), files.twoWay(), point.stallTimeout())) {
                ReceiverQuestions receiver = new ReceiverQuestions(reader, point.stallTimeout());
                try {
                    recordBuilder.clocksAccepted(
                            new ClockGate(config.request()).pass(clocks, receiver, config.events(), shutdown));
                    observation = ObservationDecision.of(
                            spec, config.link().isProbe(), clocks.smallestRoundTripNs(), receiver);
                    point = observation.point();
                    spec = spec.with(point);
                    RunRecord record = send(connection, reader, clocks, files);
                    if (config.link().isRequested()) {
                        files.serve(connection, point.stallTimeout().plus(files.diskTimeout()));
                    }
                    return record;
                } catch (IOException e) {
                    throw reader.explain(broken(connection, e));
                }
            } catch (LagbenchException e) {
                config.link().refuse(connection, e);
                throw e;
            } finally {
                shutdown.forget(closeConnection);
            }
        }
    }

    private static LagbenchException broken(ControlConnection connection, IOException failure) {
        return ExitCode.BROKEN.failure(
                "The control connection to " + connection.peer() + " failed: " + IoErrors.reason(failure), failure);
    }

    private RunRecord send(ControlConnection connection, ControlReader reader, ClockMonitor clocks, RunFiles files)
            throws IOException, LagbenchException {
        String nonce = SharedKey.newText();
        windowsSeed = ObservedWindows.seed(nonce);
        SideConfig engineConfig =
                config.side(point, transport, connection.runTag(nonce), leadOutPackets, connection, files);
        try (SendEngine sender = engine.openSender(engineConfig, files.capture())) {
            connection.write(new ControlMessage.Offer(
                    spec,
                    unrecorded.leadInPackets(),
                    leadOutPackets,
                    nonce,
                    DataPort.withSource(sender.announce(), engineConfig, connection.localHost())));
            Duration turn = config.link().isProbe() ? ControlMessage.Probe.TURN_TIMEOUT : Duration.ZERO;
            ControlMessage.Accepted accepted = reader.await(
                    ControlMessage.Accepted.class,
                    point.stallTimeout().plus(files.diskTimeout()).plus(turn));
            Heartbeat heartbeat = new Heartbeat(connection, point.stallTimeout());
            try (heartbeat;
                    SenderRecorders recorders = SenderRecorders.of(
                            engineConfig, engine, sender, accepted.announced(), windowsSeed, files, config)) {
                recorders.all().prepare();
                return sendAndFetch(connection, reader, clocks, files, sender, recorders, accepted);
            }
        }
    }

    private RunRecord sendAndFetch(
            ControlConnection connection,
            ControlReader reader,
            ClockMonitor clocks,
            RunFiles files,
            SendEngine sender,
            SenderRecorders recorders,
            ControlMessage.Accepted accepted)
            throws IOException, LagbenchException {
        connect(sender, accepted, reader, Endpoint.parse(connection.peer()).host());
        if (!config.link().isProbe()) { // the files of a probe are deleted
            recordBuilder.running(sender, observation(), clocks).write(runDirectory);
        }
        recorders.all().connected();
        connection.write(new ControlMessage.Connected());
        if (config.reportsIntervals()) {
            reader.onInterval(interval -> config.events().accept(new SideMessage.Interval(interval)));
            connection.write(new ControlMessage.Watch());
        }
        Runnable abort = () -> abort(sender);
        reader.onFailure(abort);
        shutdown.onInterrupt(abort);
        try (StallMonitor stallMonitor =
                new StallMonitor(sender, reader, point.stallTimeout(), transport.holdNs(point.settings()))) {
            sendAll(connection, sender, recorders, reader, stallMonitor, clocks);
            ControlMessage.Counted counted = reader.await(
                    ControlMessage.Counted.class,
                    point.drain(transport)
                            .plus(point.stallTimeout())
                            .plus(GARBAGE_COLLECTION_TIMEOUT)
                            .plus(files.diskTimeout()));
            stallMonitor.end(); // the receiver is silent while it reads its files
            ReceiverResult result = ReceiverResult.check(counted, spec, connection.peer());
            result.requireDelivery(transport.wire().isStream());
            recorders.all().write();
            clocks.receiverSteps(counted.clockSteps());
            if (!config.link().isRequested()) {
                files.fetchReceiverFiles(
                        connection,
                        accepted,
                        result,
                        clocks,
                        point.stallTimeout().plus(files.diskTimeout()));
            }
            files.sideFiles().write(socketFile(), sender::endSocketRecord);
            files.sideFiles().write(ChunkCapture.SENDER_FILE_NAME, sender::endChunkRecording);
            files.closeCaptures();
            RunRecord record = record(sender, recorders, counted, null, clocks, files);
            files.write(record);
            SideMessage.Warning warning = result.warning(sender.metadata());
            if (warning != null) {
                config.events().accept(warning);
            }
            return record;
        } catch (LagbenchException e) {
            throw keepBroken(sender, recorders, clocks, files, toInterruptedRun(e, files));
        } catch (UncheckedIOException | InternalError e) { // thrown by the capture; InternalError by its mapping
            ExitCode code = e instanceof UncheckedIOException ? ExitCode.FILES : ExitCode.BROKEN;
            String sentence =
                    "The sender cannot send any more: " + files.capture().explain(e) + ".";
            throw keepBroken(sender, recorders, clocks, files, code.failure(sentence, e));
        } finally {
            shutdown.forget(abort);
        }
    }

    /** Returns the name of the file that is written completely when the record of the socket ends. */
    private String socketFile() {
        return point.traffic().kind() == Traffic.TRANSFER ? TransferFiles.TCP_FILE_NAME : BufferFiles.SENDER_FILE_NAME;
    }

    /** Writes the record of a run that ended early, if it recorded packets. Returns the failure. */
    private LagbenchException keepBroken(
            SendEngine sender,
            SenderRecorders recorders,
            ClockMonitor clocks,
            RunFiles files,
            LagbenchException failure) {
        if (files.capture().records() > 0) {
            recorders.all().write();
            try {
                files.write(record(sender, recorders, null, failure, clocks, files));
            } catch (LagbenchException e) {
                failure.addSuppressed(e); // the cause of the broken run matters more
            }
        }
        return failure;
    }

    private RunRecord record(
            SendEngine sender,
            SenderRecorders recorders,
            ControlMessage.@Nullable Counted counted,
            @Nullable LagbenchException failure,
            ClockMonitor clocks,
            RunFiles files) {
        return recordBuilder.record(
                sender,
                counted,
                failure,
                observations(files, recorders.all()),
                recorders.load().readings(),
                clocks);
    }

    private void connect(SendEngine sender, ControlMessage.Accepted accepted, ControlReader reader, String receiver)
            throws LagbenchException {
        if (config.link().isRequested() && accepted.announced().containsKey(DataPort.HOST)) {
            throw ExitCode.PEER.failure("The receiver requested packets to an address other than its own.");
        }
        try {
            sender.connect(accepted.announced());
        } catch (LagbenchException e) {
            // The receiver cannot explain other failures, such as its invalid announcement or a setting unsupported
            // here.
            boolean isConnection =
                    e.getCause() != null && (e.exitCode() == ExitCode.PEER || e.exitCode() == ExitCode.BROKEN);
            LagbenchException explained = isConnection ? reader.explain(e) : e;
            throw isConnection && config.link().isRequested()
                    ? HiddenReceiver.explain(explained, accepted.announced(), receiver)
                    : explained;
        }
    }

    private void sendAll(
            ControlConnection connection,
            SendEngine sender,
            SenderRecorders recorders,
            ControlReader reader,
            StallMonitor stallMonitor,
            ClockMonitor clocks)
            throws LagbenchException {
        try {
            new WarmUp(unrecorded, recorders.all(), recorders.compilation()).send(sender, stallMonitor);
            SidePipe.prepare();
            connection.write(new ControlMessage.Begin());
            System.gc();
            recorders.all().warmedUp();
            reader.await(ControlMessage.Begun.class, GARBAGE_COLLECTION_TIMEOUT.plus(CompilationMonitor.LONGEST_WAIT));
            long leadInNs = point.pace().durationNs(unrecorded.leadInPackets());
            config.startGate().pass(leadInNs);
            stallMonitor.sending(true);
            recordBuilder.started();
            ClockMonitor.Watch clockWatch = clocks.watch();
            recorders.all().begin();
            try {
                long startNs = RealtimeClock.nowNs() + (point.pace().mode() == Pace.Mode.FLOOD ? 0 : NOTICE_NS);
                config.events().accept(new SideMessage.Recording(startNs + leadInNs));
                sender.send(
                        -unrecorded.leadInPackets(), point.stampedPackets() + leadOutPackets, point.pace(), startNs);
            } finally {
                recorders.all().end();
                clockWatch.close();
            }
            stallMonitor.sending(false);
            clocks.sample();
            connection.write(new ControlMessage.Done(point.stampedPackets()));
        } catch (IOException e) {
            stallMonitor.sending(false); // otherwise the monitor could fail the run before the receiver reports why
            throw e instanceof EngineEndedException ? reader.unexplained(e) : reader.explain(e);
        }
    }

    private Map<String, Object> observations(RunFiles files, Recorders recorders) {
        List<SideFacts> records = recorders.metadata();
        records.add(new SenderFacts(leadOutPackets));
        if (config.link().keepsFiles()) {
            records.add(new KeptFiles(runDirectory.toAbsolutePath().toString()));
        }
        Map<String, Object> metadata = SideFacts.entries(records);
        files.sideFiles().putMetadata(metadata);
        metadata.putAll(observation());
        return metadata;
    }

    /** Returns what is observed, which is stored in run.json. */
    private Map<String, Object> observation() {
        return observation == null ? Map.of() : observation.metadata(windowsSeed);
    }

    private void abort(SendEngine sender) {
        config.startGate().stop();
        sender.stop();
        sender.close();
    }
}
