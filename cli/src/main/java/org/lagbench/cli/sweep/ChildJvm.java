package org.lagbench.cli.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The command line of a JVM for a sender or a receiver: the same java and class path as this one, fresh for each run, so
 * that no run profits from the code that another had compiled.
 */
public final class ChildJvm {
    private static final List<String> OPTIONS =
            List.of("--add-exports", "java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");

    private ChildJvm() {}

    /** The options, without the class path. Of this JVM's system properties, those of lagbench are handed on. */
    public static List<String> options() {
        List<String> options = new ArrayList<>(OPTIONS);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("lagbench."))
                .sorted()
                .forEach(name -> options.add("-D" + name + "=" + System.getProperty(name)));
        return options;
    }

    /** The command line that runs a main class with these arguments. */
    static List<String> command(String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options());
        command.add("-classpath");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
