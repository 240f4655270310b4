package org.lagbench.packetio.socket;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.lagbench.core.model.Wire;
import org.lagbench.packetio.transport.PacketReceiver;

/**
 * Divides the datagrams that the kernel dropped at a receiver's socket by their reason. The socket's counter has all
 * reasons, the counters of the namespace have each reason for all sockets. A drop that both could be counts as damaged:
 * if another program's datagrams were damaged while this socket's buffer was full, the overflows are too few. Only the
 * counters of the namespace have the drops of a library's sockets, and of other programs too.
 *
 * <p>Thread-safe.
 */
public final class DroppedDatagrams {
    private final LongSupplier atSocket;
    private final Supplier<UdpCounters> inNamespace;
    private final UdpCounters before;
    private long overflowed;
    private long damaged;

    /**
     * Creates the counts of a receiver that has just been opened.
     *
     * @param atSocket returns what {@link PacketReceiver#kernelDrops} does; any thread may call it
     * @param wire of the packets
     */
    public static DroppedDatagrams of(LongSupplier atSocket, Wire wire) {
        return wire.isStream()
                ? new DroppedDatagrams(() -> 0, () -> UdpCounters.NONE)
                : new DroppedDatagrams(atSocket, wire.isOverIp() ? UdpCounters::read : () -> UdpCounters.NONE);
    }

    DroppedDatagrams(LongSupplier atSocket, Supplier<UdpCounters> inNamespace) {
        this.atSocket = atSocket;
        this.inNamespace = inNamespace;
        this.before = inNamespace.get();
    }

    /**
     * Returns how many datagrams were dropped because a buffer was full since the receiver was opened; negative if
     * unknown. Never decreases. Allocates little as long as the socket's counter does not grow.
     */
    public synchronized long overflowed() {
        long drops = atSocket.getAsLong();
        if (drops == PacketReceiver.NOT_COUNTED || drops > overflowed + damaged) {
            divide(drops);
        }
        return drops < 0 && drops != PacketReceiver.NOT_COUNTED ? drops : overflowed;
    }

    /**
     * Returns how many datagrams for the socket arrived with a wrong checksum since it was opened; those of all sockets
     * of the namespace if the socket's drops are unknown.
     */
    public synchronized long damaged() {
        return overflowed() < 0 ? inNamespace.get().since(before).damaged() : damaged;
    }

    /** The kernel counts a drop at the socket and in the namespace one after the other: neither count may shrink. */
    private void divide(long drops) {
        UdpCounters since = inNamespace.get().since(before);
        long all = drops == PacketReceiver.NOT_COUNTED ? since.overflowed() + since.damaged() : drops;
        overflowed = Math.max(overflowed, Math.min(since.overflowed(), all - since.damaged()));
        damaged = Math.max(damaged, Math.min(since.damaged(), all - overflowed));
    }
}
