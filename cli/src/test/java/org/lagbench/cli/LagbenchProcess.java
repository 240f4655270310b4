package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionFactory;

/** A lagbench command in a separate process. Closing kills it and its descendants. */
public final class LagbenchProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(20);

    /** Each look reads the files of all processes of the machine. */
    private static final Duration PROCESS_LOOK_INTERVAL = Duration.ofMillis(50);

    private final Process process;
    private final Path out;
    private final Path err;

    private LagbenchProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts {@code lagbench arguments…} in a directory. */
    static LagbenchProcess start(Path directory, String... arguments) throws IOException {
        return start(directory, command(List.of(), arguments));
    }

    /** Starts {@code lagbench arguments…} with additional JVM options. */
    public static LagbenchProcess startWith(List<String> options, Path directory, String... arguments)
            throws IOException {
        return start(directory, command(options, arguments));
    }

    /** Starts {@code lagbench arguments…} with a prefix before its command line. */
    static LagbenchProcess startBy(List<String> program, Path directory, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(program);
        command.addAll(command(List.of(), arguments));
        return start(directory, command);
    }

    /** Runs {@code lagbench arguments…} to its end, with a prefix before its command line. */
    public static LagbenchProcess runBy(List<String> program, Path directory, String... arguments)
            throws IOException, InterruptedException {
        LagbenchProcess process = startBy(program, directory, arguments);
        process.exitCode();
        return process;
    }

    /** Starts {@code lagbench arguments…} on a terminal whose screen becomes its standard output. */
    static LagbenchProcess startOnTerminal(Path directory, String... arguments) throws IOException {
        return start(
                directory,
                List.of(
                        "env", // the terminal of the test run may be dumb
                        "TERM=xterm",
                        "script",
                        "-q",
                        "-e",
                        "-c",
                        "'" + String.join("' '", command(List.of(), arguments)) + "'",
                        "/dev/null"));
    }

    /** Returns the command line of {@code lagbench arguments…}. */
    static List<String> command(List<String> options, String... arguments) {
        List<String> all = new ArrayList<>(Distribution.options());
        all.addAll(options);
        List<String> command = new ArrayList<>();
        command.add("env"); // a build in the background ignores SIGINT, and its children inherit that
        command.add("--default-signal=INT,TERM");
        command.addAll(Distribution.command(all, "org.lagbench.cli.Lagbench", arguments));
        return command;
    }

    private static LagbenchProcess start(Path directory, List<String> command) throws IOException {
        Path out = Files.createTempFile(directory, "stdout-", ".txt");
        Path err = Files.createTempFile(directory, "stderr-", ".txt");
        List<String> ownGroup =
                new ArrayList<>(List.of("setsid")); // creates a process group, as a shell does for each command
        ownGroup.addAll(command);
        Process process = new ProcessBuilder(ownGroup)
                .directory(directory.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new LagbenchProcess(process, out, err);
    }

    /** Runs {@code lagbench arguments…} to its end. */
    static LagbenchProcess run(Path directory, String... arguments) throws IOException, InterruptedException {
        LagbenchProcess process = start(directory, arguments);
        process.exitCode();
        return process;
    }

    /** Waits until it has ended. */
    public int exitCode() throws InterruptedException {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            close();
            throw new AssertionError("lagbench did not end; it said: " + err());
        }
        return process.exitValue();
    }

    boolean hasEnded() {
        return !process.isAlive();
    }

    long pid() {
        return process.pid();
    }

    /** Sends a signal to the process: INT, TERM, KILL. */
    void signal(String signal) throws IOException, InterruptedException {
        signal(process.toHandle(), signal);
    }

    /** Sends a signal to the process group, as a terminal does at Ctrl-C. */
    void signalGroup(String signal) throws IOException, InterruptedException {
        kill(signal, -process.pid());
    }

    static void signal(ProcessHandle process, String signal) throws IOException, InterruptedException {
        kill(signal, process.pid());
    }

    /** Sends a signal to a process that may end by itself meanwhile, such as a program that a sweep runs in between. */
    static void signalUnlessEnded(ProcessHandle process, String signal) throws IOException, InterruptedException {
        int exitCode = killExitCode(signal, process.pid());
        assertThat(exitCode == 0 || !process.isAlive())
                .as("SIG%s is sent to %s", signal, process)
                .isTrue();
    }

    private static void kill(String signal, long target) throws IOException, InterruptedException {
        assertThat(killExitCode(signal, target)).isZero();
    }

    private static int killExitCode(String signal, long target) throws IOException, InterruptedException {
        return new ProcessBuilder("kill", "-" + signal, "--", Long.toString(target))
                .start()
                .waitFor();
    }

    /** Waits for a descendant whose command line contains a text. */
    ProcessHandle awaitChild(String text) {
        return awaitOne(this::children, text);
    }

    /** Waits for one of several processes whose command line contains a text. */
    static ProcessHandle awaitOne(Supplier<List<ProcessHandle>> processes, String text) {
        return eventually()
                .pollInterval(PROCESS_LOOK_INTERVAL)
                .until(
                        () -> processes.get().stream()
                                .filter(process -> commandLine(process).contains(text))
                                .findAny(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /**
     * Returns the command line of a process; empty after its end. {@link ProcessHandle#info} is limited to 4,096 bytes.
     */
    static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"))
                    .replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    /** Waits until a descendant has ended. */
    static void awaitEnd(ProcessHandle process) {
        eventually().until(() -> !process.isAlive());
    }

    /** Returns all descendants of the process. */
    List<ProcessHandle> children() {
        return process.descendants().toList();
    }

    /** Waits until the standard error contains a text. */
    void awaitErr(String text) {
        eventually().until(() -> hasEnded() || err().contains(text));
        assertThat(err()).contains(text);
    }

    /** Waits until the standard output matches a pattern. */
    void awaitOut(String pattern) {
        Pattern wanted = Pattern.compile(pattern);
        eventually().until(() -> hasEnded() || wanted.matcher(out()).find());
        assertThat(out()).containsPattern(wanted);
    }

    public String out() {
        return read(out);
    }

    public String err() {
        return read(err);
    }

    /** Returns the current content, which may end with an incomplete character. */
    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static ConditionFactory eventually() {
        return await().atMost(PATIENCE).pollDelay(Duration.ZERO).pollInterval(LOOK_INTERVAL);
    }

    /** Kills all processes and waits until none can write to the directory. */
    @Override
    public void close() {
        List<ProcessHandle> all = new ArrayList<>(children());
        all.add(process.toHandle());
        all.forEach(ProcessHandle::destroyForcibly);
        eventually().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }
}
