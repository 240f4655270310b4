package org.lagbench.core.failure;

import org.jspecify.annotations.Nullable;

/** Tells the user of a failure, in the same form in every program. */
public final class Failures {
    private Failures() {}

    /**
     * Prints what is wrong with a program's command line to the standard error, and where its help is.
     *
     * @param mistake what is wrong
     * @param program as the user types it
     * @return the exit code that goes with it
     */
    public static int wrongCommandLine(@Nullable String mistake, String program) {
        System.err.println("lagbench: " + mistake);
        System.err.println("See: " + program + " --help");
        return ExitCode.USAGE.code();
    }

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
