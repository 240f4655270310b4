package org.lagbench.analysis.series;

import java.util.List;
import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.LongBlocks;
import org.lagbench.analysis.statistics.LongBlocks.BlockConsumer;
import org.lagbench.core.failure.LagbenchException;

/** The series of durations of a run, in the order of tables and files. */
public enum PacketDelay {
    /**
     * Transmit lag, the one-way delay of RFC 7679: received − sent of the first copy of each packet that arrived, in
     * the order of arrival. Lost packets have none; they are counted separately.
     */
    TRANSMIT_LAG("lag", "Transmit lag", false),
    /** Inter-packet delay at the sender: the difference of the stamps of consecutive packets. */
    SEND_DELAY("sendDelay", "Inter-packet delay, sent", false),
    /**
     * Inter-packet delay at the receiver: the difference of the stamps of consecutive arrivals, copies included,
     * whatever their sequence numbers.
     */
    RECEIVE_DELAY("receiveDelay", "Inter-packet delay, received", false),
    /** Sent − scheduled of each packet sent: the error of the pacer, plus the time that the network blocked it. */
    LATENESS("lateness", "Sender lateness", true),
    /**
     * Received − scheduled of the first copy of each packet that arrived, in the order of arrival: the lag that an
     * application with that schedule sees. Unlike {@link #TRANSMIT_LAG} it includes the time in which the network
     * blocked the sender (coordinated omission).
     */
    LAG_FROM_SCHEDULE("lagFromSchedule", "Lag from the scheduled time", true);

    private final String id;
    private final String title;
    private final boolean needsSchedule;

    PacketDelay(String id, String title, boolean needsSchedule) {
        this.id = id;
        this.title = title;
        this.needsSchedule = needsSchedule;
    }

    /** Returns the name in files. */
    public String id() {
        return id;
    }

    /** Returns the name in tables. */
    public String title() {
        return title;
    }

    /** Returns whether only runs with a schedule have this series. */
    public boolean needsSchedule() {
        return needsSchedule;
    }

    /** Returns the number of packets or arrivals that the values come from. */
    long items(JoinedRun run) {
        return this == SEND_DELAY || this == LATENESS ? run.sent() : run.received();
    }

    /** Passes the values in ns of a range of {@link #items} to the consumer. */
    void forEach(JoinedRun run, long from, long until, BlockConsumer consumer) throws LagbenchException {
        long[] values = run.buffer();
        if (this == SEND_DELAY || this == RECEIVE_DELAY) {
            // each stamp minus the previous stamp; the first of the run has no previous stamp
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

    /** Passes every value in ns to the consumer. */
    public void forEach(JoinedRun run, LongConsumer consumer) throws LagbenchException {
        forEach(run, 0, items(run), (values, count) -> {
            for (int i = 0; i < count; i++) {
                consumer.accept(values[i]);
            }
        });
    }

    /** Returns the concatenated values of runs, for several threads to read. */
    public LongBlocks pooled(List<JoinedRun> runs) {
        return new PooledBlocks(this, runs);
    }

    /** Reads the values, or the stamps whose differences they are, and returns how many there are. */
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

    /** A series of several runs, concatenated. All series of the same runs have the same partitions and parts. */
    record PooledBlocks(PacketDelay series, List<JoinedRun> runs) implements LongBlocks {
        @Override
        public int partitions() {
            return runs.stream().mapToInt(JoinedRun::partitions).max().orElse(1);
        }

        @Override
        public int parts(int partition) {
            return runs.stream().mapToInt(run -> parts(run, partition)).sum();
        }

        @Override
        public void forEach(int partition, int part, BlockConsumer consumer) throws LagbenchException {
            int before = 0;
            for (JoinedRun run : runs) {
                int parts = parts(run, partition);
                if (part - before < parts) {
                    long items = series.items(run);
                    series.forEach(
                            run.partition(partition),
                            run.firstItem(partition, part - before, items),
                            run.firstItem(partition, part - before + 1, items),
                            consumer);
                    return;
                }
                before += parts;
            }
        }

        private static int parts(JoinedRun run, int partition) {
            return partition < run.partitions() ? run.parts() : 0;
        }
    }
}
