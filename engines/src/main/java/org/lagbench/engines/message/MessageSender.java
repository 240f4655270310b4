package org.lagbench.engines.message;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.run.CallFacts;
import org.lagbench.packetio.socket.PortSender;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.SideConfig;

/** Sends each packet as one message of an interface, stamped just before and just after the call that sends it. */
public abstract class MessageSender extends PortSender {
    /** How long connecting may take on an idle host. */
    private static final int CONNECT_TIMEOUT_MS = 10_000;

    private final PacketCycle packets;
    private final AllocationMeter allocation = new AllocationMeter("packetThreadBytesPerPacket");

    protected MessageSender(SideConfig run) {
        super(run);
        this.packets = new PacketCycle(run.tag(), run.packetBytes());
    }

    /** Returns how long connecting may take, in ms. */
    protected static int connectTimeoutMs() {
        return Patience.ofMs(CONNECT_TIMEOUT_MS);
    }

    /** Sends one packet, which stays unchanged until the interface has copied it. Waits while the interface is full. */
    protected abstract void transmit(byte[] packet) throws IOException;

    /** Waits until all packets were passed to the network. */
    protected void awaitTransmitted() throws IOException {}

    @Override
    public final void send(long sequence, long scheduledNs, SenderCapture capture) throws IOException {
        allocation.packet();
        byte[] packet = packets.next(sequence);
        long sentNs = RealtimeClock.nowNs();
        packets.putSentNs(sentNs);
        try {
            throwIfUnusable();
            transmit(packet);
        } catch (IOException e) {
            throw isClosed() ? e : failure(e);
        }
        capture.append(sequence, scheduledNs, sentNs, RealtimeClock.nowNs());
    }

    private IOException failure(IOException e) {
        return new IOException("Sending to the receiver " + receiver() + " failed: " + IoErrors.reason(e), e);
    }

    @Override
    public final void flush() throws IOException {
        try {
            throwIfUnusable();
            awaitTransmitted();
        } catch (IOException e) {
            throw isClosed() ? e : failure(e);
        }
        allocation.end();
    }

    @Override
    protected void putMetadata(Map<String, Object> into) throws IOException {
        super.putMetadata(into);
        CallFacts.of(1, false).putInto(into);
        allocation.putMetadata(into);
    }

    /**
     * The packets of a sender, each in its own array, as in an application. The payloads differ over a cycle of
     * {@value #CYCLE_BYTES} bytes. Not thread-safe. Only creating it allocates.
     */
    private static final class PacketCycle {
        private static final int CYCLE_BYTES = 1 << 18;
        private static final int MAXIMUM_PACKETS = 1 << 14;

        private final long tag;
        private final boolean hasHeader;
        private final byte[][] packets;
        private final ByteBuffer[] views;
        private int current;

        PacketCycle(long tag, int packetBytes) {
            this.tag = tag;
            this.hasHeader = PacketLayout.hasHeader(packetBytes);
            int count = Math.max(1, Math.min(MAXIMUM_PACKETS, CYCLE_BYTES / packetBytes));
            ByteBuffer payloads = ByteBuffer.allocate(count * packetBytes);
            PacketLayout.fill(payloads, packetBytes, count, tag);
            packets = new byte[count][packetBytes];
            views = new ByteBuffer[count];
            for (int i = 0; i < count; i++) {
                payloads.get(i * packetBytes, packets[i]);
                views[i] = ByteBuffer.wrap(packets[i]);
            }
        }

        /** Returns the next packet, complete except for its sent stamp, in an array of its size. */
        byte[] next(long sequence) {
            current = current + 1 == packets.length ? 0 : current + 1;
            if (hasHeader) {
                PacketLayout.putIdentity(views[current], 0, tag, sequence);
            }
            return packets[current];
        }

        /** Stamps the last packet of {@link #next}. */
        void putSentNs(long sentNs) {
            if (hasHeader) {
                PacketLayout.putSentNs(views[current], 0, sentNs);
            }
        }
    }
}
