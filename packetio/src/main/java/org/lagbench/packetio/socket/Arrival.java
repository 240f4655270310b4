package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.packetio.transport.PacketLayout;
import org.lagbench.packetio.transport.TransportRun;

/** What a side does with a packet of its run before it counts the packet. */
public enum Arrival {
    /** Nothing: the packet is not answered. */
    RECEIVED {
        @Override
        long stamp(SocketIo io, ByteBuffer packets, int offset, int packetBytes, long kernelNs) {
            return kernelNs;
        }
    },
    /** Answers the packet at once. */
    ANSWERED {
        @Override
        long stamp(SocketIo io, ByteBuffer packets, int offset, int packetBytes, long kernelNs) throws IOException {
            return io.reply(packets, offset, packetBytes);
        }
    },
    /** The packet is an answer: reads the stamp that it carries. */
    ANSWER {
        @Override
        long stamp(SocketIo io, ByteBuffer packets, int offset, int packetBytes, long kernelNs) {
            return PacketLayout.hasHeader(packetBytes) ? PacketLayout.sentNs(packets, offset) : 0;
        }
    };

    /** Returns what a receiver does with each packet of a run: answers it or only records it. */
    public static Arrival atReceiver(TransportRun run) {
        return run.isAnswered() ? ANSWERED : RECEIVED;
    }

    /**
     * Returns the third field of the packet's record. Allocates nothing.
     *
     * @param io the socket's I/O
     * @param packets holds the packet at {@code offset}
     * @param kernelNs the kernel's receive stamp
     */
    abstract long stamp(SocketIo io, ByteBuffer packets, int offset, int packetBytes, long kernelNs) throws IOException;
}
