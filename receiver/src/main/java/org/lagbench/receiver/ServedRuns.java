package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.Handshake;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.text.Endpoint;

/**
 * The runs that a receiver serves: whose packets it receives, or whose sender it starts for another host. Each begins
 * when it is its turn. Thread-safe.
 */
final class ServedRuns {
    private final LocalEnd local;
    private final Path directory;
    private final SenderPrograms senders;
    private final AgentRuns agentRuns;
    private final RunTurns turns;
    private final Connections connections;
    private final Runnable whenLastEnds;
    private final Transports transports = Transports.load();
    private final Engines engines = Engines.load();
    private volatile boolean keepsStamps = true;

    private final AtomicLong runsLeft = new AtomicLong();

    /** The packets of all current runs, each of which has a bit in memory. */
    private final AtomicLong packetsOfRuns = new AtomicLong();

    /** Exit code of the first failed run; written with this object's lock. */
    private volatile ExitCode outcome = ExitCode.OK;

    /** Why that run failed, if it is known; written with this object's lock. */
    private volatile @Nullable LagbenchException failure;

    /**
     * Creates an object without runs.
     *
     * @param local this host's end of the packets
     * @param directory parent of the directories of the runs
     * @param connections the control connections, of which those with a run are admitted
     * @param whenLastEnds called when as many runs have ended as {@link #limit} allows
     */
    ServedRuns(
            LocalEnd local,
            Path directory,
            SenderPrograms senders,
            RunTurns turns,
            Connections connections,
            Runnable whenLastEnds) {
        this.local = local;
        this.directory = directory;
        this.senders = senders;
        this.agentRuns = new AgentRuns(senders, directory);
        this.turns = turns;
        this.connections = connections;
        this.whenLastEnds = whenLastEnds;
    }

    /** Sets the number of runs to serve; the constructor's action is called when they have ended. */
    void limit(long runs) {
        runsLeft.set(runs);
    }

    /** Returns the exit code of the first run that was refused or broken; {@link ExitCode#OK} if there was none. */
    ExitCode outcome() {
        return outcome;
    }

    /** Returns why the first failed run failed; null if none failed, or the reason is unknown. */
    @Nullable
    LagbenchException failure() {
        return failure;
    }

    /** Returns whether this host keeps the stamps of runs that end now. */
    boolean keepsStamps() {
        return keepsStamps;
    }

    /**
     * Stops keeping stamps on this host, for runs that end from now on; the other host keeps the stamps of both sides.
     */
    void keepNoStamps() {
        keepsStamps = false;
    }

    /** Receives the packets of a run. */
    void receive(ControlSession control, ControlMessage.Offer offer) throws IOException, LagbenchException {
        StreamRole turn = RunTurns.turn(StreamRole.Direction.FORWARD, offer.run().stream());
        execute(control, turn, peer(control), control.isProbe(), () -> receiveCounted(control, offer));
    }

    /** Sends the packets of a run to the host that requests it. */
    void send(ControlSession control, ControlMessage.OpenSender request, @Nullable SharedKey key)
            throws IOException, LagbenchException {
        StreamRole turn = RunTurns.turn(StreamRole.Direction.BACKWARD, request.request().run().stream());
        execute(control, turn, peer(control), control.isProbe(), () -> startSender(control.connection(), request, key));
    }

    /** Sends the packets of a run to another host than the one that requests it. */
    void sendToOther(ControlSession control, ControlMessage.MakeRun request, String host)
            throws IOException, LagbenchException {
        StreamRole turn = RunTurns.turn(StreamRole.Direction.BACKWARD, null);
        execute(control, turn, host, true, () -> agentRuns.serve(control.connection(), request));
    }

    private static String peer(ControlSession control) {
        return Endpoint.parse(control.connection().peer()).host();
    }

    private void startSender(ControlConnection connection, ControlMessage.OpenSender request, @Nullable SharedKey key)
            throws IOException, LagbenchException {
        if (keepsStamps) {
            senders.serve(connection, request, local, key, directory, true);
            return;
        }
        Files.createDirectories(directory);
        Path files = Files.createTempDirectory(directory, "sent-");
        try {
            senders.serve(connection, request, local, key, files, false);
        } finally {
            FileTree.delete(files);
        }
    }

    private void receiveCounted(ControlSession control, ControlMessage.Offer offer)
            throws IOException, LagbenchException {
        long packets = offer.point().stampedPackets();
        try {
            if (packetsOfRuns.addAndGet(packets) > RunParameters.MAXIMUM_PACKETS) {
                throw Handshake.refuse(
                        control.connection(),
                        Refusal.RUN,
                        "The receiver counts at most " + RunParameters.MAXIMUM_PACKETS
                                + " packets at a time, of all streams together.");
            }
            receiveAll(control, offer);
        } finally {
            packetsOfRuns.addAndGet(-packets);
        }
    }

    private void receiveAll(ControlSession control, ControlMessage.Offer offer) throws IOException, LagbenchException {
        try (ReceiverRun run = ReceiverRun.open(control, offer, transports, engines, directory)) {
            try {
                run.receive();
                run.files().serve(control);
                run.files().sideFiles().throwIfMissing();
            } finally {
                if (!control.keepsStamps()) {
                    run.deleteFiles();
                }
            }
        }
    }

    /**
     * Executes a run.
     *
     * @param host the other side of the run
     * @param waits whether it waits until no other run hinders it
     */
    private void execute(ControlSession control, StreamRole turn, String host, boolean waits, Run run)
            throws IOException, LagbenchException {
        boolean isAdmitted = waits && connections.admit(control.connection());
        if (isAdmitted ? !turns.beginInTurn(turn, host) : !turns.begin(turn, host)) {
            throw Handshake.refuse(
                    control.connection(), Refusal.BUSY, "The receiver is busy with another run; try again later.");
        }
        connections.admit(control.connection());
        ExitCode result = ExitCode.BROKEN;
        LagbenchException reason = null;
        try {
            run.execute();
            result = ExitCode.OK;
        } catch (LagbenchException e) {
            result = e.exitCode();
            reason = e;
            throw e;
        } finally {
            end(turn, result, reason);
        }
    }

    private synchronized void end(StreamRole turn, ExitCode result, @Nullable LagbenchException reason) {
        turns.end(turn);
        if (outcome == ExitCode.OK) {
            outcome = result;
            failure = reason;
        }
        if (runsLeft.decrementAndGet() == 0) {
            whenLastEnds.run();
        }
    }

    private interface Run {
        void execute() throws IOException, LagbenchException;
    }
}
