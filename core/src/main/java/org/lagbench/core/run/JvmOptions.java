package org.lagbench.core.run;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Set;

/**
 * Options for the JVMs of a run, beyond those that lagbench needs itself. Accepts {@code -X…} and {@code -D…}, except
 * options with which the JVM runs another program, overwrites a file or reads options that the run's record does not
 * show.
 *
 * @param options each an option, without blanks
 */
public record JvmOptions(List<String> options) {
    /** The word for no options. */
    public static final String DEFAULT = "default";

    public static final JvmOptions NONE = new JvmOptions(List.of());

    /** The accepted values, as part of a sentence. */
    public static final String ACCEPTED = "JVM options separated by blanks (-XX:+UseSerialGC -Xmx64m), or " + DEFAULT;

    private static final List<String> REFUSED = List.of(
            // class path and class loaders
            "-Xbootclasspath",
            "-Djava.class.path",
            "-Djava.home",
            "-Djava.system.class.loader",
            // agents and debuggers
            "-Xrun",
            "-Xdebug",
            // other programs
            "-XX:OnError",
            "-XX:OnOutOfMemoryError",
            // options from elsewhere
            "-XX:Flags",
            "-XX:VMOptionsFile",
            // ends before the program starts
            "-Xshare:dump",
            "-Xinternalversion",
            "-XX:+PrintFlagsRanges");

    /** With these the JVM writes a file that the option names. */
    private static final List<String> WRITING = List.of(
            "-Xloggc",
            "-XX:LogFile",
            "-XX:ErrorFile",
            "-XX:HeapDumpPath",
            "-XX:StartFlightRecording",
            "-XX:FlightRecorderOptions",
            "-XX:ArchiveClassesAtExit",
            "-XX:DumpLoadedClassList",
            "-XX:PerfDataSaveFile",
            "-XX:ReplayDataFile",
            "-XX:InlineDataFile",
            "-XX:AOTCache",
            "-XX:AOTConfiguration");

    /** The outputs of {@code -Xlog:what:output} that are no file; without an output it is the first. */
    private static final Set<String> LOG_OUTPUTS = Set.of("", "stdout", "stderr");

    public JvmOptions {
        options = List.copyOf(options);
        options.forEach(JvmOptions::check);
    }

    /**
     * Reads options separated by blanks; {@link #DEFAULT} and an empty text mean none.
     *
     * @throws IllegalArgumentException if an option is not accepted; the message says what is
     */
    @JsonCreator
    public static JvmOptions parse(String text) {
        String stripped = text.strip();
        return stripped.isEmpty() || stripped.equals(DEFAULT) ? NONE : new JvmOptions(List.of(stripped.split("\\s+")));
    }

    /** Returns the options separated by blanks, or {@link #DEFAULT}, as {@link #parse} reads them. */
    @JsonValue
    public String text() {
        return options.isEmpty() ? DEFAULT : String.join(" ", options);
    }

    private static void check(String option) {
        boolean known = option.startsWith("-X") || option.startsWith("-D");
        if (!known || option.length() == "-X".length()) {
            throw new IllegalArgumentException(
                    "\"" + option + "\" is not accepted; a JVM option here begins with -X or -D.");
        }
        if (REFUSED.stream().anyMatch(option::startsWith)) {
            throw new IllegalArgumentException("\"" + option
                    + "\" is not accepted: it changes what the JVM runs, or adds options that"
                    + " are not recorded.");
        }
        if (WRITING.stream().anyMatch(option::startsWith) || logsToFile(option)) {
            throw new IllegalArgumentException("\"" + option
                    + "\" is not accepted: it makes the JVM overwrite a file."
                    + " -Xlog may write to stdout or stderr.");
        }
    }

    private static boolean logsToFile(String option) {
        String[] parts = option.split(":", 4);
        return parts[0].equals("-Xlog") && parts.length > 2 && !LOG_OUTPUTS.contains(parts[2]);
    }
}
