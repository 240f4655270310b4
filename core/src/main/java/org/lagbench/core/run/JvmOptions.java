package org.lagbench.core.run;

import java.util.List;

/**
 * Options for the JVMs of a run, beyond those that lagbench needs itself. Accepted are {@code -X…} and {@code -D…}, but
 * for those with which the JVM would run something else than the sender or the receiver, or options that the record of
 * the run would not show.
 *
 * @param options each an option, without blanks
 */
public record JvmOptions(List<String> options) {
    /** The word for no options. */
    public static final String DEFAULT = "default";

    /** No options. */
    public static final JvmOptions NONE = new JvmOptions(List.of());

    /** What is accepted, as part of a sentence. */
    public static final String ACCEPTED =
            "JVM options with blanks between them (-XX:+UseSerialGC -Xmx64m), or " + DEFAULT;

    private static final List<String> REFUSED = List.of(
            // the class path and what loads classes
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
            // an end before the beginning
            "-Xshare:dump",
            "-Xinternalversion",
            "-XX:+PrintFlagsRanges");

    public JvmOptions {
        options = List.copyOf(options);
        options.forEach(JvmOptions::check);
    }

    /**
     * Reads options with blanks between them; {@link #DEFAULT}, or nothing, is none.
     *
     * @throws IllegalArgumentException if one is not accepted; the message names it and says what is
     */
    public static JvmOptions parse(String text) {
        String stripped = text.strip();
        return stripped.isEmpty() || stripped.equals(DEFAULT) ? NONE : new JvmOptions(List.of(stripped.split("\\s+")));
    }

    /** The options with a blank between them, or {@link #DEFAULT}; {@link #parse} makes the same of it. */
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
                    + "\" is not accepted: with it the JVM would not run the bench alone, or not as recorded.");
        }
    }
}
