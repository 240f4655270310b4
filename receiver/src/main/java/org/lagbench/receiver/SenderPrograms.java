package org.lagbench.receiver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.Handshake;
import org.lagbench.core.control.Refusal;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.SenderRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The senders on this host that other hosts request. The arguments of a request select only the traffic, never a file
 * of this host. This class sets the destination and the directory of the stamps. Each run has a new process. Only an
 * agent's runs with an engine outside the JVM use the process of an earlier run, if one is idle. Thread-safe.
 */
final class SenderPrograms {
    private static final Logger LOG = LoggerFactory.getLogger(SenderPrograms.class);

    /** Prefix of the line with which a sender reports that it waits for its receiver; its address follows. */
    private static final String LISTENING = "listening on ";

    /** Prefix of the error messages of lagbench's programs. */
    private static final String ERROR = "lagbench: ";

    private static final Pattern ACCEPTED = Pattern.compile(
            "--(name|transport|packet-bytes|packets|warm-up-packets|traffic|in-flight|answer-timeout|transfer-bytes"
                    + "|connection|codec|data|pace|repeat|set|observe|jvm|engine|drain|stall-timeout|clock-max-error"
                    + "|wait-for-clock|stream|direction|beside)=.*|--accept-unsynchronized");

    private static final String ENGINE = "--engine=";
    private static final String DATA = "--data=";

    private static final long END_TIMEOUT_S = 30;

    /** After half the time in which an idle sender ends itself, none is used again. */
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(120);

    private final List<String> command;
    private final List<String> common;
    private final Path directory;
    private final boolean isAgent;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();
    private final Queue<Idle> idle = new ConcurrentLinkedQueue<>();
    private final Engines engines = Engines.load();

    /** A sender that waits for its next run since {@code sinceNs}, as {@link System#nanoTime}. */
    private record Idle(Process process, long sinceNs) {}

    /**
     * Creates senders that keep their stamps in a directory.
     *
     * @param command the beginning of a sender's command line; empty if this host does not send
     * @param directory parent of the directories of the runs
     * @param keyFile the file with the shared key; null if it is a variable or there is none
     * @param chrony address of this host's chronyd
     */
    SenderPrograms(List<String> command, Path directory, @Nullable Path keyFile, String chrony) {
        this(command, directory, keyFile, chrony, false);
    }

    /**
     * Creates senders like {@link #SenderPrograms(List, Path, Path, String)}.
     *
     * @param isAgent whether senders may also send to hosts other than the requesting one
     */
    SenderPrograms(List<String> command, Path directory, @Nullable Path keyFile, String chrony, boolean isAgent) {
        this.command = List.copyOf(command);
        List<String> options = new ArrayList<>(List.of("--chrony", chrony));
        if (keyFile != null) {
            options.addAll(List.of("--key-file", keyFile.toString()));
        }
        this.common = List.copyOf(options);
        this.directory = directory;
        this.isAgent = isAgent;
    }

    /**
     * Starts a sender, replies where it waits, and returns when its run is complete.
     *
     * @throws LagbenchException if the request was refused, or the run failed; the peer has received the reason
     */
    void serve(ControlConnection connection, ControlMessage.OpenSender request) throws IOException, LagbenchException {
        check(connection, request.arguments());
        Process process = startOne(options(
                List.of(
                        "--directory", directory.toString(),
                        "--listen", new Endpoint(connection.localHost(), 0).toString(),
                        "--receiver-host", Endpoint.parse(connection.peer()).host()),
                request.arguments()));
        try {
            String failure = awaitEnd(process, connection);
            int code = Uninterruptibly.awaitEnd(process);
            if (code != ExitCode.OK.code()) {
                throw Handshake.refuse(connection, Refusal.of(ExitCode.ofProcess(code)), "On the sender: " + failure);
            }
        } finally {
            running.remove(process);
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
        if (!isAgent) {
            throw Handshake.refuse(
                    coordinator,
                    Refusal.RUN,
                    "The receiver there sends to no third host; start it with lagbench serve --agent.");
        }
        check(coordinator, request.arguments());
        List<String> options = options(
                List.of("--directory", files.toString(), "--receiver", request.receiver(), "--probe"),
                request.arguments());
        return new Running(isOutsideJvm(request.arguments()) ? request(options) : startOne(options));
    }

    private boolean isOutsideJvm(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> argument.startsWith(ENGINE))
                .flatMap(argument -> engines.find(argument.substring(ENGINE.length())).stream())
                .anyMatch(engine -> !engine.runsOnJvm());
    }

    /** Makes an idle sender or a new one begin a run. */
    private Process request(List<String> options) throws LagbenchException {
        for (Idle next = idle.poll(); next != null; next = idle.poll()) {
            if (System.nanoTime() - next.sinceNs < IDLE_NS && write(next.process, options)) {
                return next.process;
            }
            end(next.process);
            running.remove(next.process);
        }
        Process process = start(List.of(SenderRequest.OPTION));
        write(process, options); // if it has ended, its output has the reason
        return process;
    }

    /** Writes the options of a run to a sender; returns false if it has ended. */
    private static boolean write(Process process, List<String> options) {
        try {
            OutputStream input = process.getOutputStream();
            input.write((SenderRequest.line(options) + "\n").getBytes(StandardCharsets.US_ASCII));
            input.flush();
            return true;
        } catch (IOException e) {
            LOG.debug("the sender has ended: {}", e.toString());
            return false;
        }
    }

    /** A run with a third host. Closing it interrupts the sender if the run has not ended, and waits for its end. */
    final class Running implements AutoCloseable {
        private final Process process;
        private volatile boolean isComplete;

        Running(Process process) {
            this.process = process;
        }

        /** Waits for the end, and returns the failure; null if the run succeeded. */
        @Nullable
        LagbenchException awaitEnd() throws IOException {
            String failure = SenderPrograms.awaitEnd(process, null);
            if (failure == null) {
                isComplete = true;
                idle.add(new Idle(process, System.nanoTime()));
                return null;
            }
            ExitCode code = ExitCode.ofProcess(Uninterruptibly.awaitEnd(process));
            return code == ExitCode.OK ? null : new LagbenchException(code, "On the sender: " + failure);
        }

        @Override
        public void close() {
            if (isComplete) {
                return; // the process may already make another run
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

    private void check(ControlConnection connection, List<String> arguments) throws IOException, LagbenchException {
        if (command.isEmpty()) {
            throw Handshake.refuse(
                    connection, Refusal.RUN, "The receiver there sends nothing; start it with lagbench serve.");
        }
        for (String argument : arguments) {
            if (!ACCEPTED.matcher(argument).matches()) {
                throw Handshake.refuse(
                        connection, Refusal.RUN, "The receiver there does not accept \"" + argument + "\".");
            }
            if (argument.startsWith(DATA) && CompressionSpec.isFile(argument.substring(DATA.length()))) {
                throw Handshake.refuse(
                        connection,
                        Refusal.SETTING,
                        "data: \"" + argument.substring(DATA.length())
                                + "\" is a file, and the host there sends none of"
                                + " its files to others; request generated data, such as "
                                + CompressionSpec.DEFAULT_DATA + ", or start the run on that host.");
            }
        }
    }

    private List<String> options(List<String> place, List<String> arguments) {
        return Stream.of(common, place, arguments).flatMap(List::stream).toList();
    }

    /** Starts a sender that makes one run. */
    private Process startOne(List<String> options) throws LagbenchException {
        return start(
                Stream.concat(Stream.of("--end-with-stdin"), options.stream()).toList());
    }

    private Process start(List<String> options) throws LagbenchException {
        List<String> all = new ArrayList<>(command);
        all.addAll(options);
        try {
            Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
            running.add(process);
            return process;
        } catch (IOException e) {
            throw ChildFailure.notStarted("The sender cannot be started", e);
        }
    }

    /**
     * Reads the output of a sender until it ends, and returns its last error message; null if it has not ended but
     * waits for its next run.
     *
     * @param connection receives the port at which the sender listens; null if the sender connects to a receiver
     */
    private static @Nullable String awaitEnd(Process process, @Nullable ControlConnection connection)
            throws IOException {
        String failure = "it ended.";
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8); // the same in each run
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.equals(SenderRequest.COMPLETE)) {
                return null;
            }
            if (connection != null && line.startsWith(LISTENING)) {
                Endpoint endpoint = Endpoint.parse(line.substring(LISTENING.length()));
                connection.write(new ControlMessage.SenderOpened(endpoint.port()));
                continue;
            }
            if (line.startsWith(ERROR)) {
                failure = line.substring(ERROR.length());
            }
            LOG.info("sender: {}", line);
        }
        output.close();
        return failure;
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
