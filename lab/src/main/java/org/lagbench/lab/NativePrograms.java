package org.lagbench.lab;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** The programs of the lab's native build. */
final class NativePrograms {
    private NativePrograms() {}

    /** Returns the path of a program, in the directory of the system property lagbench.lab or next to the classes. */
    static String path(String name) throws LagbenchException {
        String property = System.getProperty("lagbench.lab");
        Path file = (property == null ? besideClasses() : Path.of(property))
                .toAbsolutePath()
                .resolve(name);
        if (!Files.isExecutable(file)) {
            throw ExitCode.UNAVAILABLE.failure(
                    "The lab needs " + file + ", which does not exist; build it with: mvn -pl lab -am package");
        }
        return file.toString();
    }

    private static Path besideClasses() {
        try {
            Path classes = Path.of(NativePrograms.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            return classes.resolveSibling("native");
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of lagbench's classes is not a path", e);
        }
    }

    /**
     * Starts a program, whose error messages go to this process's standard error, and waits until it prints "ready".
     *
     * @param title its name at the beginning of an error message
     * @param advice end of the message if it does not start
     */
    static Process start(String title, ProcessBuilder builder, String advice) throws LagbenchException {
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
