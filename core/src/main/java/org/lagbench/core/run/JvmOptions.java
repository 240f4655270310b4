package org.lagbench.core.run;

import java.util.List;

/**
 * Options for the JVMs of a run, beyond those that lagbench needs itself. Accepts {@code -X…} and {@code -D…}, except
 * options with which the JVM runs another program or takes options that the run's record does not show.
 *
 * @param options each an option, without blanks
 */
public record JvmOptions(List<String> options) {
    /** The word for no options. */
    public static final String DEFAULT = "default";

    /** No options. */
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

    public JvmOptions {
        options = List.copyOf(options);
        options.forEach(JvmOptions::check);
    }

    /**
     * Reads options separated by blanks; {@link #DEFAULT} and an empty text mean none.
     *
     * @throws IllegalArgumentException if an option is not accepted; the message says what is
     */
    public static JvmOptions parse(String text) {
        String stripped = text.strip();
        return stripped.isEmpty() || stripped.equals(DEFAULT) ? NONE : new JvmOptions(List.of(stripped.split("\\s+")));
    }

    /** Returns the options separated by blanks, or {@link #DEFAULT}, as {@link #parse} reads them. */
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
                    + "\" is not accepted: with it the JVM would run more than lagbench, or"
                    + " with options that are not recorded.");
        }
    }
}
