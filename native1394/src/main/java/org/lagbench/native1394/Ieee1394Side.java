package org.lagbench.native1394;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * One side of an isochronous stream: a native sender or receiver, and the monitor of the bus clock. Any thread may
 * close it, more than once, which ends a blocked call.
 */
abstract class Ieee1394Side implements AutoCloseable {
    /**
     * Held during calls, so that {@link #pointer} is not freed meanwhile. No other thread acquires it before the close.
     */
    final Object lock = new Object();

    /** The native sender or receiver; 0 once freed. */
    long pointer;

    private final @Nullable BusClockMonitor clocks;
    private final AtomicBoolean closed = new AtomicBoolean();

    Ieee1394Side(long pointer, @Nullable BusClockMonitor clocks) {
        this.pointer = pointer;
        this.clocks = clocks;
    }

    /** Frees the native sender or receiver. */
    abstract void free(long pointer);

    public void endSocketRecord() throws IOException {
        if (clocks != null) {
            clocks.close();
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            try {
                endSocketRecord();
            } catch (IOException e) {
                // ignored: a complete run has called endSocketRecord before, which reports the failure
            }
            Raw1394.wake(pointer);
            synchronized (lock) {
                free(pointer);
                pointer = 0;
            }
        }
    }

    /**
     * The channel and node that one side announces to the side that receives from it.
     *
     * @param channel the reserved channel, 0 to 63
     * @param senderGuid the unique identifier (EUI-64) of the sending node, 0 if it could not be read
     */
    record Announcement(int channel, long senderGuid) {
        private static final String CHANNEL = "channel";
        private static final String NODE = "node";

        Map<String, String> toMap() {
            return Map.of(CHANNEL, Integer.toString(channel), NODE, Port.guidText(senderGuid));
        }

        /**
         * Parses an announcement, which is not trusted.
         *
         * @param side the side that announced it, "sender" or "receiver"
         */
        static Announcement parse(String side, Map<String, String> map) throws LagbenchException {
            try {
                int channel = Integer.parseInt(map.getOrDefault(CHANNEL, ""));
                long guid = Long.parseUnsignedLong(map.getOrDefault(NODE, ""), 16);
                if (channel >= 0 && channel <= 63) {
                    return new Announcement(channel, guid);
                }
            } catch (NumberFormatException e) {
                // the exception below contains the announcement
            }
            throw ExitCode.PEER.failure(
                    "The " + side + "'s announcement has no channel from 0 to 63 or no node: " + map + ".");
        }
    }
}
