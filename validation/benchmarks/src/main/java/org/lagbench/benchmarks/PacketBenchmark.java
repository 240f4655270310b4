package org.lagbench.benchmarks;

import java.nio.ByteBuffer;
import org.lagbench.packetio.transport.PacketLayout;
import org.openjdk.jmh.annotations.Benchmark;

/** Encodes and decodes the header of a packet. */
public class PacketBenchmark extends PartBenchmark {
    private static final long TAG = 0x0123_4567_89ab_cdefL;

    private final ByteBuffer packet = ByteBuffer.allocateDirect(PacketLayout.HEADER_BYTES);
    private long sequence;

    /** Writes the header as a sender does. */
    @Benchmark
    public ByteBuffer encode() {
        PacketLayout.putIdentity(packet, 0, TAG, sequence++);
        PacketLayout.putSentNs(packet, 0, sequence);
        return packet;
    }

    /** Reads the header as a receiver does. */
    @Benchmark
    public long decode() {
        return PacketLayout.tag(packet, 0) == TAG ? PacketLayout.sequence(packet, 0) : -1;
    }
}
