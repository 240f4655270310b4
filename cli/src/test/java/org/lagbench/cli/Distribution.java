package org.lagbench.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The jars of this build with an archive of their classes, as {@code scripts/lagbench} starts them. */
final class Distribution {
    private static final Path HOME = home(Path.of("").toAbsolutePath());

    /** Prints the JVM options of the jars, one per line, after making an archive for the Java of this JVM if needed. */
    private static final String PRINT_OPTIONS =
            """
            source "$0"
            java_home=$1
            writable_state
            name_class_archive
            [[ -e $class_archive && -z $(find "$distribution/lib" -newer "$class_archive" -print -quit) ]] ||
                make_class_archive
            choose_archive_options
            printf '%s\n' "${archive_options[@]}" "${common_jvm_options[@]}"
            """;

    /** Senders and receivers compile only with C1, and later: a run of few packets takes half the CPU time. */
    private static final String PACKET_JVM =
            "-Dlagbench.packet-jvm=-XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=12";

    /** For the JVMs of other programs, most of which end within seconds: they too compile less than usual. */
    private static final List<String> JVM =
            List.of("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=5", "-XX:+UseSerialGC");

    private Distribution() {}

    /** Returns the root of the source tree, below which the tests of each module run in its folder. */
    private static Path home(Path module) {
        Path folder = module;
        while (!Files.exists(folder.resolve("scripts/lib/common.sh"))) {
            folder = folder.getParent();
        }
        return folder;
    }

    /** Returns the JVM options: class path, class archive and directories of native files. Thread-safe. */
    static List<String> options() {
        return Holder.OPTIONS;
    }

    /** Returns the class path of the jars. Thread-safe. */
    static String classPath() {
        return options().get(options().indexOf("-classpath") + 1);
    }

    /**
     * Returns the JVM options of the jars and, after them, of the classes of these tests: so the JVM uses the archive.
     * Such a JVM runs many commands, so that it compiles as early as usual. Thread-safe.
     */
    static List<String> testOptions() {
        List<String> options = new ArrayList<>(options());
        options.add("-Dlagbench.class-path=" + classPath());
        options.add("-XX:CompileThresholdScaling=1");
        options.set(
                options.indexOf("-classpath") + 1,
                classPath()
                        + File.pathSeparator
                        + Path.of("target/test-classes").toAbsolutePath());
        return options;
    }

    /** Returns the command line of a program. Thread-safe. */
    static List<String> command(String mainClass, String... arguments) {
        return command(options(), mainClass, arguments);
    }

    /** Returns the command line of a program with these options, such as {@link #testOptions}. */
    static List<String> command(List<String> options, String mainClass, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(options);
        command.add(mainClass);
        command.addAll(List.of(arguments));
        return command;
    }

    /** Lets commands in this JVM start senders and receivers from the jars and find native files. Thread-safe. */
    static void useInThisJvm() {
        System.setProperty("lagbench.class-path", classPath());
        options().stream()
                .filter(option -> option.startsWith("-Dlagbench."))
                .map(option -> option.substring(2).split("=", 2))
                .forEach(property -> System.setProperty(property[0], property[1]));
    }

    private static final class Holder {
        private static final List<String> OPTIONS = readOptions();
    }

    private static List<String> readOptions() {
        try {
            Path printed = Files.createTempFile("options-", ".txt");
            Process shell = new ProcessBuilder(
                            "bash",
                            "-c",
                            PRINT_OPTIONS,
                            HOME.resolve("scripts/lib/common.sh").toString(),
                            System.getProperty("java.home"))
                    .redirectOutput(printed.toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (shell.waitFor() != 0) {
                throw new IllegalStateException("scripts/lib/common.sh did not print the options of the JVM");
            }
            List<String> options = new ArrayList<>(Files.readAllLines(printed));
            options.add(0, PACKET_JVM);
            Files.delete(printed);
            return List.copyOf(options);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while the class archive was made", e);
        }
    }
}
