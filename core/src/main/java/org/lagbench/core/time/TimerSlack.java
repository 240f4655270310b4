package org.lagbench.core.time;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * By how much Linux may prolong a sleep of the calling thread to spare wake-ups: 50,000 ns unless somebody changed it.
 * At 1 ns a sleep ends some 20 µs late instead of 70.
 *
 * <p>Every thread has its own slack and may set it without a privilege; threads made later inherit that of their maker.
 * See {@code timerslack_ns} in proc(5).
 */
public final class TimerSlack {
    /** The least slack there is, in ns. */
    public static final long MINIMUM_NS = 1;

    private TimerSlack() {}

    /**
     * The calling thread's timer slack in ns; 0 for a thread of a real-time scheduling class.
     *
     * @throws IOException if the platform does not tell; the message says why
     */
    public static long currentNs() throws IOException {
        Path file = file();
        String text = Files.readString(file).strip();
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IOException(file + " holds \"" + text + "\"", e);
        }
    }

    /**
     * Sets the calling thread's timer slack.
     *
     * @param slackNs in ns, at least {@link #MINIMUM_NS}
     * @throws IOException if the platform does not let it; the message says why
     */
    public static void setNs(long slackNs) throws IOException {
        if (slackNs < MINIMUM_NS) {
            throw new IllegalArgumentException("timer slack of " + slackNs + " ns");
        }
        Path file = file();
        Files.writeString(file, Long.toString(slackNs));
        long granted = currentNs();
        if (granted > slackNs) {
            throw new IOException(file + " stayed at " + granted + " ns");
        }
    }

    /** The file is there for every thread's number directly below /proc, but not in /proc/thread-self. */
    private static Path file() throws IOException {
        return Path.of("/proc")
                .resolve(Path.of("/proc/thread-self").toRealPath().getFileName())
                .resolve("timerslack_ns");
    }
}
