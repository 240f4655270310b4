package org.lagbench.analysis.series;

import java.util.List;
import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.BlockConsumer;
import org.lagbench.analysis.statistics.LongBlocks;
import org.lagbench.core.failure.LagbenchException;

/**
 * The kinds of duration that a run yields many of, in the order of tables and files. A new one is a constant here:
 * statistics and files then have it too.
 */
public enum Series {
    /**
     * Transmit lag, the one-way delay of RFC 7679: received − sent of each packet that came, its first copy, in the
     * order of arrival. Lost packets have none; they are counted beside.
     */
    TRANSMIT_LAG("lag", "Transmit lag", false),
    /** Inter-packet delay at the sender: the difference of the stamps of packets sent one after the other. */
    SEND_DELAY("sendDelay", "Inter-packet delay, sent", false),
    /**
     * Inter-packet delay at the receiver: the difference of the stamps of packets that arrived one after the other,
     * whatever their sequence numbers, copies included.
     */
    RECEIVE_DELAY("receiveDelay", "Inter-packet delay, received", false),
    /** Sent − scheduled of each packet sent: the error of the pacer, and of a network that held the sender up. */
    LATENESS("lateness", "Sender lateness", true),
    /**
     * Received − scheduled of each packet that came, its first copy, in the order of arrival: the lag that an
     * application with that schedule sees. Unlike {@link #TRANSMIT_LAG} it does not leave out the time that a sender
     * held up by the network could not send in (coordinated omission).
     */
    LAG_FROM_SCHEDULE("lagFromSchedule", "Lag from the scheduled time", true);

    private final String id;
    private final String title;
    private final boolean needsSchedule;

    Series(String id, String title, boolean needsSchedule) {
        this.id = id;
        this.title = title;
        this.needsSchedule = needsSchedule;
    }

    /** The name in files. */
    public String id() {
        return id;
    }

    /** The name in tables. */
    public String title() {
        return title;
    }

    /** Whether it is only of runs with a schedule. */
    public boolean needsSchedule() {
        return needsSchedule;
    }

    /** From how many places of a run the values come: packets sent, or arrivals. */
    public long places(JoinedRun run) {
        return this == SEND_DELAY || this == LATENESS ? run.sent() : run.received();
    }

    /**
     * Hands the values in ns from some of the places to the consumer, in their order.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException {
        long[] values = run.room();
        if (this == SEND_DELAY || this == RECEIVE_DELAY) {
            // each stamp less the one before it; the first of all has none before it
            for (long before = Math.max(0, from - 1); before < until - 1; before += values.length - 1) {
                int count = (int) Math.min(values.length, until - before);
                read(run, before, values, count);
                for (int i = 0; i < count - 1; i++) {
                    values[i] = values[i + 1] - values[i];
                }
                consumer.accept(values, count - 1);
            }
            return;
        }
        for (long first = from; first < until; first += JoinedRun.BLOCK) {
            int count = (int) Math.min(JoinedRun.BLOCK, until - first);
            consumer.accept(values, read(run, first, values, count));
        }
    }

    /**
     * Hands every value in ns to the consumer.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public void forEach(JoinedRun run, LongConsumer consumer) throws LagbenchException {
        forEach(run, 0, places(run), (values, count) -> {
            for (int i = 0; i < count; i++) {
                consumer.accept(values[i]);
            }
        });
    }

    /** The values of runs one after the other, to be read by several threads. */
    public LongBlocks pooled(List<JoinedRun> runs) {
        return new PooledBlocks(this, runs);
    }

    /**
     * Reads the values, or the stamps whose differences they are, from so many places on; returns how many there are.
     */
    private int read(JoinedRun run, long first, long[] values, int count) throws LagbenchException {
        switch (this) {
            case TRANSMIT_LAG -> {
                return run.readLagsNs(first, false, values, count);
            }
            case LAG_FROM_SCHEDULE -> {
                return run.readLagsNs(first, true, values, count);
            }
            case SEND_DELAY -> run.readSentNs(first, values, count);
            case RECEIVE_DELAY -> run.readReceivedNs(first, values, count);
            case LATENESS -> run.readLatenessNs(first, values, count);
        }
        return count;
    }
}
