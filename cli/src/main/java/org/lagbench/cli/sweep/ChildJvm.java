package org.lagbench.cli.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.JvmOptions;

/**
 * The command line of a JVM for a sender or a receiver: the same java and class path as this one, fresh for each run,
 * so that no run profits from the code that another had compiled.
 */
public final class ChildJvm {
    private static final List<String> OPTIONS = List.of(
            "--add-exports",
            "java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports",
            "java.base/sun.nio.ch=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            // what packets pass through is due for the best compiler after 500 calls in place of 5,000: within the
            // warm-up
            "-XX:CompileCommand=quiet",
            "-XX:CompileCommand=CompileThresholdScaling,org.lagbench.*::*,0.1",
            "-XX:CompileCommand=CompileThresholdScaling,sun.nio.ch.*::*,0.1",
            // the outermost loops branch at the first recorded packet as they never did before: compiled, they would be
            // thrown away there and compiled again, with all that they call, among the recorded packets
            "-XX:CompileCommand=exclude,org.lagbench.packetio.jvm.SendLoop::send",
            "-XX:CompileCommand=exclude,org.lagbench.packetio.jvm.ReceiveLoop::receiveAll",
            // no threads that wake up beside the packets: 20 times a second to count for jstat, once to stop all
            // others, and four times to see whether there are too many monitors, of which the bench has few
            "-XX:-UsePerfData",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:GuaranteedSafepointInterval=0",
            "-XX:AsyncDeflationInterval=0",
            // standard output is for what the program says
            "-XX:+DisplayVMOutputToStderr");

    /** How a JVM begins the lines by which it tells that it ends without having run anything. */
    private static final List<String> NOT_STARTED = List.of(
            "Error: Could not create the Java Virtual Machine",
            "Error: A fatal exception has occurred",
            "Error occurred during initialization of");

    /** The property that names the archive of classes which JVMs of this Java and class path start sooner from. */
    private static final String CLASSES = "lagbench.classes";

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

    /**
     * Why a JVM did not start, as a sentence, if that is what it wrote on its standard error: an option that it does
     * not know, or memory that it cannot have. Null if it started.
     */
    static @Nullable String refusal(List<String> errorLines) {
        if (errorLines.stream().noneMatch(ChildJvm::tellsEnd)) {
            return null;
        }
        String reason = errorLines.stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !tellsEnd(line) && !line.startsWith("at "))
                .limit(2)
                .collect(Collectors.joining("; "));
        return (reason.isEmpty() ? "it does not tell why" : reason) + ". Mend jvm in the experiment.";
    }

    private static boolean tellsEnd(String line) {
        return NOT_STARTED.stream().anyMatch(line::startsWith);
    }

    /** The command line that runs a main class with these arguments, on a JVM with options of the user's. */
    static List<String> command(JvmOptions added, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options());
        String classes = System.getProperty(CLASSES);
        if (classes != null && added.options().isEmpty()) {
            command.add("-XX:SharedArchiveFile=" + classes);
            command.add("-Xshare:auto");
            command.add("-Xlog:cds=off"); // one that does not fit is done without
        }
        command.addAll(added.options());
        command.add("-classpath");
        command.add(System.getProperty("java.class.path"));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
