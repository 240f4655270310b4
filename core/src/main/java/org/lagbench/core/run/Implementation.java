package org.lagbench.core.run;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What the sender and the receiver of a run are written in. */
public enum Implementation {
    /** The programs that run on a JVM. */
    JAVA,
    /** Their twins without one. */
    C;

    /** What is accepted, as part of a sentence: "java or c". */
    public static final String ACCEPTED =
            Arrays.stream(values()).map(Implementation::text).collect(Collectors.joining(" or "));

    /** The name in files and on the command line. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The implementation of that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Implementation named(String text) {
        return Arrays.stream(values())
                .filter(implementation -> implementation.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "implementation \"" + text + "\" is not accepted; it takes " + ACCEPTED + "."));
    }
}
