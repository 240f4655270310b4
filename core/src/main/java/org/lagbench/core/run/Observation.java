package org.lagbench.core.run;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What a run records of itself beside the stamps of its packets. */
public enum Observation {
    /** What held the two processes up: garbage collection, compilation, the scheduler. */
    CAUSES,
    /** When each packet passed through the kernel on its way. */
    STAGES;

    /** The word for none of them. */
    public static final String NOTHING = "nothing";

    /** What is observed unless told otherwise. */
    public static final Set<Observation> DEFAULT = Set.of(CAUSES);

    /** The name in files and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How {@link #parse} takes them: {@code causes,stages}, or {@code nothing}. */
    public static String text(Set<Observation> observed) {
        return observed.isEmpty()
                ? NOTHING
                : observed.stream().sorted().map(Observation::text).collect(Collectors.joining(","));
    }

    /**
     * Reads names with commas between them, or {@code nothing}.
     *
     * @throws IllegalArgumentException if one is not accepted; the message says what is
     */
    public static Set<Observation> parse(String text) {
        Set<Observation> observed = EnumSet.noneOf(Observation.class);
        if (!text.equals(NOTHING)) {
            for (String name : text.split(",", -1)) {
                observed.add(named(name));
            }
        }
        return Set.copyOf(observed);
    }

    /**
     * The observation of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Observation named(String text) {
        return Arrays.stream(values())
                .filter(observation -> observation.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("observe \"" + text + "\" is not accepted; it takes "
                        + Arrays.stream(values()).map(Observation::text).collect(Collectors.joining(","))
                        + " or one of them, or " + NOTHING + "."));
    }
}
