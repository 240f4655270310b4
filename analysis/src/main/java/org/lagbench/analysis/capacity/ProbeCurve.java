package org.lagbench.analysis.capacity;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.lagbench.analysis.statistics.Bisection;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.LagbenchException;

/**
 * The states of a connection during one transfer, in chronological order. Their fields are those of
 * {@code tcp_state.h}. Bytes and times are relative to the first state, so the connection may have had earlier
 * transfers.
 *
 * @param columns the values of each field, as many as there are states
 */
@SuppressWarnings("ArrayRecordComponent") // many numbers, never compared
public record ProbeCurve(long[][] columns) {
    private static final List<String> FIELDS = TransferFiles.TCP_FIELDS;

    /**
     * Reads the states from a first record, inclusive, to a last one, exclusive, of
     * {@link TransferFiles#TCP_FILE_NAME}.
     */
    public static ProbeCurve read(CaptureReader capture, long first, long end) throws LagbenchException {
        int states = Math.toIntExact(end - first);
        long[][] columns = new long[FIELDS.size()][states];
        for (int i = 0; i < columns.length; i++) {
            capture.read(first, capture.field(FIELDS.get(i)), columns[i], states);
        }
        return new ProbeCurve(columns);
    }

    /** Returns the curve of the first and the last state. */
    public ProbeCurve ends() {
        long[][] ends = Arrays.stream(columns)
                .map(column -> new long[] {column[0], column[last()]})
                .toArray(long[][]::new);
        return new ProbeCurve(ends);
    }

    /** Returns the number of the last state; the first one is 0. */
    public int last() {
        return columns[0].length - 1;
    }

    public long value(int state, String field) {
        return columns[FIELDS.indexOf(field)][state];
    }

    /** Returns all values of a field. The caller does not change them. */
    long[] values(String field) {
        return columns[FIELDS.indexOf(field)];
    }

    /** Returns when a state was read, in ns since the first. */
    long ns(int state) {
        return value(state, "at_ns") - value(0, "at_ns");
    }

    /** Returns the increase of a field between two states; −1 if the kernel does not support it. */
    public long increase(String field, int from, int to) {
        long end = value(to, field);
        return end < 0 ? -1 : end - value(from, field);
    }

    /** Returns the bytes acknowledged since the first state. */
    long ackedBytes(int state) {
        return increase("acked_bytes", 0, state);
    }

    /** Returns the bytes sent for the first time since the first state. */
    long firstSentBytes(int state) {
        return increase("sent_bytes", 0, state) - increase("retransmitted_bytes", 0, state);
    }

    /**
     * Returns the first state in which at least this many bytes were acknowledged, or the last state if there is none.
     */
    int whenAcked(long bytes) {
        return first(state -> ackedBytes(state) >= bytes);
    }

    /** Returns the first state in which at least this many bytes were sent, or the last state if there is none. */
    int whenSent(long bytes) {
        return first(state -> firstSentBytes(state) >= bytes);
    }

    private int first(IntPredicate condition) {
        return IntStream.range(0, last()).filter(condition).findFirst().orElse(last());
    }

    /** Returns the last state that was read at this time or before, in ns since the first. */
    int at(double ns) {
        return (int) Bisection.first(1, columns[0].length, state -> (double) ns((int) state) > ns) - 1;
    }

    /** Returns the state that was read nearest to this time, in ns since the first. */
    int nearest(double ns) {
        int before = at(ns);
        int after = Math.min(before + 1, last());
        return (double) ns(after) - ns < ns - (double) ns(before) ? after : before;
    }

    /**
     * Returns the mean rate of acknowledged bytes between two states in bits per second; NaN if no time elapsed between
     * them.
     */
    double ackedBitsPerS(int from, int to) {
        double ns = (double) (ns(to) - ns(from));
        return ns > 0 ? 8e9 * (double) (ackedBytes(to) - ackedBytes(from)) / ns : Double.NaN;
    }
}
