package org.lagbench.native1394;

import java.nio.ByteBuffer;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;

/**
 * The native library and its methods, over libraw1394. Methods that can fail return −errno ({@link Errno}); none
 * throws. A sender or receiver is a native pointer: one thread at a time may use it until closed; any thread may call
 * {@link #wake} until then.
 *
 * <p>Buffers are direct. Report buffers hold 64-bit numbers in native byte order; {@link Ieee1394Sender} and
 * {@link Ieee1394Receiver} describe their layouts.
 */
final class Raw1394 {
    /**
     * The files liblagbench1394.so, which is missing if libraw1394 was at the build, liblagbench_bus_shim.so and
     * lagbench-busd, in the directory that the system property lagbench.native names.
     */
    static final NativeFiles FILES = new NativeFiles(
            "lagbench.native",
            Raw1394.class,
            "apt-get install libraw1394-dev && mvn -pl native1394 -am package",
            "IEEE-1394");

    private Raw1394() {}

    /**
     * Loads the library if it is not loaded. Thread-safe.
     *
     * @throws LagbenchException if it does not exist or does not load
     */
    static void load() throws LagbenchException {
        FILES.load("liblagbench1394.so", "Is libraw1394 installed (apt-get install libraw1394-11)?");
    }

    /** Returns the number of ports that this process can use, or −errno. */
    static native int portCount();

    /**
     * Describes a port.
     *
     * @param values receives: nodes, local GUID, speed code or −1, available bandwidth or −1, available channels,
     *     number of GUIDs, the GUIDs; at least 6 + 63 long
     * @param device receives the device file's name in ASCII, terminated by 0
     * @return 0 or −errno
     */
    static native int describePort(int port, long[] values, byte[] device);

    /**
     * Opens the sending side: reserves channel and bandwidth and creates the transmit queue.
     *
     * @param channel 0 to 63, or −1 for the first free one
     * @param granted receives the channel and the bandwidth units
     * @return the sender, or −errno
     */
    static native long openSender(
            int port, int channel, int speed, int packetBytes, int queuePackets, int tag, int sync, int[] granted);

    /** Starts transmission; the first packet follows with {@link #send}. Returns 0 or −errno. */
    static native int startSender(long sender);

    /**
     * Sends consecutive packets of a buffer, waiting for space in the queue before each.
     *
     * @param report receives the number of packets sent and the reported cycles, also on failure
     * @return 0 or −errno; ECANCELED after {@link #wake}
     */
    static native int send(long sender, ByteBuffer packets, int count, ByteBuffer report);

    /** Waits until the queue is empty. Returns 0 or −errno. */
    static native int flush(long sender, ByteBuffer report);

    /** Stops the sender, releases channel and bandwidth, and frees it. */
    static native void closeSender(long sender);

    /**
     * Opens the receiving side and starts it.
     *
     * @param waitMs how long a {@link #receive} call waits at most, in ms
     * @return the receiver, or −errno
     */
    static native long openReceiver(
            int port, int channel, int packetBytes, int queuePackets, int interruptInterval, int waitMs);

    /**
     * Waits for packets, at most the {@code waitMs} of {@link #openReceiver}.
     *
     * @param packets receives the packets of the run's size, consecutively
     * @param capacity maximum number of packets, at least twice the interrupt interval
     * @return number of packets, or −errno; ECANCELED after {@link #wake}
     */
    static native int receive(long receiver, ByteBuffer packets, ByteBuffer report, int capacity);

    /** Stops the receiver and frees it. */
    static native void closeReceiver(long receiver);

    /** Makes the current and all later calls on a sender or receiver return ECANCELED. */
    static native void wake(long senderOrReceiver);

    /** Returns the number of bus resets seen by a sender. */
    static native int busResets(long sender);

    /** Opens the clocks of a port. Returns a pointer for {@link #readClocks}, or −errno. */
    static native long openClocks(int port);

    /**
     * Reads the bus clock and this machine's clock simultaneously.
     *
     * @param numbers receives the time of the bus in ns, 0 to 128 s, and CLOCK_REALTIME in ns, to the microsecond
     * @return 0 or −errno
     */
    static native int readClocks(long clocks, ByteBuffer numbers);

    static native void closeClocks(long clocks);

    /** Returns the system's text for an error number. */
    static native String errorText(int errno);
}
