package org.lagbench.native1394;

import java.nio.ByteBuffer;

/**
 * The native methods, in liblagbench1394.so over libraw1394. Those that can fail return a negative errno
 * ({@link Errno}); none throws. A sender or receiver is a native pointer: it may be used by one thread at a time and
 * not after it was closed, except that {@link #wake} may be called by any thread while it is open.
 *
 * <p>Buffers are direct. Report buffers are in native byte order and hold 64-bit numbers; see {@link Ieee1394Sender}
 * and {@link Ieee1394Receiver} for their layouts.
 */
final class Raw1394 {
    private Raw1394() {}

    /** How many ports this process can use, or −errno. */
    static native int portCount();

    /**
     * Describes a port.
     *
     * @param values gets: nodes, local GUID, speed code or −1, bandwidth left or −1, channels left, how many GUIDs
     *     follow, the GUIDs; at least 6 + 63 long
     * @param device gets the device file's name in ASCII, ended by 0
     * @return 0 or −errno
     */
    static native int describePort(int port, long[] values, byte[] device);

    /**
     * Opens the sending side: reserves channel and bandwidth and makes the transmit queue.
     *
     * @param channel 0 to 63, or −1 for the first free one
     * @param granted gets the channel and the bandwidth units
     * @return the sender, or −errno
     */
    static native long openSender(
            int port, int channel, int speed, int packetBytes, int queuePackets, int tag, int sync, int[] granted);

    /** Starts transmission; the first packet follows with {@link #send}. Returns 0 or −errno. */
    static native int startSender(long sender);

    /**
     * Sends packets that lie one after the other in the buffer, waiting for room in the queue before each.
     *
     * @param report gets how many were sent and which cycles were learned, also when it fails
     * @return 0 or −errno; ECANCELED after {@link #wake}
     */
    static native int send(long sender, ByteBuffer packets, int count, ByteBuffer report);

    /** Waits until the queue is empty. Returns 0 or −errno. */
    static native int flush(long sender, ByteBuffer report);

    /** Stops, gives channel and bandwidth back, frees. */
    static native void closeSender(long sender);

    /** Opens the receiving side and starts it. Returns the receiver, or −errno. */
    static native long openReceiver(int port, int channel, int packetBytes, int queuePackets, int interruptInterval);

    /**
     * Waits for packets, not longer than some 100 ms.
     *
     * @param packets gets the packets of the run's size one after the other
     * @param report gets the count of packets of other sizes, of bus resets, and for each packet its stamp and cycle
     * @param capacity how many packets there is room for; at least twice the interrupt interval
     * @return how many packets there are, or −errno; ECANCELED after {@link #wake}
     */
    static native int receive(long receiver, ByteBuffer packets, ByteBuffer report, int capacity);

    /** Stops and frees. */
    static native void closeReceiver(long receiver);

    /** Makes a blocked call on this sender or receiver, and all later ones, return ECANCELED. */
    static native void wake(long senderOrReceiver);

    /** How many bus resets this sender has seen; to be called by the thread that sends. */
    static native int busResets(long sender);

    /** Opens a port for its clocks. Returns what {@link #readClocks} wants, or −errno. */
    static native long openClocks(int port);

    /**
     * Reads the bus's clock and this machine's at one moment.
     *
     * @param numbers gets the time of the bus in ns, 0 to 128 s, and CLOCK_REALTIME in ns, to the microsecond
     * @return 0 or −errno
     */
    static native int readClocks(long clocks, ByteBuffer numbers);

    /** Frees. */
    static native void closeClocks(long clocks);

    /** The system's text for an error number. */
    static native String errorText(int errno);
}
