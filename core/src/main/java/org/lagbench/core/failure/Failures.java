package org.lagbench.core.failure;

/** Tells the user of a failure, in the same form in every program. */
public final class Failures {
    private Failures() {}

    /**
     * Prints what failed to the standard error: the sentence alone where the user can mend it, the whole stack trace
     * where the fault is lagbench's own.
     *
     * @return the exit code that goes with it
     */
    public static int tell(Exception failure) {
        if (failure instanceof LagbenchException known) {
            System.err.println("lagbench: " + known.sentence());
            return known.exitCode().code();
        }
        System.err.println("lagbench: a fault of lagbench itself; please report it with what follows.");
        failure.printStackTrace();
        return ExitCode.INTERNAL.code();
    }
}
