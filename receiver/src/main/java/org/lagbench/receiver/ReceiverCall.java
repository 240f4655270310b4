package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.ReceiverConnection;
import org.lagbench.control.RefusedException;
import org.lagbench.control.SideMessage;
import org.lagbench.control.StartGate;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.text.Endpoint;

/**
 * Receives one run of a sender that it requests from another host, and then copies the sender's files. This side opens
 * all control connections.
 *
 * @param server where {@code lagbench serve} listens on that host
 * @param key the shared key; null for none
 * @param local this host's end of the packets
 * @param directory parent of the run's directory
 * @param chrony the daemon that synchronizes this host's clock
 * @param startGate delays the recorded packets after the warm-up
 */
record ReceiverCall(
        Endpoint server,
        @Nullable SharedKey key,
        LocalEnd local,
        Path directory,
        ChronyClient chrony,
        StartGate startGate) {
    private static final int START_TIMEOUT_MS = Math.toIntExact(TimeUnit.SECONDS.toMillis(60));

    /** Executes a run that a parent process requests. */
    static ExitCode execute(SideMessage.ReceiveFrom request, StartGate startGate, ShutdownCoordinator shutdown)
            throws LagbenchException {
        new ReceiverCall(
                        request.server(),
                        request.run().key(),
                        request.local(),
                        Path.of(request.run().directory()),
                        request.run().chronyClient(),
                        startGate)
                .receive(request.run().request(), shutdown);
        return ExitCode.OK;
    }

    /**
     * Executes the run.
     *
     * @throws LagbenchException if the request or the run was refused, or the run broke and left its stamps
     */
    void receive(RunRequest run, ShutdownCoordinator shutdown) throws LagbenchException {
        try (ControlConnection request = ReceiverConnection.open(server, key, local, shutdown)) {
            request.write(new ControlMessage.OpenSender(run));
            request.readTimeoutMs(START_TIMEOUT_MS);
            int port = request.read(ControlMessage.SenderOpened.class).port();
            Endpoint sender = new Endpoint(Endpoint.parse(request.peer()).host(), port);
            try (ControlConnection connection = ReceiverConnection.openToSender(sender, key, local, shutdown)) {
                Runnable stop = () -> interrupt(connection);
                shutdown.onInterrupt(stop);
                try {
                    receive(connection, run.run().point().pace());
                } finally {
                    shutdown.forget(stop);
                }
            }
        } catch (RefusedException e) {
            throw e.asFailure();
        } catch (LagbenchException e) {
            throw orInterrupted(e, shutdown);
        } catch (IOException e) {
            throw orInterrupted(
                    ExitCode.BROKEN.failure(
                            "The connection to the sender at " + server.host() + " failed during the run: "
                                    + IoErrors.reason(e) + ".",
                            e),
                    shutdown);
        }
    }

    private static LagbenchException orInterrupted(LagbenchException failure, ShutdownCoordinator shutdown) {
        return shutdown.isInterrupted() ? ExitCode.INTERRUPTED.failure("Interrupted.", failure) : failure;
    }

    private void receive(ControlConnection connection, Pace pace) throws IOException, LagbenchException {
        try (ControlSession control = new ControlSession(connection, local.onConnection(), chrony)) {
            ControlMessage.Offer offer = control.await(ControlMessage.Offer.class);
            try (ReceiverRun run = ReceiverRun.open(control, offer, Transports.load(), Engines.load(), directory)) {
                run.startAt(startGate, pace.intervalNs() / pace.burst());
                run.receive();
                run.files().fetch(control);
                run.files().sideFiles().throwIfMissing();
            }
        }
    }

    private void interrupt(ControlConnection connection) {
        startGate.stop();
        ReceiverConnection.interrupt(connection, new ControlMessage.Refused(Refusal.INTERRUPTED, "Interrupted"));
    }
}
