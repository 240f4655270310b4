package org.lagbench.runner.sweep;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.JvmOptions;

/**
 * Builds the command line of a JVM for a sender or a receiver, with the java and the class path of this JVM. Each run
 * starts new JVMs, so that no run profits from code that another has compiled.
 */
public final class ChildJvm {
    /**
     * The options of all JVMs, then the options of JVMs that send or receive packets. Scripts and the build pass the
     * same files to java.
     */
    private static final List<String> OPTIONS = Stream.of("all-jvm.options", "packet-jvm.options")
            .flatMap(ChildJvm::read)
            .toList();

    /** Prefixes of the lines that a JVM prints if it cannot start. */
    private static final List<String> NOT_STARTED = List.of(
            "Error: Could not create the Java Virtual Machine",
            "Error: A fatal exception has occurred",
            "Error occurred during initialization of");

    /** What a JVM prints if the kernel refuses it a thread, whatever its options are. */
    private static final Pattern NO_THREADS =
            Pattern.compile("(create|start)\\b.*\\bthread|pthread_create|Out of system resources");

    /** The system property with the path of the class data archive for this Java and class path. */
    private static final String CLASSES = "lagbench.classes";

    /** The system property with the class path of senders and receivers, if it is not that of this JVM. */
    private static final String CLASS_PATH = "lagbench.class-path";

    /** The system property with options that precede those of an experiment, separated by spaces. */
    private static final String OPTIONS_BEFORE = "lagbench.packet-jvm";

    private static final String LAGBENCH = "org.lagbench.cli.Lagbench";

    private ChildJvm() {}

    private static Stream<String> read(String file) {
        try (InputStream resource = ChildJvm.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(resource, file).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .flatMap(line -> Stream.of(line.split(" ", -1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command line of another lagbench with these arguments. */
    public static List<String> lagbench(List<String> arguments) {
        return command(JvmOptions.NONE, LAGBENCH, arguments);
    }

    /** Returns the options without the class path, and with this JVM's system properties of lagbench. */
    public static List<String> options() {
        List<String> options = new ArrayList<>(OPTIONS);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("lagbench."))
                .sorted()
                .forEach(name -> options.add("-D" + name + "=" + System.getProperty(name)));
        return options;
    }

    /**
     * Returns why a JVM did not start, such as an unknown option or too little memory.
     *
     * @param errorLines its standard error
     * @return a sentence; null if it started
     */
    static @Nullable String refusal(List<String> errorLines) {
        if (errorLines.stream().noneMatch(ChildJvm::isStartFailure)) {
            return null;
        }
        String reason = errorLines.stream()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !isStartFailure(line) && !line.startsWith("at "))
                .limit(2)
                .collect(Collectors.joining("; "));
        boolean needsThreads = NO_THREADS.matcher(reason).find();
        return (reason.isEmpty() ? "it gives no reason" : reason.replaceFirst("\\.$", ""))
                + (needsThreads
                        ? ". Allow this user more processes and threads: ulimit -u, or pids.max of the cgroup."
                        : ". Fix the key jvm of the experiment.");
    }

    private static boolean isStartFailure(String line) {
        return NOT_STARTED.stream().anyMatch(line::startsWith);
    }

    /** Returns the command line that runs a main class on a JVM with the user's additional options. */
    static List<String> command(JvmOptions added, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options());
        String classes = System.getProperty(CLASSES);
        if (classes != null) {
            command.add("-XX:SharedArchiveFile=" + classes);
            command.add("-Xshare:auto");
            command.add("-Xlog:cds=off:stderr"); // the JVM ignores an archive that does not fit
        }
        Stream.of(System.getProperty(OPTIONS_BEFORE, "").split(" ", -1))
                .filter(option -> !option.isEmpty())
                .forEach(command::add);
        command.addAll(added.options());
        command.add("-classpath");
        command.add(System.getProperty(CLASS_PATH, System.getProperty("java.class.path")));
        command.add(mainClass);
        command.addAll(arguments);
        return command;
    }
}
