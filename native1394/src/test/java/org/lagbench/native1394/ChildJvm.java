package org.lagbench.native1394;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts {@link ChildProgram} in a separate JVM, with the environment of a bus or without. */
final class ChildJvm {
    private static final List<String> BUS_VARIABLES =
            List.of("LD_PRELOAD", VirtualBus.DIRECTORY_VARIABLE, VirtualBus.DAEMON_VARIABLE);

    private ChildJvm() {}

    /** The process's input stream merges its standard output and error. */
    static Process start(Map<String, String> bus, List<String> jvmOptions, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(jvmOptions);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(ChildProgram.class.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeAll(BUS_VARIABLES);
        builder.environment().putAll(bus);
        return builder.start();
    }
}
