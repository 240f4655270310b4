package org.lagbench.runner.sweep;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Endpoint;

/**
 * A sender or receiver process. Its standard input is a pipe from this process, and it ends when that pipe ends: so it
 * ends even if this process is killed. One that stays stopped, as by SIGSTOP, is killed. Its standard error goes to a
 * log file.
 *
 * <p>Any thread may call {@link #terminate}.
 */
final class Child implements AutoCloseable {
    /** Time to end after a request, before the child is killed: the disks of a busy machine are slow. */
    static final Duration GRACE = Duration.ofSeconds(20);

    /** How often a child is checked within the time for which it may be stopped. */
    private static final int LOOKS = 4;

    /** Prefix of the error messages of lagbench's programs. */
    private static final String PREFIX = "lagbench: ";

    /** The beginning of the message of a JVM that has too little memory for the program's own message. */
    private static final String OUT_OF_MEMORY = "Exception: java.lang.OutOfMemoryError";

    private final String title;
    private final Process process;
    private final Path log;
    private final CompletableFuture<Optional<Endpoint>> listening = new CompletableFuture<>();
    private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
    private final Thread reader;
    private final Duration longestStop;
    private volatile boolean stayedStopped;
    private volatile boolean wasLate;

    private Child(String title, Process process, Path log, Duration longestStop, Consumer<SideMessage.Event> listener) {
        this.title = title;
        this.process = process;
        this.log = log;
        this.longestStop = longestStop;
        this.reader = new Thread(() -> readOutput(listener), title + "-output");
        reader.setDaemon(true);
        reader.start();
        Thread watch = new Thread(this::killIfStopped, title + "-watch");
        watch.setDaemon(true);
        watch.start();
    }

    /**
     * Starts a process.
     *
     * @param title the name of the process in messages, such as "receiver"
     * @param environment variables in addition to those of this process
     * @param log file for its standard error; its directory exists
     * @param longestStop the child is killed if it is stopped for longer
     * @param listener receives its events, on the child's own thread
     */
    static Child start(
            String title,
            ProgramArguments program,
            Map<String, String> environment,
            Path log,
            Duration longestStop,
            Consumer<SideMessage.Event> listener)
            throws LagbenchException {
        // the user has no permission, or the disk has no inode left
        IoErrors.explained(
                "The log of the " + title + ", " + log + ", cannot be created", () -> Files.write(log, new byte[0]));
        ProcessBuilder builder = new ProcessBuilder(program.commandLine()).redirectError(log.toFile());
        builder.environment().putAll(environment);
        try {
            Child child = new Child(title, builder.start(), log, longestStop, listener);
            if (program.request() != null) {
                child.write(program.request());
            }
            return child;
        } catch (IOException e) {
            throw ChildFailure.notStarted("The " + title + " cannot be started", e);
        }
    }

    /** Returns the address at which it listens; empty if it ended, or the time elapsed, before that. */
    Optional<Endpoint> awaitListening(Duration timeout) {
        return listening
                .copy()
                .completeOnTimeout(Optional.empty(), timeout.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Waits until it is warm and waits for its start; returns false if it ended before that. */
    boolean awaitReady() {
        return ready.join();
    }

    /** Writes a message to the child; if it has ended, {@link #outcome} returns why. */
    void write(SideMessage message) {
        SidePipe.write(process, message);
    }

    /** Waits until the child has ended and all its output has been read. */
    void awaitEnd() throws InterruptedException {
        process.waitFor();
        reader.join();
    }

    /** Waits until the child has ended or the time has elapsed. */
    void awaitEnd(Duration timeout) throws InterruptedException {
        process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Sends SIGTERM, so that the child closes its files, and kills the child if it still runs after 20 s. Does not
     * wait.
     */
    void terminate() {
        process.toHandle().destroy(); // Process.destroy would also close the output, which is still read
        killIfLate();
    }

    private void killIfLate() {
        process.onExit().orTimeout(GRACE.toMillis(), TimeUnit.MILLISECONDS).exceptionally(late -> {
            wasLate = true;
            return process.destroyForcibly();
        });
    }

    /**
     * Kills the child if it stays stopped: its peer ends the run, but a stopped child cannot notice that. A stop of
     * this process does not count.
     */
    private void killIfStopped() {
        try {
            int stopped = 0;
            while (!process.waitFor(longestStop.toNanos() / LOOKS, TimeUnit.NANOSECONDS)) {
                stopped = isStopped() ? stopped + 1 : 0;
                if (stopped > LOOKS) {
                    stayedStopped = true;
                    process.destroyForcibly();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isStopped() {
        try {
            String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1);
            return stat.startsWith("T", stat.lastIndexOf(')') + 2); // the state after the name in parentheses
        } catch (IOException e) {
            return false; // the process has ended
        }
    }

    /**
     * Ends the child if it still runs, and waits until it has ended. The end of its standard input, not a signal, makes
     * it end: so {@link #outcome} shows whether somebody else has interrupted it. The log remains only after a failure.
     */
    void end() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // the child ended before it had read all its input
        }
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

    @Override
    public void close() {
        end();
    }

    /**
     * Returns whether a signal of others, or a fault, killed the child, so that it says nothing. It must have ended.
     */
    boolean isKilled() {
        return process.exitValue() > 128 && !wasLate && outcome().exitCode() == ExitCode.BROKEN;
    }

    /** Returns how the child ended, with the last line of its log. The child must have ended. */
    ExitReport outcome() {
        int code = process.exitValue();
        if (stayedStopped) {
            return new ExitReport(
                    ExitCode.BROKEN,
                    "The " + title + " was stopped for more than " + longestStop.toSeconds()
                            + " s, as by SIGSTOP, and was killed.");
        }
        List<String> logLines = logLines();
        String refusal = ChildJvm.refusal(logLines);
        if (refusal != null) {
            return ExitReport.unfit("The JVM of the " + title + " does not start: " + refusal);
        }
        if (code == ExitCode.OK.code()) {
            return ExitReport.ok();
        }
        String last = logLines.stream()
                .filter(line -> !line.isBlank())
                .reduce("", (earlier, later) -> later)
                .strip();
        if (last.startsWith(PREFIX + Failures.MEMORY_SHORTAGE)) {
            return ExitReport.unfit("The " + title + " failed. " + last.substring(PREFIX.length()));
        }
        if (last.startsWith(OUT_OF_MEMORY)) { // too little memory for a message
            return ExitReport.unfit("The JVM of the " + title + " has too little memory to end with a message, see "
                    + log + ". Increase its heap with -Xmx.");
        }
        return new ExitReport(
                ExitCode.ofProcess(code),
                last.startsWith(PREFIX)
                        ? last.substring(PREFIX.length())
                        : "The " + title + " ended " + ChildFailure.ending(code, ", see " + log) + ".");
    }

    /**
     * Returns the lines of the log, in which other programs, such as ld.so, may have written bytes that are not UTF-8.
     */
    private List<String> logLines() {
        try {
            return Files.exists(log)
                    ? new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                            .lines()
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readOutput(Consumer<SideMessage.Event> listener) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                SideMessage message = SidePipe.parse(line);
                if (message instanceof SideMessage.Listening at) {
                    listening.complete(Optional.of(at.address()));
                } else if (message instanceof SideMessage.Ready) {
                    ready.complete(true);
                } else if (message instanceof SideMessage.Event event) {
                    listener.accept(event);
                }
            }
        } catch (IOException e) {
            // the child has ended
        } finally {
            listening.complete(Optional.empty());
            ready.complete(false);
        }
    }

    /**
     * How a run, or one of its processes, ended.
     *
     * @param sentence the error message; null after a success
     * @param member index of the run among those that run at the same time
     * @param isProgramUnfit whether the program did not start; it will not start in another run either
     */
    record ExitReport(ExitCode exitCode, @Nullable String sentence, int member, boolean isProgramUnfit) {
        ExitReport(ExitCode exitCode, @Nullable String sentence) {
            this(exitCode, sentence, 0, false);
        }

        /** Returns the outcome of a program that did not start. */
        static ExitReport unfit(String sentence) {
            return new ExitReport(ExitCode.UNAVAILABLE, sentence, 0, true);
        }

        static ExitReport ok() {
            return new ExitReport(ExitCode.OK, null);
        }

        ExitReport ofMember(int index) {
            return new ExitReport(exitCode, sentence, index, isProgramUnfit);
        }

        boolean isOk() {
            return exitCode == ExitCode.OK;
        }
    }
}
