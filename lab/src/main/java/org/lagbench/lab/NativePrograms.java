package org.lagbench.lab;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;

/** The programs of the lab's native build. */
final class NativePrograms {
    private static final NativeFiles FILES =
            new NativeFiles("lagbench.lab", NativePrograms.class, "mvn -pl lab -am package", "The lab");

    private NativePrograms() {}

    /** Returns the path of a program, in the directory of the system property lagbench.lab or next to the classes. */
    static String path(String name) throws LagbenchException {
        return FILES.file(name).toString();
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
