package org.lagbench.core.live;

import java.util.Base64;

/**
 * Sequence numbers and receive stamps of packets, in the order of arrival. As text, each is the difference from the one
 * before, in groups of 7 bits from the lowest, zigzag-coded (0, −1, 1, −2, …), all in Base64: about 6 characters per
 * packet.
 */
public final class StampSample {
    private static final int GROUP_BITS = 7;
    private static final int MORE = 1 << GROUP_BITS;
    private static final int LONGEST_BYTES = 10;

    private final long[] sequences;
    private final long[] receivedNs;
    private int size;

    /** Creates an empty sample with room for {@code capacity} packets. */
    StampSample(int capacity) {
        this.sequences = new long[capacity];
        this.receivedNs = new long[capacity];
    }

    void add(long sequence, long atNs) {
        sequences[size] = sequence;
        receivedNs[size] = atNs;
        size++;
    }

    void clear() {
        size = 0;
    }

    public int size() {
        return size;
    }

    public long sequence(int index) {
        return sequences[index];
    }

    /** Returns a receive stamp, CLOCK_REALTIME in ns. */
    public long receivedNs(int index) {
        return receivedNs[index];
    }

    String text() {
        byte[] bytes = new byte[2 * LONGEST_BYTES * size];
        int length = 0;
        for (int i = 0; i < size; i++) {
            length = put(bytes, length, sequences[i] - (i == 0 ? 0 : sequences[i - 1]));
            length = put(bytes, length, receivedNs[i] - (i == 0 ? 0 : receivedNs[i - 1]));
        }
        byte[] exact = new byte[length];
        System.arraycopy(bytes, 0, exact, 0, length);
        return Base64.getEncoder().encodeToString(exact);
    }

    private static int put(byte[] bytes, int at, long value) {
        int next = at;
        long left = (value << 1) ^ (value >> (Long.SIZE - 1));
        while (left >>> GROUP_BITS != 0) {
            bytes[next++] = (byte) (left | MORE);
            left >>>= GROUP_BITS;
        }
        bytes[next++] = (byte) left;
        return next;
    }

    /**
     * Reads a sample from text.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static StampSample parse(String text) {
        byte[] bytes = Base64.getDecoder().decode(text);
        int numbers = 0;
        for (byte group : bytes) {
            numbers += group >= 0 ? 1 : 0;
        }
        if (numbers % 2 != 0 || (bytes.length > 0 && bytes[bytes.length - 1] < 0)) {
            throw new IllegalArgumentException("a sample of stamps that was cut off");
        }
        StampSample sample = new StampSample(numbers / 2);
        long[] pair = new long[2];
        int field = 0;
        int shift = 0;
        long value = 0;
        for (byte group : bytes) {
            value |= (long) (group & (MORE - 1)) << shift;
            shift += GROUP_BITS;
            if (group >= 0) {
                pair[field] += (value >>> 1) ^ -(value & 1);
                if (field == 1) {
                    sample.add(pair[0], pair[1]);
                }
                field ^= 1;
                shift = 0;
                value = 0;
            }
        }
        return sample;
    }
}
