package org.lagbench.native1394;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;

/**
 * The native library and its methods, over libraw1394. Native methods that can fail return −errno; the methods in Java
 * convert it to exceptions. A sender or receiver is a native pointer: one thread at a time may use it until closed; any
 * thread may call {@link #wake} until then.
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

    // The error numbers of Linux that have a message here, or a meaning for callers.
    static final int ENXIO = 6;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int ENODEV = 19;
    static final int ENOSPC = 28;
    static final int EOVERFLOW = 75;
    static final int EOPNOTSUPP = 95;
    static final int ETIMEDOUT = 110;
    static final int ECANCELED = 125;

    private static final String PERMISSION = "this user may not open /dev/fw*. " + Port.PERMISSION_ADVICE;

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

    /**
     * Returns the exception for a failure to open something on a port.
     *
     * @param what the failed action, such as "open the sender"
     * @param result the native method's negative result
     */
    static LagbenchException unavailable(String what, int port, long result) {
        int errno = (int) -result;
        return ExitCode.UNAVAILABLE.failure(
                "IEEE-1394 port " + port + ": cannot " + what + ": " + (errno == ENODEV ? noPort() : reason(errno)));
    }

    /** Returns the exception for a failed call on an open sender or receiver. */
    static IOException ioFailure(String what, int result) {
        return new IOException("IEEE-1394: cannot " + what + ": " + reason(-result));
    }

    private static String reason(int errno) {
        return switch (errno) {
            case ENODEV ->
                "the port no longer exists: the controller was unplugged, or the daemon of the virtual bus ("
                        + VirtualBus.DAEMON + ") has ended.";
            case EACCES -> PERMISSION;
            case ENXIO -> "there is no such port; \"lagbench doctor\" lists them.";
            case EBUSY -> "the channel is already reserved on this bus; choose another one, or auto.";
            case EAGAIN ->
                "the bus was reset again and again, so that nothing could be reserved for 5 s; is a cable loose?";
            case ENOSPC ->
                "the bus has too little isochronous bandwidth left; use smaller packets, a higher speed, or stop"
                        + " another stream.";
            case EOPNOTSUPP -> "the port is slower than the requested speed; \"lagbench doctor\" shows its speed.";
            case ETIMEDOUT ->
                "the bus has transmitted nothing for 5 s; does it have a cycle master (is another node connected)?";
            case EOVERFLOW -> "the kernel delivered more packets at once than the interrupt interval allows.";
            default -> errorText(errno) + " (errno " + errno + ").";
        };
    }

    private static String noPort() {
        @Nullable String virtualBus = System.getenv(VirtualBus.DIRECTORY_VARIABLE);
        if (virtualBus != null) {
            return "the virtual bus in " + virtualBus + " does not answer; does " + VirtualBus.DAEMON
                    + " start, and is the directory writable?";
        }
        if (!Port.deviceFiles().isEmpty()) {
            return PERMISSION;
        }
        return "this machine has no IEEE-1394 port (no /dev/fw*). Run it on lagbench's virtual bus: lagbench starts one"
                + " automatically, \"lagbench bus\" one for other programs.";
    }
}
