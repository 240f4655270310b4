package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.text.Units;

/**
 * An event that a sender or receiver reports to its parent process on its standard output, or {@link Kind#START}, which
 * the parent sends to its standard input. Each is a line of JSON.
 *
 * @param value what the kind states; empty if the kind states no value
 */
public record ProgramEvent(Kind kind, String value) {
    /** The kinds of events. */
    public enum Kind {
        /** The receiver waits for senders, or the sender for its receiver, at this address. */
        LISTENING,
        /** The sender waits for the clocks; a sentence. */
        WAITING,
        /** The warm-up is over, and the program waits for {@link #START}. */
        READY,
        /** The first recorded packet is due at this time, CLOCK_REALTIME in ns. */
        RECORDING,
        /** What the receiver recorded in a second, a {@link org.lagbench.core.timeseries.ReceivedInterval} as JSON. */
        INTERVAL,
        /** A sentence for the user, such as that no packet arrived. */
        WARNING,
        /** The run is complete. */
        DONE,
        /** From the parent process: when the first recorded packet is due, CLOCK_REALTIME in ns. */
        START
    }

    /** Returns the event in a line; null if the line is something else, such as a warning of the JVM. */
    public static @Nullable ProgramEvent parse(String line) {
        if (!line.startsWith("{\"kind\":")) {
            return null;
        }
        try {
            return StrictJson.read(line, ProgramEvent.class);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Loads what {@link #print} needs, so that the next event is printed at once. */
    public static void prepare() {
        StrictJson.line(new ProgramEvent(Kind.RECORDING, ""));
    }

    /** Prints this event for the parent process. */
    public void print() {
        System.out.println(StrictJson.line(this));
        System.out.flush();
    }

    /** Returns this event for a person who has started the program. */
    public String text() {
        return switch (kind) {
            case LISTENING -> "listening on " + value;
            case RECORDING -> {
                long inMs = Math.max(0, Math.round((Long.parseLong(value) - RealtimeClock.nowNs()) / Units.NS_PER_MS));
                yield "the recorded packets begin in " + Durations.format((long) (inMs * Units.NS_PER_MS));
            }
            case WARNING -> "warning: " + value;
            default -> value;
        };
    }

    /** Prints {@link #text}. */
    public void printText() {
        System.out.println(text());
        System.out.flush();
    }
}
