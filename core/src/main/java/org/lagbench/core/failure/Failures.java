package org.lagbench.core.failure;

import org.jspecify.annotations.Nullable;

/** Reports a failure to the user, in the same form in every program. */
public final class Failures {
    /** The beginning of each explanation of too little memory. */
    public static final String MEMORY_SHORTAGE = "This JVM has too little memory: ";

    private static final String MEMORY_ERROR = OutOfMemoryError.class.getName();

    private Failures() {}

    /**
     * Loads the classes that report exhausted memory, because a full metaspace has no room for them. Since Java 21,
     * {@link Runtime#exit} also loads a logger, and prints a line to stderr if it cannot.
     */
    static void prepare() {
        sentence(explainMemory(new OutOfMemoryError()));
        if (Runtime.version().feature() >= 21) {
            System.getLogger("java.lang.Runtime").isLoggable(System.Logger.Level.DEBUG);
        }
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
            return ExitCode.UNAVAILABLE.failure(
                    "lagbench's native library and its Java code are of different builds (" + missing.getMessage()
                            + "); build both again with: mvn package, or use engine: java-nio.",
                    missing);
        }
        return explainMemory(failure);
    }

    private static String sentence(@Nullable LagbenchException failure) {
        return failure == null ? "" : UntrustedText.lines(failure.sentence());
    }

    /**
     * Returns the explanation of a failure by too little memory, with what was exhausted and how to increase it.
     *
     * @return null if the failure was not caused by too little memory
     */
    private static @Nullable LagbenchException explainMemory(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            // a class whose initialization failed keeps only the text of the error
            if (cause instanceof OutOfMemoryError || message.contains(MEMORY_ERROR)) {
                return ExitCode.UNAVAILABLE.failure(MEMORY_SHORTAGE.concat(memoryReason(message)), failure);
            }
        }
        return null;
    }

    private static String memoryReason(String message) {
        if (message.contains("Metaspace")) {
            return "its metaspace is full; increase it with -XX:MaxMetaspaceSize.";
        } else if (message.contains("Compressed class space")) {
            return "its class space is full; increase it with -XX:CompressedClassSpaceSize.";
        } else if (message.contains("direct buffer") || message.contains("Direct buffer")) {
            return "its direct memory is full; increase it with -XX:MaxDirectMemorySize.";
        } else if (message.contains("thread")) {
            return "no thread can be created; raise the limits of processes (ulimit -u) and memory (ulimit -v).";
        } else if (message.contains("Map failed")) {
            return "no file can be mapped; raise the limit of memory (ulimit -v).";
        }
        String heapMib = Long.toString(Runtime.getRuntime().maxMemory() >> 20);
        return "its heap of ".concat(heapMib).concat(" MiB is full; increase it with -Xmx."); // "+" would load classes
    }
}
