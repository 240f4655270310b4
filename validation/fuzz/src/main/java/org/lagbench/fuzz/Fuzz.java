package org.lagbench.fuzz;

/** What Jazzer calls with each input. The property {@value #TARGET} names the target. */
public final class Fuzz {
    static final String TARGET = "lagbench.fuzz.target";

    private static final Target SELECTED = Target.named(System.getProperty(TARGET, ""));

    private Fuzz() {}

    /** Gives an input to the target. */
    public static void fuzzerTestOneInput(byte[] input) {
        SELECTED.accepts(input);
    }
}
