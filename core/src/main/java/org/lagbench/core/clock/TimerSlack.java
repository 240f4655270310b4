package org.lagbench.core.clock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The time by which Linux may prolong a sleep of the calling thread to save wake-ups: 50,000 ns by default. Every
 * thread has its own slack, sets it without a privilege, and passes it on to threads that it starts. See
 * {@code timerslack_ns} in proc(5).
 */
public final class TimerSlack {
    /** The smallest timer slack that Linux accepts, in ns. */
    public static final long MINIMUM_NS = 1;

    private TimerSlack() {}

    /**
     * Returns the calling thread's timer slack in ns; 0 in a real-time scheduling class.
     *
     * @throws IOException if the platform does not report it
     */
    public static long currentNs() throws IOException {
        Path file = file();
        String text = Files.readString(file).strip();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException(file + " contains \"" + text + "\", not a number", e);
        }
    }

    /**
     * Sets the calling thread's timer slack.
     *
     * @param slackNs in ns, at least {@link #MINIMUM_NS}
     * @throws IOException if the platform does not allow it; the message says why
     */
    public static void setNs(long slackNs) throws IOException {
        if (slackNs < MINIMUM_NS) {
            throw new IllegalArgumentException(
                    "a timer slack of " + slackNs + " ns is below the minimum of " + MINIMUM_NS);
        }
        Path file = file();
        Files.writeString(file, Long.toString(slackNs));
        long granted = currentNs();
        if (granted > slackNs) {
            throw new IOException(file + " is " + granted + " ns after " + slackNs + " ns were written");
        }
    }

    /** The file exists in /proc/TID but not in /proc/thread-self. */
    private static Path file() throws IOException {
        return Path.of("/proc")
                .resolve(Path.of("/proc/thread-self").toRealPath().getFileName())
                .resolve("timerslack_ns");
    }
}
