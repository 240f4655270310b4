package org.lagbench.packetio.transport;

import java.io.IOException;
import java.util.Map;
import org.lagbench.packetio.packet.PacketAccounting;

/**
 * The receiving side of one run. One thread calls {@link #receive}; any thread may call the rest. Closing, from any
 * thread, makes a blocked {@link #receive} return {@link #END}, and gives back all that was taken.
 */
public interface PacketReceiver extends AutoCloseable {
    /** Returned by {@link #receive} when no more packets will come. */
    int END = -1;

    /** What the sender must know to connect: for sockets the port. */
    Map<String, String> announce();

    /**
     * Waits for packets and gives each to {@code arrivals}, with the stamp taken just after the call that gave it to
     * this application. Allocates nothing.
     *
     * @return how many packets were given (may be 0), or {@link #END} once closed or once the sender ended the stream
     */
    int receive(PacketAccounting arrivals) throws IOException;

    /**
     * Whether packets that have come may not have been given yet though no other follows. They are, by the calls of
     * {@link #receive} that follow, when this is closed.
     */
    default boolean holdsBack() {
        return false;
    }

    /**
     * Packets that this host's kernel or bus interface dropped for want of buffer since the receiver was opened, or −1
     * if the platform does not tell.
     */
    long kernelDrops();

    /** Resets of the bus that were noticed since the receiver was opened; 0 where there is no bus. */
    default long busResets() {
        return 0;
    }

    /**
     * What the platform granted and counted, for {@code run.json}: names with units, such as
     * {@code receiveBufferBytes}. Values are numbers, booleans or text.
     */
    Map<String, Object> metadata();

    /**
     * Ends the recording of stages, if there is one, and closes its files; without a call closing does. Once or more.
     *
     * @throws IOException if something was not recorded
     */
    default void endStages() throws IOException {}

    @Override
    void close();
}
