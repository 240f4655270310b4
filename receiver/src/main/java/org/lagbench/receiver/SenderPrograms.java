package org.lagbench.receiver;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.Handshake;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.control.SideRequests;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.text.Endpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The senders on this host that other hosts request. A request selects only the traffic, never a file of this host.
 * This class sets the destination and the directory of the stamps. Each run has a new process. Only an agent's runs
 * with an engine outside the JVM use the process of an earlier run, if one is idle. Thread-safe.
 */
final class SenderPrograms {
    private static final Logger LOG = LoggerFactory.getLogger(SenderPrograms.class);

    /** Prefix of the error messages of lagbench's programs. */
    private static final String ERROR = "lagbench: ";

    private static final long END_TIMEOUT_S = 30;

    /** After half the time in which an idle sender ends itself, none is used again. */
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(120);

    private final List<String> command;
    private final @Nullable SharedKey key;
    private final Endpoint chrony;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final Queue<Idle> idle = new ConcurrentLinkedQueue<>();
    private final Engines engines = Engines.load();
    private final Transports transports = Transports.load();

    /** A sender that waits for its next run since {@code sinceNs}, as {@link System#nanoTime}. */
    private record Idle(Process process, long sinceNs) {}

    /**
     * Creates senders.
     *
     * @param command the beginning of a sender's command line; empty if this host does not send
     * @param key shared with the receivers on other hosts; null for none
     * @param chrony address of this host's chronyd
     */
    SenderPrograms(List<String> command, @Nullable SharedKey key, Endpoint chrony) {
        this.command = List.copyOf(command);
        this.key = key;
        this.chrony = chrony;
    }

    /**
     * Starts a sender, replies where it waits, and returns when its run is complete.
     *
     * @param local this host's end of the packets
     * @param provenKey the key that the peer has proven; null for none
     * @param files parent of the run's directory
     * @param keepsFiles whether this host keeps them
     * @throws LagbenchException if the request was refused, or the run failed; the peer has received the reason
     */
    void serve(
            ControlConnection connection,
            ControlMessage.OpenSender request,
            LocalEnd local,
            @Nullable SharedKey provenKey,
            Path files,
            boolean keepsFiles)
            throws IOException, LagbenchException {
        check(connection, request.request());
        AtomicBoolean isRecording = new AtomicBoolean();
        SideMessage.SendToRequester requested = new SideMessage.SendToRequester(
                new SideMessage.SideRun(request.request(), files.toString(), chrony, provenKey),
                new Endpoint(connection.localHost(), 0),
                Endpoint.parse(connection.peer()).host(),
                local.onConnection(),
                keepsFiles);
        try (Running sender = new Running(start(requested, files), false)) {
            new Thread(() -> endIfAbandoned(sender.process, connection, isRecording), "requester-" + connection.peer())
                    .start();
            LagbenchException failure = sender.awaitEnd(event -> {
                isRecording.compareAndSet(false, event instanceof SideMessage.Recording);
                if (event instanceof SideMessage.Listening listening) {
                    connection.write(
                            new ControlMessage.SenderOpened(listening.address().port()));
                }
            });
            if (failure != null) {
                throw Handshake.refuse(connection, Refusal.of(failure.exitCode()), failure.sentence());
            }
        }
    }

    /** Ends a sender when the peer that has requested it disconnects before packets are recorded. */
    private static void endIfAbandoned(Process process, ControlConnection requester, AtomicBoolean isRecording) {
        try {
            requester.readTimeoutMs(0);
            requester.readUnlessClosed();
        } catch (IOException e) {
            LOG.debug("{} has disconnected: {}", requester.peer(), IoErrors.reason(e));
        }
        if (!isRecording.get()) {
            end(process);
        }
    }

    /**
     * Starts a sender to a third host. The sender announces its run as a probe: the receiver makes it wait for other
     * runs, and keeps no files.
     *
     * @param files parent of the run's directory
     * @throws LagbenchException if the request was refused; the coordinator has received the reason
     */
    Running sendTo(ControlConnection coordinator, ControlMessage.MakeRun request, Path files)
            throws IOException, LagbenchException {
        check(coordinator, request.request());
        EngineSpec program = request.request().run().point().program();
        boolean isOutsideJvm = engines.find(program.engine())
                .filter(engine -> !engine.runsOnJvm())
                .isPresent();
        SideMessage.Send requested = new SideMessage.Send(
                new SideMessage.SideRun(request.request(), files.toString(), chrony, key),
                Endpoint.parse(request.receiver()),
                null,
                LocalEnd.ANY,
                true,
                false,
                false,
                !isOutsideJvm);
        return new Running(isOutsideJvm ? startOrContinue(requested, files) : start(requested, files), isOutsideJvm);
    }

    /** Makes an idle sender or a new one begin a run. */
    private Process startOrContinue(SideMessage.Request request, Path files) throws LagbenchException {
        for (Idle next = idle.poll(); next != null; next = idle.poll()) {
            if (System.nanoTime() - next.sinceNs < IDLE_NS && SidePipe.write(next.process, request)) {
                return next.process;
            }
            end(next.process);
            running.remove(next.process);
        }
        return start(request, files);
    }

    /** Receives the events of a sender. */
    interface EventConsumer {
        void accept(SideMessage.Event event) throws IOException;
    }

    /** A run of a sender. Closing it interrupts the sender if the run has not ended, and waits for its end. */
    final class Running implements AutoCloseable {
        private final Process process;
        private final boolean continues;
        private volatile boolean isIdle;

        /** @param continues whether the sender waits for another run after this one */
        private Running(Process process, boolean continues) {
            this.process = process;
            this.continues = continues;
        }

        /**
         * Reads the output of the sender until the run ends, and returns the failure; null if the run succeeded.
         *
         * @param events receives all events except the last
         */
        @Nullable
        LagbenchException awaitEnd(EventConsumer events) throws IOException {
            String failure = "it ended.";
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8); // the process has one reader
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                SideMessage message = SidePipe.parse(line);
                if (message instanceof SideMessage.Completed) {
                    isIdle = continues && idle.add(new Idle(process, System.nanoTime()));
                    return null;
                }
                if (message instanceof SideMessage.Event event) {
                    events.accept(event);
                }
                if (line.startsWith(ERROR)) {
                    failure = line.substring(ERROR.length());
                }
                LOG.atLevel(message == null ? Level.INFO : Level.DEBUG).log("sender: {}", line);
            }
            output.close();
            ExitCode code = ExitCode.ofProcess(Uninterruptibly.awaitEnd(process));
            return code == ExitCode.OK ? null : code.failure("On the sender: " + failure);
        }

        @Override
        public void close() {
            if (isIdle) {
                return; // the process may already execute another run
            }
            end(process);
            try {
                if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                process.destroyForcibly();
                Thread.currentThread().interrupt();
            } finally {
                running.remove(process);
            }
        }
    }

    private void check(ControlConnection connection, RunRequest request) throws IOException, LagbenchException {
        if (command.isEmpty()) {
            throw Handshake.refuse(
                    connection, Refusal.RUN, "The receiver cannot send; start it with lagbench serve instead.");
        }
        if (request.sendsFile()) {
            throw Handshake.refuse(
                    connection,
                    Refusal.SETTING,
                    "data names a file, but the receiver sends no file of its host; request generated data, such"
                            + " as " + CompressionSpec.DEFAULT_DATA + ", or start the run on that host.");
        }
        Point point = request.run().point();
        Set<Endpoint> elsewhere = transports
                .find(point.transport())
                .map(transport -> transport.destinations(point.settings()))
                .orElse(Set.of());
        if (!elsewhere.isEmpty()) {
            throw Handshake.refuse(
                    connection,
                    Refusal.SETTING,
                    "The receiver's host sends packets only to the host that requested the run, not to "
                            + elsewhere.iterator().next() + "; start the run on that host.");
        }
    }

    /** Starts a sender that begins with a request. */
    private Process start(SideMessage.Request request, Path files) throws LagbenchException {
        List<String> all = new ArrayList<>(command);
        all.addAll(SideRequests.arguments(files));
        try {
            Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
            running.add(process);
            SidePipe.write(process, request); // if the process has ended, its output has the reason
            return process;
        } catch (IOException e) {
            throw ChildFailure.notStarted("The sender cannot be started", e);
        }
    }

    /** Interrupts all senders, which notify their receivers. */
    void interrupt() {
        running.forEach(process -> SidePipe.write(process, new SideMessage.Interrupt()));
    }

    /** Ends all senders, which notify their receivers. */
    void end() {
        running.forEach(SenderPrograms::end);
    }

    private static void end(Process process) {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            LOG.debug("the sender has ended: {}", e.toString());
        }
    }
}
