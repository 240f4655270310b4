package org.lagbench.compression.chunk;

import org.lagbench.core.capture.TransferFiles;

/** The state of a chunk connection's socket just before a decision. One thread calls all methods. */
final class SocketState {
    /** A write call that takes longer waits because the send buffer is full, or transmits the bytes within the call. */
    static final long LONGEST_WRITE_NS = 10_000;

    private static final int ACKED_BYTES = index("acked_bytes");
    private static final int SENT_BYTES = index("sent_bytes");
    private static final int RETRANSMITTED_BYTES = index("retransmitted_bytes");
    private static final int NOT_SENT_BYTES = index("not_sent_bytes");
    private static final int MIN_RTT_NS = index("min_rtt_ns");
    private static final int RWND_LIMITED_US = index("rwnd_limited_us");

    private final long[] values = new long[TransferFiles.TCP_FIELDS.size() - 1];
    private long atNs;
    private long occupancyBytes;
    private long backlogBytes;
    private long blockedNs;

    /** Returns the index of a field of {@code tcp_state.h} in {@link #values}. */
    static int index(String field) {
        return TransferFiles.TCP_FIELDS.indexOf(field) - 1;
    }

    /** Returns the array for the fields of {@code tcp_state.h}, in the order of that file. */
    long[] values() {
        return values;
    }

    /**
     * Completes the state after its values were read.
     *
     * @param writtenBytes bytes written to the connection, or ready to be written
     * @param lastBytes the part of them in the last chunk
     * @param allBlockedNs total time by which write calls exceeded {@link #LONGEST_WRITE_NS}
     */
    void read(long nowNs, long writtenBytes, long lastBytes, long allBlockedNs) {
        atNs = nowNs;
        blockedNs = allBlockedNs;
        occupancyBytes = writtenBytes - ackedBytes();
        backlogBytes = Math.max(0, occupancyBytes - lastBytes);
    }

    /** Returns how long write calls have waited or transmitted, in ns: their time without copying into the buffer. */
    long blockedNs() {
        return blockedNs;
    }

    /** Returns whether the kernel reports the bytes that the receiver has acknowledged. */
    boolean isKnown() {
        return ackedBytes() >= 0;
    }

    /** Returns when the state was read, in ns. */
    long atNs() {
        return atNs;
    }

    /** Returns the bytes that the receiver has acknowledged since the connection was established. */
    long ackedBytes() {
        return values[ACKED_BYTES];
    }

    /** Returns the bytes, written or ready to be written, that the receiver has not acknowledged. */
    long occupancyBytes() {
        return occupancyBytes;
    }

    /** Returns the bytes in the send buffer, sent or not; −1 if the kernel does not report them. */
    long bufferBytes() {
        boolean isReported = values[SENT_BYTES] >= 0 && values[RETRANSMITTED_BYTES] >= 0 && values[NOT_SENT_BYTES] >= 0;
        long sentBytes = values[SENT_BYTES] - values[RETRANSMITTED_BYTES];
        return isReported ? Math.max(0, values[NOT_SENT_BYTES] + sentBytes - ackedBytes()) : -1;
    }

    /** Returns the bytes of chunks before the last one that the receiver has not acknowledged. */
    long backlogBytes() {
        return backlogBytes;
    }

    /** Returns the bytes that TCP has not sent yet; 0 if the kernel does not report them. */
    long notSentBytes() {
        return Math.max(0, values[NOT_SENT_BYTES]);
    }

    /** Returns the minimum round-trip time, in ns; 0 if the kernel does not report it. */
    long minRttNs() {
        return Math.max(0, values[MIN_RTT_NS]);
    }

    /** Returns how long the receiver's window has limited sending, in ns. */
    long rwndLimitedNs() {
        return 1_000 * Math.max(0, values[RWND_LIMITED_US]);
    }
}
