package org.lagbench.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;

/** Runs the programs that labs need: ip, tc, and the programs of the native build. */
final class NetworkTools {
    private static final int MAXIMUM_LENGTH = 300;
    private static final NativeFiles FILES =
            new NativeFiles("lagbench.lab", NetworkTools.class, "mvn -pl lab -am package", "The lab");

    /** The result of a program. */
    record Result(int exitCode, String output, String error) {}

    private NetworkTools() {}

    /**
     * Runs a program.
     *
     * @param command the program and its arguments, separated by single spaces
     * @return its standard output
     * @throws LagbenchException if it is missing or fails
     */
    static String run(String command) throws LagbenchException {
        return run(List.of(command.split(" ", -1)), "");
    }

    /** Runs a program with a text on its standard input. */
    static String run(List<String> command, String input) throws LagbenchException {
        Result result = attempt(command, input);
        if (result.exitCode() != 0) {
            throw ExitCode.UNAVAILABLE.failure("The lab cannot be created: " + String.join(" ", command) + " fails: "
                    + oneLine(result.error()) + ".");
        }
        return result.output();
    }

    /** Runs a program that may fail. */
    static Result attempt(List<String> command, String input) throws LagbenchException {
        try {
            Process process = new ProcessBuilder(command).start();
            // A separate thread: the common pool may have only one, which must also complete onExit().
            CompletableFuture<String> error = CompletableFuture.supplyAsync(
                    () -> readAll(process.getErrorStream()), reading -> new Thread(reading, "error-output").start());
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output = readAll(process.getInputStream());
            return new Result(process.onExit().join().exitValue(), output, error.join());
        } catch (IOException e) {
            throw ChildFailure.notStarted(
                    "A lab needs the program " + command.get(0)
                            + " (on Debian: apt-get install iproute2), which cannot be started",
                    e);
        }
    }

    private static String readAll(InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String oneLine(String text) {
        String line = text.strip().replaceAll("\\s*\\n\\s*", "; ");
        String shortened = line.length() > MAXIMUM_LENGTH ? line.substring(0, MAXIMUM_LENGTH) + "…" : line;
        return shortened.endsWith(".") ? shortened.substring(0, shortened.length() - 1) : shortened;
    }

    /**
     * Returns the path of a program of the native build, in the directory of the system property lagbench.lab or next
     * to the classes.
     */
    static String nativeProgram(String name) throws LagbenchException {
        return FILES.file(name).toString();
    }

    /**
     * Starts a program of the native build, whose error messages go to this process's standard error, and waits until
     * it prints "ready".
     *
     * @param title the program's name, at the beginning of an error message
     * @param advice the end of the message if the program does not start
     */
    static Process startNative(String title, ProcessBuilder builder, String advice) throws LagbenchException {
        try {
            Process process = builder.redirectError(Redirect.INHERIT).start();
            if (!"ready".equals(process.inputReader().readLine())) {
                throw ChildFailure.ended(
                        process, ExitCode.UNAVAILABLE, title + " did not start; its error message is above." + advice);
            }
            return process;
        } catch (IOException e) {
            throw ChildFailure.notStarted(title + " cannot be started", e);
        }
    }
}
