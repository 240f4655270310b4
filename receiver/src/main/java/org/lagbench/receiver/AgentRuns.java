package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.FileExchange;
import org.lagbench.control.Handshake;
import org.lagbench.control.Heartbeat;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.text.Endpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs that coordinators request from this agent. This host sends to a third host, and keeps the files of both
 * sides until the coordinator has copied them. Thread-safe.
 *
 * @param directory parent of the new directories with the files of runs
 */
record AgentRuns(SenderPrograms senders, Path directory) {
    private static final Logger LOG = LoggerFactory.getLogger(AgentRuns.class);
    private static final Duration ALIVE_TIMEOUT = Duration.ofSeconds(10);
    private static final long MAXIMUM_NS = TimeUnit.MINUTES.toNanos(15);

    /**
     * Returns the receiver's host in a request. It must be one of this agent's sites, spelled like it: other hosts are
     * neither resolved nor called, so that a coordinator cannot find out which ones there are.
     */
    static String host(ControlConnection coordinator, ControlMessage.MakeRun request, Set<Endpoint> sites)
            throws IOException, LagbenchException {
        Endpoint receiver;
        try {
            receiver = Endpoint.parse(request.receiver());
        } catch (IllegalArgumentException e) {
            throw Handshake.refuse(coordinator, Refusal.RUN, "The agent got an invalid address: " + e.getMessage());
        }
        if (!sites.contains(receiver)) {
            throw Handshake.refuse(
                    coordinator,
                    Refusal.RUN,
                    "The agent does not send to " + receiver + "; add it there to the hosts in lagbench serve --site.");
        }
        return receiver.host();
    }

    /**
     * Executes a run, and returns when the coordinator has copied its files or has disconnected.
     *
     * @throws LagbenchException if the request was refused, or the run failed; the coordinator has received the reason
     */
    void serve(ControlConnection coordinator, ControlMessage.MakeRun request) throws IOException, LagbenchException {
        Path files;
        try {
            Files.createDirectories(directory);
            files = Files.createTempDirectory(directory, "requested-");
        } catch (IOException e) {
            throw Handshake.refuse(
                    coordinator,
                    Refusal.FILES,
                    "The agent cannot create a directory in " + directory + ": " + IoErrors.reason(e) + ".");
        }
        AtomicReference<@Nullable LagbenchException> failure = new AtomicReference<>();
        try {
            SenderPrograms.Running sender = senders.sendTo(coordinator, request, files);
            Path run = files.resolve(request.request().run().name());
            Heartbeat heartbeat = new Heartbeat(coordinator, ALIVE_TIMEOUT);
            Thread reporter = new Thread(
                    () -> failure.set(report(coordinator, sender, run, heartbeat)), "agent-" + request.receiver());
            reporter.start();
            try (heartbeat) {
                copyUntilClosed(coordinator, run);
            } finally {
                sender.close();
                Uninterruptibly.join(reporter);
            }
        } finally {
            FileTree.delete(files);
        }
        LagbenchException reason = failure.get();
        if (reason != null) {
            throw reason;
        }
    }

    /** Waits for the end of a run, sends its result, and returns the failure; null if the run succeeded. */
    private static @Nullable LagbenchException report(
            ControlConnection coordinator, SenderPrograms.Running sender, Path run, Heartbeat heartbeat) {
        LagbenchException failure;
        List<String> files = List.of();
        try {
            failure = sender.awaitEnd(event -> {});
            if (failure == null) {
                files = RunFileNames.list(run, RunFileNames::isName);
            }
        } catch (IOException e) {
            failure = IoErrors.toException("The sender's files in " + run + " cannot be read", e);
        }
        try {
            heartbeat.quiet();
            coordinator.write(
                    failure == null
                            ? new ControlMessage.RunMade(files)
                            : new ControlMessage.Refused(Refusal.of(failure.exitCode()), failure.sentence()));
        } catch (IOException e) {
            LOG.debug("{} is gone: {}", coordinator.peer(), IoErrors.reason(e)); // the reading thread reports why
        }
        return failure;
    }

    private static void copyUntilClosed(ControlConnection coordinator, Path run) throws IOException {
        coordinator.readTimeoutMs(Math.toIntExact(4 * ALIVE_TIMEOUT.toMillis()));
        long endNs = System.nanoTime() + MAXIMUM_NS;
        for (ControlMessage next = coordinator.readUnlessClosed();
                next != null && System.nanoTime() - endNs < 0;
                next = coordinator.readUnlessClosed()) {
            if (!(next instanceof ControlMessage.Alive)) {
                String name = ControlConnection.expect(next, ControlMessage.Fetch.class)
                        .file();
                FileExchange.send(coordinator, run.resolve(name));
            }
        }
    }
}
