package org.lagbench.packetio.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.recorder.PacketThread;

/**
 * The receiving side of one run. One thread calls {@link #receive}; any thread may call the other methods. Closing
 * makes a blocked {@link #receive} return {@link #END}.
 */
public interface PacketReceiver extends EngineSide {
    /** Returned by {@link #receive} when no more packets can be received. */
    int END = -1;

    /** Returned by {@link #kernelDrops} for the sockets of a library, and for a stream, which loses nothing. */
    long NOT_COUNTED = -2;

    /**
     * Waits for packets and passes each to {@code accounting}, stamped just after the call that received it. Allocates
     * nothing.
     *
     * @return the number of packets passed on (may be 0), or {@link #END} once closed or once the sender ended the
     *     stream
     */
    int receive(PacketAccounting accounting) throws IOException;

    /** Lets a library's sender send nothing more, because packets that it still holds are lost. */
    default void refuseLatePackets() {}

    /**
     * Returns whether {@link #receive} may hold received packets until more arrive. Closing makes the next calls pass
     * them on.
     */
    default boolean canHoldPackets() {
        return false;
    }

    /**
     * Returns whether the thread that calls {@link #receive} does so on one kernel thread and receives the packets
     * itself. Otherwise other threads receive the packets while that thread waits, so its CPU time is not the CPU time
     * of the reception.
     */
    default boolean usesCallersThread() {
        return true;
    }

    /**
     * Returns the one thread that receives the packets while the caller of {@link #receive} waits; null if there are
     * several, or if it is unknown. Does not wait for packets.
     */
    default @Nullable PacketThread receivingThread() {
        return null;
    }

    /**
     * Returns how many packets this host's kernel or bus interface dropped at the receiver's socket since opening, for
     * any reason: −1 if unknown, {@link #NOT_COUNTED} if only the kernel's counters of all sockets have them.
     */
    default long kernelDrops() {
        return NOT_COUNTED;
    }

    /** Returns the number of bus resets noticed since opening; 0 where there is no bus. */
    default long busResets() {
        return 0;
    }
}
