package org.lagbench.core.failure;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.text.ForeignText;

/** Reports a failure to the user, in the same form in every program. */
public final class Failures {
    private Failures() {}

    /** Loads the classes that report a lack of memory, because a full metaspace has no room for them. */
    static void prepare() {
        sentence(MemoryShortage.explain(new OutOfMemoryError()));
    }

    /**
     * Prints a failure to the standard error: the message alone if the user can fix it, the stack trace for an error in
     * lagbench.
     *
     * @return the exit code of the failure
     */
    public static int report(Throwable failure) {
        LagbenchException known = failure instanceof LagbenchException expected ? expected : explain(failure);
        if (known != null) {
            System.err.print("lagbench: ");
            System.err.println(sentence(known));
            return known.exitCode().code();
        }
        System.err.println("lagbench: an error in lagbench; please report it with what follows.");
        failure.printStackTrace();
        return ExitCode.INTERNAL.code();
    }

    /** Returns the explanation of a failure that the user can fix although no code expects it; null for others. */
    public static @Nullable LagbenchException explain(Throwable failure) {
        if (failure instanceof UnsatisfiedLinkError missing) {
            return new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "lagbench's native library and its Java code are of different builds (" + missing.getMessage()
                            + "); build both again with: mvn package, or use engine: java-nio.",
                    missing);
        }
        return MemoryShortage.explain(failure);
    }

    private static String sentence(@Nullable LagbenchException failure) {
        return failure == null ? "" : ForeignText.lines(failure.sentence());
    }
}
