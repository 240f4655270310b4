package org.lagbench.packetio.transport;

import java.io.IOException;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
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
     * Says, before the first {@link #receive}, that packets follow one another as fast as they can be sent. They may
     * then be received several at a time, each with its own stamp, and given a little later, but the last one at once.
     *
     * @param lastSequence the sequence number of the last packet
     */
    default void expectFlood(long lastSequence) {}

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
    Map<String, Object> facts();

    /**
     * Has what happens to packets on their way through this machine recorded; to be called before the first
     * {@link #receive}.
     *
     * @throws LagbenchException if this transport or this machine cannot: why, and what to do about it
     */
    default void recordStages(StageRecording recording) throws LagbenchException {
        throw new LagbenchException(
                ExitCode.UNAVAILABLE, "This transport records no stages; leave stages out of observe.");
    }

    /**
     * Ends what {@link #recordStages} began and closes its files; without a call closing does. Once or more.
     *
     * @throws IOException if something was not recorded
     */
    default void endStages() throws IOException {}

    @Override
    void close();
}
