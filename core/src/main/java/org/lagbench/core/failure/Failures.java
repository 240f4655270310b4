package org.lagbench.core.failure;

/** Reports a failure to the user, in the same form in every program. */
public final class Failures {
    private Failures() {}

    /**
     * Prints a failure to the standard error: the message alone if the user can fix it, the stack trace for an error in
     * lagbench.
     *
     * @return the exit code of the failure
     */
    public static int report(Exception failure) {
        if (failure instanceof LagbenchException known) {
            System.err.println("lagbench: " + known.sentence());
            return known.exitCode().code();
        }
        System.err.println("lagbench: an error in lagbench; please report it with what follows.");
        failure.printStackTrace();
        return ExitCode.INTERNAL.code();
    }
}
