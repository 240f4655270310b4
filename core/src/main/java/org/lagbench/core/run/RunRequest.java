package org.lagbench.core.run;

import java.time.Duration;
import org.lagbench.core.file.Within;

/**
 * A run that another program or host must execute, with the requirements of its start. It names no file, directory or
 * destination of the host that executes it, apart from {@link CompressionSpec#isOfFile}.
 *
 * @param run the run
 * @param maximumClockError the largest clock bound with which it starts
 * @param maximumOtherLoadPpm the part of the CPU time in millionths above which other programs' load marks the run
 * @param waitForClock how long to wait for a smaller bound and less load
 * @param acceptsUnsynchronized whether it starts after that time anyway, and is marked
 */
public record RunRequest(
        RunSpec run,
        Duration maximumClockError,
        @Within(max = MachinePolicy.ALL_PPM) int maximumOtherLoadPpm,
        Duration waitForClock,
        boolean acceptsUnsynchronized) {
    public RunRequest {
        if (maximumClockError.isNegative() || waitForClock.isNegative()) {
            throw new IllegalArgumentException("maximumClockError is " + maximumClockError + " and waitForClock is "
                    + waitForClock + "; neither can be negative");
        }
    }

    /** Returns whether the sender reads a file of its host. */
    public boolean sendsFile() {
        CompressionSpec compression = run.point().traffic().compression();
        return compression != null && compression.isOfFile();
    }
}
