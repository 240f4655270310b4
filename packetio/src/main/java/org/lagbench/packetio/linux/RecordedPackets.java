package org.lagbench.packetio.linux;

/** Packets that arrived at a host, that it dropped, or that left it, with their times. */
@FunctionalInterface
public interface RecordedPackets {
    /** Accepts packets. */
    @FunctionalInterface
    interface Consumer {
        /**
         * Accepts a TCP segment or a UDP datagram.
         *
         * @param atNs when it arrived, was dropped or left, CLOCK_REALTIME in ns
         * @param sequence the lower 32 bits of the sequence number of a segment's first byte, or of a datagram's first
         *     packet
         * @param bytes the bytes of its data; 0 if this is the number of the packet that the segment before begins with
         * @param reason the kernel's number of the reason if it was dropped, see {@link DropReasons}
         */
        void accept(long atNs, int sequence, long bytes, long reason);
    }

    /** Passes all packets whose times are known to a consumer, in their order. */
    void forEach(Consumer consumer);
}
