package org.lagbench.core.recorder;

import java.io.IOException;
import java.lang.reflect.Method;

/** HotSpot's diagnostic commands, as {@code jcmd} sends them. Their MBean would cost 100 ms of CPU time. */
public final class DiagnosticCommands {
    private static final String COMMANDS = "com.sun.management.internal.DiagnosticCommandImpl";

    /** Loads the library of the commands. */
    private static final String LIBRARY = "com.sun.management.internal.PlatformMBeanProviderImpl";

    private DiagnosticCommands() {}

    /**
     * Executes a command, and returns what it prints.
     *
     * @throws IOException if this JVM does not allow it
     */
    public static String execute(String command) throws IOException {
        try {
            Class.forName(LIBRARY);
            Class<?> commands = Class.forName(COMMANDS);
            Method instance = commands.getDeclaredMethod("getDiagnosticCommandMBean");
            Method execute = commands.getDeclaredMethod("executeDiagnosticCommand", String.class);
            instance.setAccessible(true);
            execute.setAccessible(true);
            return String.valueOf(execute.invoke(instance.invoke(null), command));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            throw new IOException("this JVM executes no diagnostic commands; start it with scripts/lagbench: " + e, e);
        }
    }
}
