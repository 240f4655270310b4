package org.lagbench.cli;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/**
 * A lagbench command on a thread of this JVM. Its senders and receivers are processes with the jars of this build.
 * Paths in its arguments are absolute. Closing kills its processes and ends it.
 *
 * <p>Not for tests that send signals to the command, or SIGINT to its processes: a build in the background ignores
 * SIGINT, and so do its children. Nor for commands with live figures: their thread has the policy SCHED_IDLE, and this
 * JVM's garbage collections would wait for it.
 */
final class LagbenchThread implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final String directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final FutureTask<Integer> command;
    private final Thread thread;

    private LagbenchThread(Path directory, String... arguments) {
        this.directory = directory.toString();
        this.command = new FutureTask<>(() -> CommandResult.execute(out, err, arguments));
        this.thread = new Thread(command, "lagbench " + arguments[0]);
    }

    /**
     * Starts {@code lagbench arguments…}.
     *
     * @param directory the command's own directory, which the command lines of its processes contain
     */
    static LagbenchThread start(Path directory, String... arguments) throws IOException {
        Distribution.useInThisJvm();
        LagbenchThread lagbench = new LagbenchThread(Files.createDirectories(directory), arguments);
        lagbench.thread.start();
        return lagbench;
    }

    /** Runs {@code lagbench arguments…} to its end. */
    static LagbenchThread run(Path directory, String... arguments) throws IOException, InterruptedException {
        LagbenchThread lagbench = start(directory, arguments);
        lagbench.exitCode();
        return lagbench;
    }

    /** Waits until it has ended. */
    int exitCode() throws InterruptedException {
        try {
            return command.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new AssertionError("lagbench did not end; it said: " + err(), e);
        }
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }

    /** Waits until the standard output matches a pattern. */
    void awaitOut(Pattern wanted) {
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> wanted.matcher(out())
                .find());
    }

    /** Waits for a process of the command whose command line contains a text. */
    ProcessHandle awaitChild(String text) {
        return LagbenchProcess.awaitOne(this::children, text);
    }

    /** Returns the processes of the command. Other tests in this JVM have their own. */
    private List<ProcessHandle> children() {
        return ProcessHandle.current()
                .descendants()
                .filter(child -> LagbenchProcess.commandLine(child).contains(directory))
                .toList();
    }

    /** Kills all processes, and waits until neither they nor the command can write to the directory. */
    @Override
    public void close() {
        List<ProcessHandle> all = children();
        all.forEach(ProcessHandle::destroyForcibly);
        thread.interrupt();
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !thread.isAlive() && all.stream().noneMatch(ProcessHandle::isAlive));
    }
}
