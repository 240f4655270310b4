package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BandwidthEstimateTest {
    private static final int CHUNK_BYTES = 16_384;
    private static final double MBIT = 1e6;

    private final BandwidthEstimate estimate = new BandwidthEstimate();
    private final SocketState state = new SocketState();
    private long nowNs;
    private long ackedBytes;
    private long blockedNs;

    BandwidthEstimateTest() {
        Arrays.fill(state.values(), 0);
        estimate.connected(0);
    }

    /** The receiver acknowledges chunks at a rate, while these chunks remain to be sent. */
    private void acknowledge(int chunks, double bitsPerS, int waitingChunks) {
        acknowledge(chunks, bitsPerS, waitingChunks, 0);
    }

    /** @param writing the part of the time in which write calls transmit or wait */
    private void acknowledge(int chunks, double bitsPerS, int waitingChunks, double writing) {
        for (int i = 0; i < chunks; i++) {
            double elapsedNs = CHUNK_BYTES * 8e9 / bitsPerS;
            nowNs += Math.round(elapsedNs);
            blockedNs += Math.round(writing * elapsedNs);
            ackedBytes += CHUNK_BYTES;
            state.values()[SocketState.index("acked_bytes")] = ackedBytes;
            state.read(nowNs, ackedBytes + (long) waitingChunks * CHUNK_BYTES, CHUNK_BYTES, blockedNs);
            estimate.progress(state);
        }
    }

    @Test
    void ignoresSingleSlowWindow() {
        acknowledge(400, 400 * MBIT, 20);
        acknowledge(3, 40 * MBIT, 20);
        acknowledge(1, 400 * MBIT, 20);

        assertThat(estimate.bitsPerS()).isCloseTo(400 * MBIT, within(160 * MBIT));
    }

    @Test
    void followsALinkThatBecomesSlower() {
        acknowledge(400, 400 * MBIT, 20);
        acknowledge(32, 40 * MBIT, 20);

        assertThat(estimate.bitsPerS()).isCloseTo(40 * MBIT, within(20 * MBIT));
    }

    @Test
    void measuresSaturatedLink() {
        acknowledge(400, 400 * MBIT, 20);
        acknowledge(800, 400 * MBIT, 1);
        acknowledge(400, 300 * MBIT, 0, 0.9);

        assertThat(estimate.bitsPerS()).isCloseTo(300 * MBIT, within(3 * MBIT));
    }

    @Test
    void risesMoreSlowlyAfterFailedRises() {
        acknowledge(400, 400 * MBIT, 20);
        double[] risen = new double[4];
        for (int i = 0; i < risen.length; i++) {
            acknowledge(800, 400 * MBIT, 1); // the link waits for the sender
            risen[i] = estimate.bitsPerS();
            acknowledge(400, 400 * MBIT, 20);
        }

        assertThat(risen[0]).isGreaterThan(600 * MBIT);
        assertThat(risen).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThat(risen[3]).isLessThan(0.8 * risen[0]);
    }
}
