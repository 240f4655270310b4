package org.lagbench.core.run;

/** Checks that numbers in records and messages can be true. */
public final class Ranges {
    private Ranges() {}

    /**
     * Checks a number.
     *
     * @throws IllegalArgumentException if it is out of range; the message begins with the field
     */
    public static void check(long value, long minimum, long maximum, String field) {
        if (value < minimum || value > maximum) {
            throw new IllegalArgumentException(field + " is " + value
                    + (maximum == Long.MAX_VALUE ? ", below " + minimum : ", not from " + minimum + " to " + maximum));
        }
    }
}
