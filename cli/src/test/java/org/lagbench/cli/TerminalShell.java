package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * An interactive shell on a pseudo terminal, which controls the jobs that a test types. Its prompt is the last exit
 * code in angle brackets. Closing kills all its processes.
 */
final class TerminalShell implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(20);

    private final Process script;
    private final Path screen;

    private TerminalShell(Process script, Path screen) {
        this.script = script;
        this.screen = screen;
    }

    static TerminalShell start(Path directory) throws IOException {
        Path screen = Files.createTempFile(directory, "screen-", ".txt");
        Process script = new ProcessBuilder(
                        "setsid",
                        "env",
                        "--default-signal=HUP", // who starts tests by nohup ignores it
                        "-u",
                        "LAGBENCH_KEY",
                        "TERM=xterm",
                        "script",
                        "-qfc",
                        "stty cols 200; PS1='<$?> ' exec bash --norc --noprofile -i", // a shell without terminal unsets
                        // PS1
                        "/dev/null")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(screen.toFile())
                .start();
        TerminalShell shell = new TerminalShell(script, screen);
        shell.awaitScreen("<0> ");
        return shell;
    }

    /** Types characters in one write. */
    void type(String characters) throws IOException {
        OutputStream keyboard = script.getOutputStream();
        keyboard.write(characters.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    /** Waits until the screen matches a pattern somewhere. */
    void awaitScreen(String pattern) {
        awaitScreen(pattern, 1);
    }

    /** Waits until the screen matches a pattern at this many places. */
    void awaitScreen(String pattern, int times) {
        Pattern wanted = Pattern.compile(pattern);
        Supplier<Long> found = () -> wanted.matcher(screen()).results().count();
        await().atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(LOOK_INTERVAL)
                .until(() -> !script.isAlive() || found.get() >= times);
        assertThat(found.get()).as(screen()).isGreaterThanOrEqualTo(times);
    }

    /** Returns all that was printed on the terminal, with what it echoed. */
    String screen() {
        try {
            return Files.readString(screen, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for a job whose command line contains a text. */
    ProcessHandle awaitJob(String text) {
        return LagbenchProcess.awaitOne(() -> script.descendants().toList(), text);
    }

    /** Returns the settings of a job's terminal, as {@code stty -a} prints them. */
    static String settings(ProcessHandle job) throws IOException, InterruptedException {
        Path terminal = Files.readSymbolicLink(Path.of("/proc", Long.toString(job.pid()), "fd", "0"));
        Process stty = new ProcessBuilder("stty", "-a", "-F", terminal.toString())
                .redirectErrorStream(true)
                .start();
        String text = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(stty.waitFor()).as(text).isZero();
        return text;
    }

    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(script.descendants().toList());
        all.add(script.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        all.forEach(LagbenchProcess::awaitEnd);
    }
}
