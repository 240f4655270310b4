package org.lagbench.core.run;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Which stream of an experiment a run is of, and what goes on at the same time.
 *
 * @param name the stream's name
 * @param direction which way it goes
 * @param beside the names of the streams that are sent at the same time, from a common start on; none if it is alone
 */
public record StreamRole(String name, Direction direction, List<String> beside) {
    /** Which way the packets of a stream go. */
    public enum Direction {
        /** From the sender's host to the receiver's. */
        FORWARD,
        /** From the receiver's host to the sender's. */
        BACKWARD;

        /** The name in files and tables. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * The direction of that name.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static Direction named(String text) {
            return Arrays.stream(values())
                    .filter(direction -> direction.text().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "direction \"" + text + "\" is not accepted; it takes forward or backward."));
        }
    }

    public StreamRole {
        beside = List.copyOf(beside);
    }

    /** Whether nothing else is sent at the same time. */
    public boolean isAlone() {
        return beside.isEmpty();
    }
}
