package org.lagbench.packetio.nativeengine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.recorder.PacketThread;
import org.lagbench.packetio.engine.EngineEndedException;
import org.lagbench.packetio.socket.TransferRecorder;
import org.lagbench.packetio.transport.PacketErrorCounts;
import org.lagbench.packetio.transport.Retransmissions;
import org.lagbench.packetio.transport.SideConfig;

/**
 * A process of lagbench-engine or of a program like it, controlled by lines of text (src/main/engine/protocol.h). One
 * thread sends commands and awaits the statuses that follow; any thread may {@link #send} other commands, read the
 * metadata and {@link #close}.
 */
final class NativeProcess implements AutoCloseable {
    private static final int END_TIMEOUT_S = 10;

    /** The end of the queue of statuses, added after the last one. */
    private static final String END = "end";

    private static final String CAPTURE_FAILED = "capture-failed";
    private static final String RETRANSMISSIONS = "retransmissions";
    private static final long RETRANSMISSIONS_TIMEOUT_S = 1;

    /** The program's name, for messages. */
    private final String name;

    private final Process process;
    private final OutputStream commands;
    private final BlockingQueue<String> statuses = new LinkedBlockingQueue<>();
    private final Map<String, Object> metadata = new ConcurrentHashMap<>();
    /** The requests of retransmissions whose status is to come, in the same order. */
    private final Queue<CompletableFuture<@Nullable Retransmissions>> requests = new ConcurrentLinkedQueue<>();

    private volatile @Nullable Retransmissions retransmissions;
    private final @Nullable TransferRecorder recorder;
    private final Consumer<String> onFailure;
    private final Function<IOException, String> onCaptureFailure;
    private final Thread reader = new Thread(this::readStatuses, "c engine");
    private volatile @Nullable String failure;
    private volatile boolean endedByInterruption;
    private volatile boolean endedUnasked;
    private volatile boolean closing;
    private volatile String port = "none";
    private volatile long lastIndex = Long.MIN_VALUE;
    private volatile @Nullable PacketThread thread;

    private NativeProcess(
            String name,
            Process process,
            @Nullable TransferRecorder recorder,
            Consumer<String> onFailure,
            Function<IOException, String> onCaptureFailure) {
        this.name = name;
        this.process = process;
        this.recorder = recorder;
        this.commands = process.getOutputStream();
        this.onFailure = onFailure;
        this.onCaptureFailure = onCaptureFailure;
    }

    /**
     * Starts the program.
     *
     * @param role send or receive
     * @param address the address and port to connect to or to bind
     * @param more further arguments
     * @param recorder receives the transfers; null in other traffic
     * @param onFailure called in another thread with the reason if the process fails or ends unexpectedly
     * @param onCaptureFailure called before {@code onFailure}, with the reason, if the disk accepts no more records;
     *     returns a sentence for the message
     */
    static NativeProcess launch(
            Path program,
            String role,
            SideConfig config,
            InetSocketAddress address,
            List<String> more,
            @Nullable TransferRecorder recorder,
            Consumer<String> onFailure,
            Function<IOException, String> onCaptureFailure)
            throws LagbenchException {
        List<String> command = ProgramArguments.of(program, role, config, address);
        command.addAll(more);
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
            NativeProcess started = new NativeProcess(
                    String.valueOf(program.getFileName()), process, recorder, onFailure, onCaptureFailure);
            started.reader.setDaemon(true);
            started.reader.start();
            started.sendTag(config.tag());
            return started;
        } catch (IOException e) {
            throw ChildFailure.notStarted("The program " + program + " cannot be started", e);
        }
    }

    long pid() {
        return process.pid();
    }

    /** Not an argument, because every user of this host can read the arguments. */
    private void sendTag(long tag) {
        try {
            send("tag " + HexFormat.of().toHexDigits(tag));
        } catch (IOException e) {
            // the program has ended, and awaitReady() reports why
        }
    }

    /** Waits until the program has opened all; closes it if it fails. */
    void awaitReady(ExitCode exitCode) throws LagbenchException {
        thread = PacketThread.of(process.pid(), Long.parseLong(awaitStep("ready", exitCode)));
    }

    /** Waits until a sender's program listens, and returns its port; closes it if it fails. */
    int awaitListening() throws LagbenchException {
        awaitStep("listening", ExitCode.UNAVAILABLE);
        return port();
    }

    private String awaitStep(String word, ExitCode exitCode) throws LagbenchException {
        try {
            return awaitStatus(word);
        } catch (IOException e) {
            close();
            throw endedByInterruption
                    ? ExitCode.INTERRUPTED.failure("Interrupted", e)
                    : exitCode.failure(IoErrors.reason(e), e);
        }
    }

    void send(String command) throws IOException {
        try {
            synchronized (commands) {
                commands.write((command + "\n").getBytes(StandardCharsets.US_ASCII));
                commands.flush();
            }
        } catch (IOException e) {
            String reason = failure;
            throw new IOException(
                    reason == null ? "Cannot send a command to " + name + ": " + IoErrors.reason(e) : reason, e);
        }
    }

    /** Waits as {@link #awaitStatus(String, long)} does, but without a limit. */
    String awaitStatus(String word) throws IOException {
        return awaitStatus(word, Long.MAX_VALUE);
    }

    /**
     * Waits for the status that begins with a word, and returns the rest of it. After the time limit, kills the
     * process.
     *
     * @throws EngineEndedException if the process ended, by a fault or by a signal that is no interruption
     * @throws IOException if the process failed; the message is the reason
     */
    String awaitStatus(String word, long timeoutS) throws IOException {
        try {
            while (true) {
                String status = statuses.poll(timeoutS, TimeUnit.SECONDS);
                if (status == null) {
                    fail(name + " did not reply for " + timeoutS
                            + " s: it was stopped, as by SIGSTOP, and was killed.");
                    process.destroyForcibly();
                } else if (status.equals(word)) {
                    return "";
                } else if (status.startsWith(word + " ")) {
                    return status.substring(word.length() + 1);
                } else if (status.equals(END)) {
                    statuses.add(END); // so that the next call also ends
                    String reason = String.valueOf(failure);
                    throw endedUnasked ? new EngineEndedException(reason) : new IOException(reason);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + name, e);
        }
    }

    private void readStatuses() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                handleStatus(line);
            }
        } catch (IOException e) {
            fail("Cannot read the statuses of " + name + ": " + IoErrors.reason(e));
        }
        if (failure == null) {
            int code = Uninterruptibly.awaitEnd(process);
            endedByInterruption = ChildFailure.isInterrupted(code);
            endedUnasked = !endedByInterruption;
            fail(name + " ended during the run, " + ChildFailure.ending(code, "; the lines above say why")
                    + ". Make the run again.");
        }
    }

    private void fail(String reason) {
        failure = reason;
        statuses.add(END);
        completeRequests();
        if (!closing) {
            onFailure.accept(reason);
        }
    }

    private void handleStatus(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "metadata" -> metadata.put(words[1], value(words[2]));
            case "packet-errors" -> {
                String[] counts = words[2].split(" ", 2);
                PacketErrorCounts.put(metadata, words[1], Long.parseLong(counts[0]), Long.parseLong(counts[1]));
            }
            case "port" -> port = words[1];
            case "progress" -> lastIndex = Long.parseLong(words[1]);
            case RETRANSMISSIONS -> accept(numbers(line));
            case "state" -> {
                if (recorder != null) {
                    recorder.state(numbers(line));
                }
            }
            case "transfer" -> {
                if (recorder != null) {
                    recorder.answered(numbers(line));
                }
            }
            case CAPTURE_FAILED ->
                fail(onCaptureFailure.apply(new IOException(line.substring(CAPTURE_FAILED.length() + 1))));
            case "failed" -> fail(line.substring("failed ".length()));
            default -> statuses.add(line);
        }
    }

    private void accept(long[] counts) {
        if (counts.length == Retransmissions.VALUES) {
            retransmissions = Retransmissions.of(counts);
        }
        CompletableFuture<@Nullable Retransmissions> request = requests.poll();
        if (request != null) {
            request.complete(retransmissions);
        }
    }

    private void completeRequests() {
        requests.forEach(request -> request.complete(retransmissions));
    }

    /** Returns the numbers after the first word. */
    private static long[] numbers(String line) {
        return Arrays.stream(line.split(" ")).skip(1).mapToLong(Long::parseLong).toArray();
    }

    private static Object value(String text) {
        if (text.matches("-?\\d{1,18}")) {
            return Long.valueOf(text);
        }
        return text.equals("true") || text.equals("false") ? (Object) Boolean.valueOf(text) : text;
    }

    /** Returns the metadata for {@code run.json}. */
    Map<String, Object> metadata() {
        return Map.copyOf(metadata);
    }

    /** Returns the port at which it receives, or waits for the receiver. */
    int port() {
        return Integer.parseInt(port);
    }

    /** Returns the index, as in {@code SendEngine.send}, in the latest progress status, or {@link Long#MIN_VALUE}. */
    long lastIndex() {
        return lastIndex;
    }

    /**
     * Requests the count of retransmissions without waiting for the status. Returns the latest known count; null before
     * the first status.
     */
    @Nullable
    Retransmissions recentRetransmissions() {
        return requestRetransmissions().getNow(retransmissions);
    }

    /**
     * Returns the current count of retransmissions, or the latest known count if the process has ended; null if it
     * printed none.
     */
    @Nullable
    Retransmissions retransmissions() {
        try {
            return requestRetransmissions().get(RETRANSMISSIONS_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return retransmissions;
        } catch (ExecutionException | TimeoutException e) {
            return retransmissions;
        }
    }

    private CompletableFuture<@Nullable Retransmissions> requestRetransmissions() {
        CompletableFuture<@Nullable Retransmissions> request = new CompletableFuture<>();
        try {
            synchronized (commands) {
                requests.add(request);
                send(RETRANSMISSIONS);
            }
        } catch (IOException e) {
            request.complete(retransmissions); // the thread that waits for a status gets the reason
        }
        if (failure != null) {
            completeRequests();
        }
        return request;
    }

    /** Returns the thread that sends or receives; null if the platform does not identify threads. */
    @Nullable
    PacketThread thread() {
        return thread;
    }

    /** Ends the process and waits for its end. May be called more than once. */
    @Override
    public void close() {
        closing = true;
        try {
            synchronized (commands) {
                commands.close();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        }
        try {
            if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            reader.join();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
