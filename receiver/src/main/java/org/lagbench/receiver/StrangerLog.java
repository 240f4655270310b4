package org.lagbench.receiver;

import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Limits the log lines that peers cause without having the key: {@value #MAXIMUM_LINES} an hour, and one that counts
 * the others. Thread-safe.
 */
final class StrangerLog {
    static final int MAXIMUM_LINES = 10;

    private static final long PERIOD_NS = TimeUnit.HOURS.toNanos(1);

    private final Consumer<String> lines;
    private final LongSupplier nanoTime;
    private long periodStartNs;
    private int written;
    private long leftOut;

    /**
     * @param lines receives the lines
     * @param nanoTime a clock in ns
     */
    StrangerLog(Consumer<String> lines, LongSupplier nanoTime) {
        this.lines = lines;
        this.nanoTime = nanoTime;
        this.periodStartNs = nanoTime.getAsLong();
    }

    synchronized void write(String line) {
        long nowNs = nanoTime.getAsLong();
        if (nowNs - periodStartNs >= PERIOD_NS) {
            if (leftOut > 0) {
                lines.accept(leftOut + " more lines about connections without a proven key were left out");
            }
            periodStartNs = nowNs;
            written = 0;
            leftOut = 0;
        }
        if (written == MAXIMUM_LINES) {
            leftOut++;
            return;
        }
        written++;
        lines.accept(written < MAXIMUM_LINES ? line : line + "; further such lines are left out for an hour");
    }
}
