package org.lagbench.control;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.text.Endpoint;

/**
 * Requests runs from an agent, and copies the files of the sender and the receiver.
 *
 * @param agent address of the agent
 * @param key shared with the agent and its peers; null for none
 */
public record AgentCall(Endpoint agent, @Nullable SharedKey key, ShutdownCoordinator shutdown) {
    /** Maximum duration of a run. */
    private static final Duration LIMIT = Duration.ofMinutes(10);

    private static final Duration ALIVE_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SILENCE = ALIVE_TIMEOUT.multipliedBy(4);

    /**
     * Requests a run, waits for its end, and copies its files.
     *
     * @param receiver address of the receiver of the packets
     * @param directory existing directory of the run
     * @return the agent's clock, for a check of its stamps
     * @throws LagbenchException if the agent refuses, or the run failed
     */
    public PeerClock execute(Endpoint receiver, RunRequest request, Path directory) throws LagbenchException {
        long begunNs = System.nanoTime();
        try (ControlConnection connection = ReceiverConnection.open(agent, key, shutdown)) {
            Runnable stop = () -> ReceiverConnection.interrupt(connection, null);
            shutdown.onInterrupt(stop);
            try (Heartbeat heartbeat = new Heartbeat(connection, ALIVE_TIMEOUT)) {
                connection.readTimeoutMs(Math.toIntExact(SILENCE.toMillis()));
                PeerClock clock = new PeerClock();
                connection.write(new ControlMessage.Ping(RealtimeClock.nowNs()));
                clock.add(connection.read(ControlMessage.Pong.class).repliedNs(), connection.lastReadNs());
                connection.write(new ControlMessage.MakeRun(receiver.toString(), request));
                for (String file : awaitEnd(connection, begunNs).files()) {
                    FileExchange.receive(
                            connection,
                            directory.resolve(file).toAbsolutePath(),
                            FileExchange.largestBytes(request.run().point().stampedPackets(), begunNs),
                            SILENCE);
                }
                heartbeat.quiet();
                return clock;
            } finally {
                shutdown.forget(stop);
            }
        } catch (RefusedException e) {
            throw e.reason().exitCode().failure("At " + agent + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private ControlMessage.RunMade awaitEnd(ControlConnection connection, long begunNs) throws IOException {
        ControlMessage next = connection.read();
        while (next instanceof ControlMessage.Alive) {
            if (System.nanoTime() - begunNs > LIMIT.toNanos()) {
                throw new SocketTimeoutException("the run takes longer than " + LIMIT.toSeconds() + " s");
            }
            next = connection.read();
        }
        return ControlConnection.expect(next, ControlMessage.RunMade.class);
    }

    private LagbenchException failed(IOException e) {
        if (shutdown.isInterrupted()) {
            return ExitCode.INTERRUPTED.failure("Interrupted.", e);
        }
        return e instanceof FileSystemException
                ? IoErrors.toException("A file of the run cannot be kept", e)
                : ExitCode.BROKEN.failure(
                        "The connection to the agent at " + agent + " failed: " + IoErrors.reason(e) + ".", e);
    }
}
