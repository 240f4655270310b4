package org.lagbench.core.cause;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What may delay packets, or lose them. The codes are in captures and stay what they are.
 *
 * <p>In the order of rank: where several go on at once, the first is the cause and the others what it brings about. A
 * garbage collection needs a safepoint, a safepoint stops the stall meter too.
 */
public enum Cause {
    /** The bus was reset: isochronous transmission pauses while it configures itself. */
    BUS_RESET(9, "Bus reset"),
    /** All Java threads were stopped to collect garbage, the time to stop them included. */
    GARBAGE_COLLECTION(1, "Garbage collection"),
    /** All Java threads were stopped for something else: deoptimization, class redefinition, a thread dump. */
    SAFEPOINT(2, "Safepoint"),
    /**
     * The process as a whole did not run, by no doing of its JVM: stopped by a signal, or the machine below it paused.
     */
    STALL(3, "Process stopped"),
    /** The packet thread waited for a CPU while the JVM compiled. */
    COMPILATION(6, "JIT compilation"),
    /** The packet thread waited for a CPU while the collector worked beside it. */
    CONCURRENT_COLLECTION(7, "Concurrent collection"),
    /** The packet thread was taken off its CPU for another and waited to come back. */
    INVOLUNTARY_SWITCH(4, "Involuntary switch"),
    /** The packet thread could run and waited for a CPU. */
    RUN_QUEUE(5, "Run queue"),
    /** The receiving kernel dropped packets for want of buffer. Loses packets and delays none. */
    KERNEL_DROP(8, "Kernel drop");

    private final int code;
    private final String title;

    Cause(int code, String title) {
        this.code = code;
        this.title = title;
    }

    /** The number in captures. */
    public int code() {
        return code;
    }

    /** The name in tables. */
    public String title() {
        return title;
    }

    /** The name in files: "garbage-collection". */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it takes the CPU from the packet thread and so is a cause only while that thread waits for one. */
    public boolean competes() {
        return this == COMPILATION || this == CONCURRENT_COLLECTION;
    }

    /** Whether it is that the packet thread waits for a CPU. */
    public boolean isWait() {
        return this == INVOLUNTARY_SWITCH || this == RUN_QUEUE;
    }

    /** The cause with that number; null if a later version knows it and this one does not. */
    public static @Nullable Cause ofCode(long code) {
        for (Cause cause : values()) {
            if (cause.code == code) {
                return cause;
            }
        }
        return null;
    }
}
