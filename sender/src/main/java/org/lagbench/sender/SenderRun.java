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

/** The sender's part of one run: from the offer to {@code run.json}, with the capture kept whatever happens. */
final class SenderRun {
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration GARBAGE_COLLECTION_TIMEOUT = Duration.ofSeconds(60);

    /** What even a slow disk writes or reads of a capture: 20 MB/s or so. */
    private static final long CAPTURE_PACKETS_PER_S = 1_000_000;

    private final RunSpec spec;
    private final PacketTransport transport;
    private final PacketEngine engine;
    private final Endpoint receiver;
    private final @Nullable SharedKey key;
    private final Path runDirectory;
    private final ClockGate clockGate;
    private final ChronyClient chrony;
    private final StartGate startGate;
    private final ShutdownCoordinator interruption;
    private final boolean tellsProgress;
    private final WarmUp warmUp;
    private final CauseRecorder causes;
    private final CompilationMonitor compilation = new CompilationMonitor();
    private final RunRecordBuilder draft;

    /**
     * A run yet to be made.
     *
     * @param directory the run's own directory is made in it
     * @param clockGate decides whether the clocks are close enough
     * @param chrony the time daemon that keeps this host's clock
     * @param startGate holds it, when it is warm, until it may begin
     * @param tellsProgress whether to print each second how many packets have been sent
     */
    SenderRun(
            RunSpec spec,
            PacketTransport transport,
            PacketEngine engine,
            Endpoint receiver,
            @Nullable SharedKey key,
            Path directory,
            ClockGate clockGate,
            ChronyClient chrony,
            StartGate startGate,
            ShutdownCoordinator interruption,
            boolean tellsProgress) {
        this.spec = spec;
        this.transport = transport;
        this.engine = engine;
        this.receiver = receiver;
        this.key = key;
        this.runDirectory = directory.resolve(spec.name());
        this.clockGate = clockGate;
        this.chrony = chrony;
        this.startGate = startGate;
        this.interruption = interruption;
        this.tellsProgress = tellsProgress;
        this.warmUp = WarmUp.of(spec, transport.minimumIntervalNs());
        this.draft = new RunRecordBuilder(spec, transport.title(), warmUp);
        boolean observesCauses = spec.observe().contains(Observation.CAUSES);
        this.causes =
                engine.runsOnJvm() ? CauseRecorder.of(observesCauses) : CauseRecorder.ofAnotherProcess(observesCauses);
    }

    /**
     * Makes the run and writes its files.
     *
     * @return what became of it
     * @throws LagbenchException if it could not begin, and left nothing; or if it broke, and left its stamps and record
     */
    RunRecord make() throws LagbenchException {
        if (spec.packetBytes() > transport.maximumPacketBytes(spec.settings())) {
            throw new LagbenchException(
                    ExitCode.USAGE,
                    "Packets of " + spec.packetBytes() + " bytes are too large for " + transport.name()
                            + ", which takes" + " 24 to " + transport.maximumPacketBytes(spec.settings()) + ".");
        }
        LagbenchException unavailable = engine.unavailableReason(transport);
        if (unavailable != null) {
            throw unavailable;
        }
        engine.check(transport, spec.settings());
        try (causes;
                RunFiles files = RunFiles.create(runDirectory, spec.packets(), transport.recordsBusCycle())) {
            causes.prepare();
            try {
                return converse(files);
            } catch (LagbenchException e) {
                throw ended(files, e);
            } catch (IOException e) {
                throw ended(files, brokenOff(e));
            }
        }
    }

    /**
     * How the run ended that met this: after an interruption, here or at the receiver, whatever else fails is its
     * doing.
     */
    private LagbenchException ended(RunFiles files, LagbenchException met) {
        if (met instanceof InterruptedRun) {
            return met;
        } else if (interruption.isInterrupted()) {
            return InterruptedRun.of("Interrupted", spec, files, met);
        }
        return met.exitCode() == ExitCode.INTERRUPTED ? InterruptedRun.of(met.sentence(), spec, files, met) : met;
    }

    private RunRecord converse(RunFiles files) throws IOException, LagbenchException {
        try (ControlConnection connection = ReceiverConnection.open(receiver, key)) {
            Runnable hangUp = hangUp(connection);
            interruption.onInterrupt(hangUp);
            try (ControlReader voice = ControlReader.of(connection);
                    ClockMonitor clocks = new ClockMonitor(connection, voice, chrony, files.twoWay())) {
                return converse(connection, voice, clocks, files);
            } finally {
                interruption.forget(hangUp);
            }
        }
    }

    private RunRecord converse(ControlConnection connection, ControlReader voice, ClockMonitor clocks, RunFiles files)
            throws LagbenchException {
        try {
            draft.clocksAccepted(clockGate.pass(clocks, interruption));
            return send(connection, voice, clocks, files);
        } catch (IOException e) {
            throw voice.explain(brokenOff(e));
        }
    }

    private LagbenchException brokenOff(IOException met) {
        return new LagbenchException(
                ExitCode.BROKEN, "The conversation with " + receiver + " broke off: " + met.getMessage(), met);
    }

    private RunRecord send(ControlConnection connection, ControlReader voice, ClockMonitor clocks, RunFiles files)
            throws IOException, LagbenchException {
        long tag = new SecureRandom().nextLong();
        String host = Endpoint.parse(connection.peer()).host();
        try (SendEngine path = engine.openSender(config(tag, host, files), files.capture())) {
            connection.write(offer(tag, path));
            ControlMessage.Accepted accepted =
                    voice.await(ControlMessage.Accepted.class, ANSWER_TIMEOUT.plus(disksTime()));
            connect(path, accepted, voice);
            connection.write(new ControlMessage.Connected());
            Runnable abort = abort(path, startGate);
            voice.onFailure(abort);
            interruption.onInterrupt(abort);
            SendProgress progress = SendProgress.of(path, spec.packets(), System.out, tellsProgress);
            try (StallMonitor stall = StallMonitor.over(path, voice, spec.stallTimeout())) {
                sendAll(connection, path, voice, stall, clocks);
                ControlMessage.Counted counted = voice.await(
                        ControlMessage.Counted.class,
                        spec.drain()
                                .plus(spec.stallTimeout())
                                .plus(GARBAGE_COLLECTION_TIMEOUT)
                                .plus(disksTime()));
                files.writeCauses(causes);
                clocks.receiverSteps(counted.clockSteps());
                files.fetchReceiverFiles(
                        connection, accepted, counted, spec.stallTimeout().plus(disksTime()));
                endStages(path);
                RunRecord record = draft.complete(path, counted, observed(), clocks);
                files.write(record);
                return record;
            } catch (LagbenchException e) {
                LagbenchException ended = ended(files, e);
                keepBroken(files, path, clocks, ended);
                throw ended;
            } finally {
                progress.close();
                interruption.forget(abort);
            }
        }
    }

    private EngineConfig config(long tag, String host, RunFiles files) {
        TransportRun run = new TransportRun(tag, spec.packetBytes(), host, spec.settings());
        return new EngineConfig(
                transport,
                spec.observe().contains(Observation.STAGES)
                        ? run.recording(new StageRecording(files.directory(), spec.packets(), warmUp.packets()))
                        : run,
                Traffic.ONE_WAY,
                spec.packets(),
                warmUp.packets(),
                files.captureFile(),
                Map.of());
    }

    private static void connect(SendEngine path, ControlMessage.Accepted accepted, ControlReader voice)
            throws LagbenchException {
        try {
            path.connect(accepted.announced());
        } catch (LagbenchException e) {
            // the receiver has no part in a setting that this host does not take
            throw e.exitCode() == ExitCode.PEER || e.exitCode() == ExitCode.BROKEN ? voice.explain(e) : e;
        }
    }

    /**
     * How long the receiver's disk may take over a capture: it is preallocated, written out at the end, read to be
     * sent.
     */
    private Duration disksTime() {
        return Duration.ofSeconds(spec.packets() / CAPTURE_PACKETS_PER_S);
    }

    private ControlMessage.Offer offer(long tag, SendEngine path) {
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
                path.announce());
    }

    private void sendAll(
            ControlConnection connection, SendEngine path, ControlReader voice, StallMonitor stall, ClockMonitor clocks)
            throws LagbenchException {
        try {
            causes.awaitPrepared();
            warmUp(path, stall);
            connection.write(new ControlMessage.Begin());
            System.gc();
            voice.await(ControlMessage.Begun.class, GARBAGE_COLLECTION_TIMEOUT.plus(CompilationMonitor.LONGEST_WAIT));
            long leadInNs = spec.pace().durationNs(warmUp.leadInPackets());
            startGate.pass(leadInNs);
            stall.sending(true);
            causes.begin(path.thread(), List.of());
            draft.begins();
            // Whoever started this process may have waited for the time of the first recorded packet.
            System.out.println("recording in " + leadInNs + "ns");
            System.out.flush();
            ClockMonitor.Watch asking = clocks.watch();
            compilation.begin();
            try {
                path.send(-warmUp.leadInPackets(), spec.packets(), spec.pace());
            } finally {
                compilation.end();
                asking.close();
            }
            stall.sending(false);
            clocks.sample();
            connection.write(new ControlMessage.Done(path.lastSequence() + 1));
        } catch (IOException e) {
            throw voice.explain(e);
        }
    }

    /**
     * Sends the packets that are to have everything compiled, in rounds, each with what the one before made due: code
     * that counts what it does, then the best that there is, then what that got wrong. A flood would else be over
     * before.
     */
    private void warmUp(SendEngine path, StallMonitor stall) throws IOException {
        for (int round = 0; round < warmUp.rounds(); round++) {
            stall.sending(true);
            path.send(warmUp.first(round), warmUp.first(round + 1), warmUp.pace());
            stall.sending(false);
            causes.warmUp(List.of());
            compilation.awaitIdle();
        }
    }

    private void endStages(SendEngine path) throws LagbenchException {
        try {
            path.endStages();
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "The stages cannot be kept in " + runDirectory + ": " + IoErrors.reason(e) + ".",
                    e);
        }
    }

    /** A run that broke before its first recorded packet leaves nothing to keep. */
    private void keepBroken(RunFiles files, SendEngine path, ClockMonitor clocks, LagbenchException why)
            throws LagbenchException {
        if (files.capture().records() == 0) {
            return;
        }
        files.write(draft.brokenOff(path, why, observed(), clocks));
        files.writeCauses(causes); // last: a JVM that is told to end ends its Flight Recorder at the same time
    }

    private Map<String, Object> observed() {
        Map<String, Object> metadata = new HashMap<>(causes.metadata());
        metadata.putAll(compilation.metadata());
        return metadata;
    }

    private static Runnable abort(SendEngine path, StartGate startGate) {
        return () -> {
            startGate.stop();
            path.stop();
            path.close();
        };
    }

    private static Runnable hangUp(ControlConnection connection) {
        return () -> {
            try {
                connection.close();
            } catch (IOException e) {
                System.err.println("lagbench: the control connection could not be closed: " + e);
            }
        };
    }
}
