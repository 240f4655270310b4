package org.lagbench.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Runs ip, tc and the like. */
final class NetworkTools {
    private static final int LONGEST_SAID = 300;

    /** What a program printed, and how it ended. */
    record Result(int exitCode, String output, String said) {}

    private NetworkTools() {}

    /**
     * Runs a program to its end.
     *
     * @return its standard output
     * @throws LagbenchException if it is not there or fails
     */
    static String run(List<String> command) throws LagbenchException {
        return run(command, "");
    }

    /** The same with a text on its standard input. */
    static String run(List<String> command, String input) throws LagbenchException {
        Result result = attempt(command, input);
        if (result.exitCode() != 0) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "The lab could not be made as ordered: " + String.join(" ", command) + " says: "
                            + oneLine(result.said()) + ".");
        }
        return result.output();
    }

    /** Runs a program that may fail. */
    static Result attempt(List<String> command, String input) throws LagbenchException {
        try {
            Process process = new ProcessBuilder(command).start();
            // A thread of its own: the common pool may have no second one, and completes the process's end.
            CompletableFuture<String> said = CompletableFuture.supplyAsync(
                    () -> all(process.getErrorStream()), reading -> new Thread(reading, "what-is-said").start());
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String output = all(process.getInputStream());
            return new Result(process.onExit().join().exitValue(), output, said.join());
        } catch (IOException e) {
            throw ChildFailure.notStarted(
                    "A lab needs the program " + command.get(0)
                            + " (on Debian: apt-get install iproute2), which cannot be run",
                    e);
        }
    }

    private static String all(InputStream in) {
        try (in) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String oneLine(String text) {
        String line = text.strip().replaceAll("\\s*\\n\\s*", "; ");
        String shortened = line.length() > LONGEST_SAID ? line.substring(0, LONGEST_SAID) + "…" : line;
        return shortened.endsWith(".") ? shortened.substring(0, shortened.length() - 1) : shortened;
    }
}
