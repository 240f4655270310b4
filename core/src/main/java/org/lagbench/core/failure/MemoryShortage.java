package org.lagbench.core.failure;

import org.jspecify.annotations.Nullable;

/** Explains failures of a JVM that had too little memory of one kind. */
public final class MemoryShortage {
    /** The beginning of each explanation. */
    public static final String SENTENCE = "This JVM has too little memory: ";

    private static final String ERROR = OutOfMemoryError.class.getName();

    private MemoryShortage() {}

    /**
     * Returns the explanation of a failure, with what was short and how to increase it.
     *
     * @return null if the failure was not caused by too little memory
     */
    public static @Nullable LagbenchException explain(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            // a class whose initialization failed keeps only the text of the error
            if (cause instanceof OutOfMemoryError || message.contains(ERROR)) {
                return new LagbenchException(ExitCode.UNAVAILABLE, SENTENCE.concat(reason(message)), failure);
            }
        }
        return null;
    }

    private static String reason(String message) {
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
