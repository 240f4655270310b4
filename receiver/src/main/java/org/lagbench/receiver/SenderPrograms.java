package org.lagbench.receiver;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.control.Handshake;
import org.lagbench.core.control.Refusal;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The senders on this host that other hosts request, each a process that makes one run. A request selects only what is
 * sent. This class decides where it is sent, and where the stamps are kept. Thread-safe.
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

    private final List<String> command;
    private final Set<Process> running = ConcurrentHashMap.newKeySet();

    /**
     * Creates senders that keep their stamps in a directory.
     *
     * @param command the beginning of a sender's command line; empty if this host does not send
     * @param directory parent of the directories of the runs
     * @param keyFile the file with the shared key; null if it is a variable or there is none
     * @param chrony address of this host's chronyd
     */
    SenderPrograms(List<String> command, Path directory, @Nullable Path keyFile, String chrony) {
        List<String> all = new ArrayList<>(command);
        if (!command.isEmpty()) {
            all.addAll(List.of("--end-with-stdin", "--directory", directory.toString(), "--chrony", chrony));
            if (keyFile != null) {
                all.addAll(List.of("--key-file", keyFile.toString()));
            }
        }
        this.command = List.copyOf(all);
    }

    /**
     * Starts a sender, replies where it waits, and returns when its run is complete.
     *
     * @throws LagbenchException if the request was refused, or the run failed; the peer has received the reason
     */
    void serve(ControlConnection connection, ControlMessage.OpenSender request) throws IOException, LagbenchException {
        if (command.isEmpty()) {
            throw Handshake.refuse(
                    connection, Refusal.RUN, "The receiver there sends nothing; start it with lagbench serve.");
        }
        for (String argument : request.arguments()) {
            if (!ACCEPTED.matcher(argument).matches()) {
                throw Handshake.refuse(
                        connection, Refusal.RUN, "The receiver there does not accept \"" + argument + "\".");
            }
        }
        Process process = start(connection, request);
        running.add(process);
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

    private Process start(ControlConnection connection, ControlMessage.OpenSender request) throws LagbenchException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of(
                "--listen", new Endpoint(connection.localHost(), 0).toString(),
                "--receiver-host", Endpoint.parse(connection.peer()).host()));
        all.addAll(request.arguments());
        try {
            return new ProcessBuilder(all).redirectErrorStream(true).start();
        } catch (IOException e) {
            throw ChildFailure.notStarted("The sender cannot be started", e);
        }
    }

    /** Reads the output of a sender until it ends, and returns its last error message. */
    private static String awaitEnd(Process process, ControlConnection connection) throws IOException {
        String failure = "it ended.";
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(LISTENING)) {
                    Endpoint endpoint = Endpoint.parse(line.substring(LISTENING.length()));
                    connection.write(new ControlMessage.SenderOpened(endpoint.port()));
                    continue;
                }
                if (line.startsWith(ERROR)) {
                    failure = line.substring(ERROR.length());
                }
                LOG.info("sender: {}", line);
            }
        }
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
