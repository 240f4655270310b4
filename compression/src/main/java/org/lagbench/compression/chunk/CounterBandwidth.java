package org.lagbench.compression.chunk;

import java.io.IOException;
import org.lagbench.core.bandwidth.BandwidthMonitor;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;

/**
 * The bandwidth that other traffic leaves on a link, from the counters of its interface. The connection's own bytes are
 * subtracted; they are assumed to be sent in full TCP segments over Ethernet.
 */
final class CounterBandwidth implements PathBandwidth {
    private static final double SEGMENT_BYTES = 1_448;

    /** A segment with headers of TCP (with timestamps), IPv4 and Ethernet, preamble, frame check sequence and gap. */
    private static final double WIRE_BYTES = SEGMENT_BYTES + 32 + 20 + 14 + 24;

    private final BandwidthMonitor monitor;
    private final long rateBitsPerS;
    private double earlierBytes;
    private boolean hasBacklog;

    /** @param monitor reads the counters; {@link #close} closes it */
    CounterBandwidth(BandwidthMonitor monitor, long rateBitsPerS) {
        this.monitor = monitor;
        this.rateBitsPerS = rateBitsPerS;
    }

    /**
     * Starts reading the counters of the bottleneck that {@link Bottleneck#VARIABLE} describes.
     *
     * @param source name of the source of the counters
     */
    static CounterBandwidth open(String source) throws LagbenchException {
        String text = System.getenv(Bottleneck.VARIABLE);
        if (text == null || text.isBlank()) {
            throw ExitCode.USAGE.failure("codec: bandwidth from " + source + " counters needs a bottleneck:"
                    + " use a lab, or set the variable " + Bottleneck.VARIABLE + " of the sender.");
        }
        Bottleneck bottleneck = Bottleneck.parse(text);
        return new CounterBandwidth(
                new BandwidthMonitor(CounterSource.all().named(source), bottleneck), bottleneck.rateBitsPerS());
    }

    @Override
    public void connected(long previousBytes) {
        earlierBytes += previousBytes;
        sent(0);
    }

    @Override
    public void progress(SocketState state) {
        hasBacklog = state.backlogBytes() > 0;
        sent(state.ackedBytes());
    }

    /** @param bytes bytes of this connection that the receiver has acknowledged */
    private void sent(long bytes) {
        monitor.sent((earlierBytes + bytes) * WIRE_BYTES / SEGMENT_BYTES);
    }

    @Override
    public boolean hasBacklog() {
        return hasBacklog;
    }

    /** Returns the bandwidth of the payload; the bandwidth of the idle link before the first estimate. */
    @Override
    public double bitsPerS() {
        double estimateBitsPerS = monitor.availableBitsPerS();
        double availableBitsPerS = estimateBitsPerS < 0 ? rateBitsPerS : estimateBitsPerS;
        return Math.max(1, availableBitsPerS * SEGMENT_BYTES / WIRE_BYTES);
    }

    /** @throws IOException if reading the counters failed during the run */
    @Override
    public void close() throws IOException {
        monitor.close();
        IOException failure = monitor.failure();
        if (failure != null) {
            throw new IOException("the counters of the bottleneck: " + IoErrors.reason(failure), failure);
        }
    }
}
