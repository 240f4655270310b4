package org.lagbench.packetio.nativeengine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.PacketThread;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.packetio.engine.EngineConfig;

/**
 * A running lagbench-engine, and the conversation with it, a line each (src/main/engine/protocol.h). One thread gives
 * orders and awaits what comes of them; any may {@link #order} what has no answer, read the metadata and
 * {@link #close}.
 */
final class NativeProcess implements AutoCloseable {
    private static final int END_TIMEOUT_S = 10;

    /** Put into the queue when nothing more will be said. */
    private static final String END = "end";

    private final Process process;
    private final OutputStream orders;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Map<String, Object> metadata = new ConcurrentHashMap<>();
    private final Consumer<String> failed;
    private final Thread reader = new Thread(this::readAll, "c engine");
    private volatile @Nullable String failure;
    private volatile boolean endedByInterruption;
    private volatile boolean closing;
    private volatile String port = "none";
    private volatile long lastSequence = Long.MIN_VALUE;
    private volatile @Nullable PacketThread thread;

    private NativeProcess(Process process, Consumer<String> failed) {
        this.process = process;
        this.orders = process.getOutputStream();
        this.failed = failed;
    }

    /**
     * Starts the program and waits until it is ready.
     *
     * @param role send or receive
     * @param address where it connects to, or waits
     * @param exitCode of the failure if it cannot
     * @param failed told, in another thread, if it fails or ends unasked: why
     */
    static NativeProcess start(
            Path program,
            String role,
            EngineConfig run,
            String address,
            int port,
            ExitCode exitCode,
            Consumer<String> failed)
            throws LagbenchException {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                role,
                "transport=" + run.transport().name(),
                "host=" + address,
                "port=" + port,
                "tag=" + HexFormat.of().toHexDigits(run.run().tag()),
                "packet-bytes=" + run.run().packetBytes(),
                "packets=" + run.packets(),
                "warm-up-packets=" + run.warmUpPackets(),
                "capture=" + run.captureFile()));
        run.run().settings().asText().forEach((name, value) -> command.add(name + "=" + value));
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
            NativeProcess started = new NativeProcess(process, failed);
            started.reader.setDaemon(true);
            started.reader.start();
            started.awaitReady(exitCode);
            return started;
        } catch (IOException e) {
            throw ChildFailure.notStarted("The program " + program + " cannot be started", e);
        }
    }

    private void awaitReady(ExitCode exitCode) throws LagbenchException {
        try {
            String tid = await("ready");
            thread = PacketThread.of(process.pid(), Long.parseLong(tid));
        } catch (IOException e) {
            close();
            throw endedByInterruption
                    ? new LagbenchException(ExitCode.INTERRUPTED, "Interrupted", e)
                    : new LagbenchException(exitCode, String.valueOf(e.getMessage()), e);
        }
    }

    /** Gives an order. */
    void order(String order) throws IOException {
        try {
            synchronized (orders) {
                orders.write((order + "\n").getBytes(StandardCharsets.US_ASCII));
                orders.flush();
            }
        } catch (IOException e) {
            throw new IOException(why(e), e);
        }
    }

    private String why(IOException met) {
        String known = failure;
        return known == null ? "The program lagbench-engine takes no orders: " + met.getMessage() : known;
    }

    /**
     * Waits for the answer that begins with a word.
     *
     * @return what follows it
     * @throws IOException if the program failed or ended in its stead: why
     */
    String await(String word) throws IOException {
        try {
            while (true) {
                String answer = answers.take();
                if (answer.equals(word)) {
                    return "";
                } else if (answer.startsWith(word + " ")) {
                    return answer.substring(word.length() + 1);
                } else if (answer.equals(END)) {
                    answers.add(END); // for whoever asks next
                    throw new IOException(String.valueOf(failure));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while lagbench-engine was at work", e);
        }
    }

    private void readAll() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                take(line);
            }
        } catch (IOException e) {
            fail("What lagbench-engine says cannot be read: " + e.getMessage());
        }
        if (failure == null) {
            fail("The program lagbench-engine has ended in mid-run, " + howItEnded() + ".");
        }
    }

    private void fail(String why) {
        failure = why;
        answers.add(END);
        if (!closing) {
            failed.accept(why);
        }
    }

    private String howItEnded() {
        int code = Uninterruptibly.awaitEnd(process);
        endedByInterruption = ChildFailure.isInterrupted(code);
        return code > 128 ? "by signal " + (code - 128) : "with exit code " + code;
    }

    private void take(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "metadata" -> metadata.put(words[1], value(words[2]));
            case "port" -> port = words[1];
            case "progress" -> lastSequence = Long.parseLong(words[1]);
            case "failed" -> fail(line.substring("failed ".length()));
            default -> answers.add(line);
        }
    }

    private static Object value(String text) {
        if (text.matches("-?\\d{1,18}")) {
            return Long.valueOf(text);
        }
        return text.equals("true") || text.equals("false") ? (Object) Boolean.valueOf(text) : text;
    }

    /** What the program told for {@code run.json}. */
    Map<String, Object> metadata() {
        return Map.copyOf(metadata);
    }

    /** The port at which it receives. */
    int port() {
        return Integer.parseInt(port);
    }

    /** The number of the packet sent last that it told of. */
    long lastSequence() {
        return lastSequence;
    }

    /** The thread that sends or receives; null if the platform does not tell. */
    @Nullable
    PacketThread thread() {
        return thread;
    }

    /** Has the program end, and waits for that. Once or more. */
    @Override
    public void close() {
        closing = true;
        try {
            synchronized (orders) {
                orders.close();
            }
        } catch (IOException e) {
            process.destroyForcibly(); // its input cannot be ended in peace
        }
        boolean interrupted = false;
        try {
            if (!process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            reader.join();
        } catch (InterruptedException e) {
            interrupted = true;
            process.destroyForcibly();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
