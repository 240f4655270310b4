package org.lagbench.sender;

import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.cause.CauseRecorder;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.compiler.CompilationMonitor;
import org.lagbench.core.control.ClockMonitor;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.ControlReader;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.engine.Traffic;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunSpec;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.PacketEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.StageRecording;
import org.lagbench.packetio.transport.TransportRun;

/** The sender's side of one run, from the offer to {@code run.json}. A failed run keeps its capture. */
final class SenderRun {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration GARBAGE_COLLECTION_TIMEOUT = Duration.ofSeconds(60);

    /** Packets whose stamps a slow disk, of about 20 MB/s, reads or writes in a second. */
    private static final long CAPTURE_PACKETS_PER_S = 1_000_000;

    private final Config config;
    private final RunSpec spec;
    private final ShutdownCoordinator shutdown;
    private final Path runDirectory;
    private final WarmUp warmUp;
    private final CauseRecorder causes;
    private final CompilationMonitor compilation = new CompilationMonitor();
    private final RunRecordBuilder recordBuilder;

    /**
     * What makes a run.
     *
     * @param directory parent of the run's directory
     * @param clockGate decides whether the clocks are close enough
     * @param chrony the daemon that synchronizes this host's clock
     * @param startGate delays the start of the warm run
     * @param printsProgress whether to print the number of sent packets once a second
     */
    record Config(
            RunSpec spec,
            PacketTransport transport,
            PacketEngine engine,
            Endpoint receiver,
            @Nullable SharedKey key,
            Path directory,
            ClockGate clockGate,
            ChronyClient chrony,
            StartGate startGate,
            boolean printsProgress) {}

    SenderRun(Config config, ShutdownCoordinator shutdown) {
        this.config = config;
        this.spec = config.spec();
        this.shutdown = shutdown;
        this.runDirectory = config.directory().resolve(spec.name());
        this.warmUp = WarmUp.of(spec, config.transport().minimumIntervalNs());
        this.recordBuilder = new RunRecordBuilder(spec, config.transport().title());
        boolean observesCauses = spec.observe().contains(Observation.CAUSES);
        this.causes = config.engine().runsOnJvm()
                ? CauseRecorder.of(observesCauses)
                : CauseRecorder.ofAnotherProcess(observesCauses);
    }

    /**
     * Makes the run and writes its files.
     *
     * @throws LagbenchException if the run did not start, and left no files; or if it broke, and left its stamps and
     *     its record
     */
    RunRecord make() throws LagbenchException {
        PacketTransport transport = config.transport();
        int maximumBytes = transport.maximumPacketBytes(spec.settings());
        if (spec.packetBytes() > maximumBytes) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "--packet-bytes: " + spec.packetBytes() + " is above the maximum of " + transport.name() + ", "
                            + maximumBytes + ".");
        }
        LagbenchException unavailable = config.engine().unavailableReason(transport);
        if (unavailable != null) {
            throw unavailable;
        }
        config.engine().check(transport, spec.settings());
        try (causes;
                RunFiles files = RunFiles.create(runDirectory, spec.packets(), transport.recordsBusCycle())) {
            causes.prepare();
            try {
                return connectAndSend(files);
            } catch (LagbenchException e) {
                throw toInterruptedRun(files, e);
            } catch (IOException e) {
                throw toInterruptedRun(files, broken(e));
            }
        }
    }

    /** Returns a failure as an interruption if one was its cause, here or at the receiver. */
    private LagbenchException toInterruptedRun(RunFiles files, LagbenchException failure) {
        if (failure instanceof InterruptedRun) {
            return failure;
        } else if (shutdown.isInterrupted()) {
            return InterruptedRun.of("Interrupted", spec, files, failure);
        }
        return failure.exitCode() == ExitCode.INTERRUPTED
                ? InterruptedRun.of(failure.sentence(), spec, files, failure)
                : failure;
    }

    private RunRecord connectAndSend(RunFiles files) throws IOException, LagbenchException {
        try (ControlConnection connection = ReceiverConnection.open(config.receiver(), config.key())) {
            Runnable closeConnection = () -> closeConnection(connection);
            shutdown.onInterrupt(closeConnection);
            try (ControlReader reader = ControlReader.of(connection);
                    ClockMonitor clocks = new ClockMonitor(connection, reader, config.chrony(), files.twoWay())) {
                try {
                    recordBuilder.clocksAccepted(config.clockGate().pass(clocks, shutdown));
                    return send(connection, reader, clocks, files);
                } catch (IOException e) {
                    throw reader.explain(broken(e));
                }
            } finally {
                shutdown.forget(closeConnection);
            }
        }
    }

    private LagbenchException broken(IOException failure) {
        return new LagbenchException(
                ExitCode.BROKEN,
                "The control connection to " + config.receiver() + " failed: " + failure.getMessage(),
                failure);
    }

    private RunRecord send(ControlConnection connection, ControlReader reader, ClockMonitor clocks, RunFiles files)
            throws IOException, LagbenchException {
        long tag = new SecureRandom().nextLong();
        String host = Endpoint.parse(connection.peer()).host();
        try (SendEngine sender = config.engine().openSender(engineConfig(tag, host, files), files.capture())) {
            connection.write(offer(tag, sender));
            ControlMessage.Accepted accepted =
                    reader.await(ControlMessage.Accepted.class, ANSWER_TIMEOUT.plus(diskTimeout()));
            connect(sender, accepted, reader);
            connection.write(new ControlMessage.Connected());
            Runnable abort = () -> abort(sender);
            reader.onFailure(abort);
            shutdown.onInterrupt(abort);
            SendProgress progress = SendProgress.start(sender, spec.packets(), System.out, config.printsProgress());
            try (StallMonitor stallMonitor = StallMonitor.start(sender, reader, spec.stallTimeout())) {
                sendAll(connection, sender, reader, stallMonitor, clocks);
                ControlMessage.Counted counted = reader.await(
                        ControlMessage.Counted.class,
                        spec.drain()
                                .plus(spec.stallTimeout())
                                .plus(GARBAGE_COLLECTION_TIMEOUT)
                                .plus(diskTimeout()));
                files.writeCauses(causes);
                clocks.receiverSteps(counted.clockSteps());
                files.fetchReceiverFiles(
                        connection, accepted, counted, spec.stallTimeout().plus(diskTimeout()));
                endStages(sender);
                RunRecord record = recordBuilder.complete(sender, counted, observations(), clocks);
                files.write(record);
                return record;
            } catch (LagbenchException e) {
                LagbenchException failure = toInterruptedRun(files, e);
                if (files.capture().records() > 0) {
                    files.write(recordBuilder.broken(sender, failure, observations(), clocks));
                    files.writeCauses(causes); // last: a JVM that shuts down ends its Flight Recorder at the same time
                }
                throw failure;
            } finally {
                progress.close();
                shutdown.forget(abort);
            }
        }
    }

    private EngineConfig engineConfig(long tag, String host, RunFiles files) {
        TransportRun run = new TransportRun(tag, spec.packetBytes(), host, spec.settings());
        return new EngineConfig(
                config.transport(),
                spec.observe().contains(Observation.STAGES)
                        ? run.recording(new StageRecording(files.directory(), spec.packets(), warmUp.packets()))
                        : run,
                Traffic.ONE_WAY,
                spec.packets(),
                warmUp.packets(),
                files.captureFile(),
                Map.of());
    }

    private static void connect(SendEngine sender, ControlMessage.Accepted accepted, ControlReader reader)
            throws LagbenchException {
        try {
            sender.connect(accepted.announced());
        } catch (LagbenchException e) {
            // the receiver cannot explain other failures, such as a setting that this host does not support
            throw e.exitCode() == ExitCode.PEER || e.exitCode() == ExitCode.BROKEN ? reader.explain(e) : e;
        }
    }

    /** Returns how long the receiver's disk may take to preallocate, write or read a capture. */
    private Duration diskTimeout() {
        return Duration.ofSeconds(spec.packets() / CAPTURE_PACKETS_PER_S);
    }

    private ControlMessage.Offer offer(long tag, SendEngine sender) {
        return new ControlMessage.Offer(
                spec.name(),
                spec.transport(),
                spec.packetBytes(),
                spec.packets(),
                warmUp.packets(),
                warmUp.leadInPackets(),
                spec.pace().mode() == Pace.Mode.FLOOD,
                HexFormat.of().toHexDigits(tag),
                spec.settings().asText(),
                spec.program().engine(),
                spec.observe(),
                spec.drain().toMillis(),
                sender.announce());
    }

    private void sendAll(
            ControlConnection connection,
            SendEngine sender,
            ControlReader reader,
            StallMonitor stallMonitor,
            ClockMonitor clocks)
            throws LagbenchException {
        try {
            causes.awaitPrepared();
            warmUp(sender, stallMonitor);
            connection.write(new ControlMessage.Begin());
            System.gc();
            reader.await(ControlMessage.Begun.class, GARBAGE_COLLECTION_TIMEOUT.plus(CompilationMonitor.LONGEST_WAIT));
            long leadInNs = spec.pace().durationNs(warmUp.leadInPackets());
            config.startGate().pass(leadInNs);
            stallMonitor.sending(true);
            causes.begin(sender.thread(), List.of());
            recordBuilder.started();
            // A parent process may wait for the first recorded packet.
            System.out.println("recording in " + leadInNs + "ns");
            System.out.flush();
            ClockMonitor.Watch clockWatch = clocks.watch();
            compilation.begin();
            try {
                sender.send(-warmUp.leadInPackets(), spec.packets(), spec.pace());
            } finally {
                compilation.end();
                clockWatch.close();
            }
            stallMonitor.sending(false);
            clocks.sample();
            connection.write(new ControlMessage.Done(sender.lastSequence() + 1));
        } catch (IOException e) {
            throw reader.explain(e);
        }
    }

    /**
     * Sends the warm-up packets before the lead-in, in rounds. After each round the compiler finishes what that round
     * made due: profiled code, optimized code, and recompilation after deoptimization. Without the rounds a flood would
     * end before that.
     */
    private void warmUp(SendEngine sender, StallMonitor stallMonitor) throws IOException {
        for (int round = 0; round < warmUp.rounds(); round++) {
            stallMonitor.sending(true);
            sender.send(warmUp.first(round), warmUp.first(round + 1), warmUp.pace());
            stallMonitor.sending(false);
            causes.warmUp(List.of());
            compilation.awaitIdle();
        }
    }

    private void endStages(SendEngine sender) throws LagbenchException {
        try {
            sender.endStages();
        } catch (IOException e) {
            throw IoErrors.toException("The stages cannot be written in " + runDirectory, e);
        }
    }

    private Map<String, Object> observations() {
        Map<String, Object> metadata = new HashMap<>(causes.metadata());
        metadata.putAll(compilation.metadata());
        return metadata;
    }

    private void abort(SendEngine sender) {
        config.startGate().stop();
        sender.stop();
        sender.close();
    }

    private static void closeConnection(ControlConnection connection) {
        try {
            connection.close();
        } catch (IOException e) {
            System.err.println("lagbench: the control connection cannot be closed: " + e);
        }
    }
}
