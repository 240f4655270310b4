package org.lagbench.cli.sweep;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * A sender or receiver, running as a process of its own. Its standard input is a pipe from this process, which it was
 * told to end with: so it ends even if this process is killed. What it prints on standard error goes to a log file.
 *
 * <p>{@link #terminate} may be called from any thread.
 */
final class Child implements AutoCloseable {
    /** How long a child that was asked to end may take, before it is killed: a busy machine's disks take their time. */
    static final Duration GRACE = Duration.ofSeconds(20);

    /** Begins what a program of lagbench tells its user. */
    private static final String PREFIX = "lagbench: ";

    private final String title;
    private final Process process;
    private final Path log;
    private final String greetingPrefix;
    private final CompletableFuture<Optional<String>> greeting = new CompletableFuture<>();
    private final Thread reader;

    private Child(String title, Process process, Path log, String greetingPrefix, Consumer<String> listener) {
        this.title = title;
        this.process = process;
        this.log = log;
        this.greetingPrefix = greetingPrefix;
        this.reader = new Thread(() -> readOutput(listener), title + "-output");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a process.
     *
     * @param title what it is, for messages: "receiver"
     * @param command the command line
     * @param environment variables beyond this process's own
     * @param log where its standard error goes; its directory exists
     * @param greeting what the line begins with that {@link #awaitGreeting} waits for
     * @param listener gets each line of its standard output, on a thread of the child's own
     */
    static Child start(
            String title,
            List<String> command,
            Map<String, String> environment,
            Path log,
            String greeting,
            Consumer<String> listener)
            throws LagbenchException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
        builder.environment().putAll(environment);
        try {
            return new Child(title, builder.start(), log, greeting, listener);
        } catch (IOException e) {
            throw ChildFailure.notStarted("The " + title + " cannot be started", e);
        }
    }

    /** What follows its greeting in that line; nothing if it ended, or the time was over, before there was one. */
    Optional<String> awaitGreeting(Duration timeout) throws InterruptedException {
        try {
            return greeting.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // it is never completed so
        }
    }

    /** The same, as long as it runs. */
    Optional<String> awaitGreeting() throws InterruptedException {
        try {
            return greeting.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // it is never completed so
        }
    }

    /** Writes a line to its standard input; nothing if it has ended. */
    void say(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            // it has ended, and its outcome will tell
        }
    }

    /** Waits until it has ended and all that it said has been heard, as long as that takes. */
    void awaitEnd() throws InterruptedException {
        process.waitFor();
        reader.join();
    }

    /** Waits until it has ended, but no longer than that. */
    boolean awaitEnd(Duration timeout) throws InterruptedException {
        return process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Asks it to end, with SIGTERM, so that it closes its files and gives back what it holds; kills it if it still runs
     * after {@link #GRACE}. Does not wait.
     */
    void terminate() {
        process.destroy();
        killIfLate();
    }

    private void killIfLate() {
        process.onExit()
                .orTimeout(GRACE.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(late -> process.destroyForcibly());
    }

    /**
     * Ends it if it still runs, and waits for that. It ends with its standard input, as no signal makes it end: so
     * {@link #outcome} tells whether somebody else has interrupted it. Nothing of it is left running, and a log only if
     * it failed.
     */
    void end() {
        endInput();
        killIfLate();
        process.onExit().join();
        try {
            if (process.exitValue() == ExitCode.OK.code()) {
                Files.deleteIfExists(log);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void endInput() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // it ended before it had read all that was said
        }
    }

    @Override
    public void close() {
        end();
    }

    /** How it ended, in its own words where it left any. It must have ended. */
    Outcome outcome() {
        int code = process.exitValue();
        String refusal = ChildJvm.refusal(logLines());
        if (refusal != null) {
            return Outcome.unfit("The JVM of the " + title + " does not start: " + refusal);
        }
        for (ExitCode exitCode : ExitCode.values()) {
            if (exitCode.code() == code) {
                return exitCode == ExitCode.OK ? Outcome.ok() : new Outcome(exitCode, lastWords(code));
            }
        }
        if (ChildFailure.isInterrupted(code)) {
            return new Outcome(ExitCode.INTERRUPTED, lastWords(code));
        }
        return new Outcome(ExitCode.BROKEN, lastWords(code));
    }

    private String lastWords(int code) {
        String last = "";
        for (String line : logLines()) {
            if (!line.isBlank()) {
                last = line.strip();
            }
        }
        if (last.startsWith(PREFIX)) {
            return last.substring(PREFIX.length());
        }
        return "The " + title + " ended with exit code " + code + ", see " + log + ".";
    }

    private List<String> logLines() {
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Hears the greeting, and hands on each line. A JVM may have written others before. */
    private void readOutput(Consumer<String> listener) {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                if (line.startsWith(greetingPrefix)) {
                    greeting.complete(Optional.of(line.substring(greetingPrefix.length())));
                }
                listener.accept(line);
            }
        } catch (IOException e) {
            // the child has ended
        } finally {
            greeting.complete(Optional.empty());
        }
    }
}
