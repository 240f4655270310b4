package org.lagbench.benchmarks;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.packet.PacketLayout;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The header of a packet. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class PacketBenchmark {
    private static final long TAG = 0x0123_4567_89ab_cdefL;

    private final ByteBuffer packet = ByteBuffer.allocateDirect(PacketLayout.HEADER_BYTES);
    private long sequence;

    /** Written as a sender does. */
    @Benchmark
    public ByteBuffer encode() {
        PacketLayout.putIdentity(packet, 0, TAG, sequence++);
        PacketLayout.putSentNs(packet, 0, sequence);
        return packet;
    }

    /** Read as a receiver does. */
    @Benchmark
    public long decode() {
        return PacketLayout.tag(packet, 0) == TAG ? PacketLayout.sequence(packet, 0) : -1;
    }
}
