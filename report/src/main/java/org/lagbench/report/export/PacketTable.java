package org.lagbench.report.export;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.cause.Attribution;
import org.lagbench.analysis.cause.RunCauses;
import org.lagbench.analysis.cause.SideCause;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.PacketDelay;
import org.lagbench.analysis.statistics.Tail;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.Traffic;

/**
 * The packets of a run as rows: one per arrival, in the order of arrival, and one per lost packet, before the first
 * arrived packet that was sent after it. Without reordering this is the order of sequence numbers.
 *
 * <p>Needs memory for one row, one bit per packet of a run with losses, and 8 bytes per packet of a round-trip run.
 */
public final class PacketTable {
    /** Replaces missing values: lost packets were not received, unmatched packets not sent. */
    public static final long ABSENT = Long.MIN_VALUE;

    /** The index of the column of lags. */
    public static final int LAG = 5;

    /** The index of the column that is 0 for first copies. */
    public static final int COPY = 6;

    private static final String SENDER = "ns since 1970-01-01T00:00:00Z by the sender's CLOCK_REALTIME";
    private static final String RECEIVER = "ns since 1970-01-01T00:00:00Z by the receiver's CLOCK_REALTIME";
    private static final long UNEXPLAINED = 0;
    private static final List<Role> SIDE_ORDER = List.of(Role.values());

    /** The fields that only some receivers' captures have. */
    private static final List<Column> ARRIVAL_FIELDS = List.of(
            new Column("kernel_ns", RECEIVER, true),
            new Column("replied_ns", RECEIVER, true),
            new Column("bus_cycle", "isochronous cycles of 125 µs", true));

    private static final List<Column> COLUMNS = columnsInOrder();

    private final JoinedRun run;

    /** The index in the receiver's capture of each of {@link #ARRIVAL_FIELDS}; negative if there is none. */
    private final int[] arrivalFields;

    /** When the packets were first answered, by sequence number; null if packets are not answered. */
    private final long @Nullable [] answeredNs;

    /** The causes of late packets: of the lag, and of the lag from the scheduled time; null if not recorded. */
    private final List<@Nullable Attribution> attributions = new ArrayList<>();

    private final Exports.Marks marks;
    private final long[] row = new long[COLUMNS.size()];

    /**
     * Creates the table of a run.
     *
     * @param tail the packets that get a cause, if causes were recorded
     * @param marks what is wrong with the run; its state is a column
     */
    public PacketTable(RunDirectory directory, JoinedRun run, Tail tail, Exports.Marks marks) throws LagbenchException {
        RunRecord record = directory.record();
        this.run = run;
        this.answeredNs = record != null && record.point().traffic().kind() == Traffic.ROUND_TRIP
                ? answeredNs(directory.path(), record)
                : null;
        this.marks = marks;
        List<String> fields = run.arrivalFields();
        this.arrivalFields = ARRIVAL_FIELDS.stream()
                .mapToInt(column -> fields.indexOf(column.name()))
                .toArray();
        boolean mayHaveCauses = run.received() > 0 && directory.isIntact(RunCauses.FILES);
        RunCauses causes = mayHaveCauses ? RunCauses.open(run, tail) : null;
        boolean isPaced = record != null && record.point().pace().intervalNs() > 0;
        attributions.add(causes == null ? null : causes.attribution(PacketDelay.TRANSMIT_LAG));
        attributions.add(causes == null || !isPaced ? null : causes.attribution(PacketDelay.LAG_FROM_SCHEDULE));
    }

    private static List<Column> columnsInOrder() {
        List<Column> columns = new ArrayList<>(List.of(
                new Column("seq", "packets, from 0", false),
                new Column("scheduled_ns", SENDER, true),
                new Column("sent_ns", SENDER, true),
                new Column("returned_ns", SENDER, true),
                new Column("received_ns", RECEIVER, true),
                new Column("lag_ns", "ns", true),
                new Column("copy", "0 first copy of a packet, 1 further copy", true)));
        columns.addAll(ARRIVAL_FIELDS);
        columns.add(new Column("answered_ns", SENDER, true));
        columns.add(new Column("round_trip_ns", "ns", true));
        addCauses(columns, "cause", "lag_ns");
        addCauses(columns, "schedule_cause", "received_ns - scheduled_ns");
        columns.add(new Column(
                "run_state",
                "why packets of the run may be missing, which then look lost; none if it is complete and intact",
                true,
                state -> Exports.Marks.STATES.get((int) state)));
        return List.copyOf(columns);
    }

    private static void addCauses(List<Column> columns, String name, String lag) {
        String of = " of the part of " + lag + " above its median, if it is in the tail";
        columns.add(new Column(name, "cause" + of, true, PacketTable::cause));
        columns.add(new Column(name + "_side", "side of the cause" + of, true, side -> SIDE_ORDER
                .get((int) side)
                .text()));
    }

    /** Reads when the packets of a round-trip run were first answered; {@link #ABSENT} for packets without a reply. */
    private static long[] answeredNs(Path directory, RunRecord record) throws LagbenchException {
        try (JoinedRun replies = JoinedRun.openReplies(directory, record)) {
            long[] answeredNs = new long[Math.toIntExact(replies.sent())];
            Arrays.fill(answeredNs, ABSENT);
            replies.forEachFirstCopy((reply, packet) -> answeredNs[(int) packet] = replies.receivedNs(reply));
            return answeredNs;
        }
    }

    private static String cause(long code) {
        Cause cause = Cause.ofCode(code);
        return cause == null ? "not-explained" : cause.text();
    }

    /**
     * A column.
     *
     * @param name ends with the unit if there is one
     * @param unit the unit, or the meaning of the values
     * @param mayBeAbsent whether rows may have no value
     * @param words maps values to words; null if the values are numbers
     */
    public record Column(String name, String unit, boolean mayBeAbsent, @Nullable LongFunction<String> words) {
        /** Describes a column of numbers. */
        public Column(String name, String unit, boolean mayBeAbsent) {
            this(name, unit, mayBeAbsent, null);
        }
    }

    /** Accepts the values of a row, in the order of the columns. The array is reused. */
    public interface RowConsumer {
        void accept(long[] row) throws IOException, LagbenchException;
    }

    /** Returns the columns, which are the same for all runs. */
    public static List<Column> columns() {
        return COLUMNS;
    }

    /** Passes every row to the consumer. */
    public void forEach(RowConsumer consumer) throws IOException, LagbenchException {
        boolean anyLost = run.counts().lost() > 0;
        BitSet arrived = anyLost ? run.arrivedPackets() : new BitSet();
        row[row.length - 1] = marks.state() == null ? ABSENT : Exports.Marks.STATES.indexOf(marks.state());
        List<Attribution.@Nullable TailScan> scans = new ArrayList<>();
        attributions.forEach(attribution -> scans.add(attribution == null ? null : attribution.scan()));
        long @Nullable [] replies = answeredNs;
        long next = 0;
        for (long i = 0; i < run.received(); i++) {
            long packet = run.packetOf(i);
            if (anyLost && run.isFirstCopy(i) && packet >= next) {
                lost(arrived, next, packet, row, consumer);
                next = packet + 1;
            }
            sent(packet, row);
            row[4] = run.receivedNs(i);
            row[LAG] = packet < run.sent() ? row[4] - row[2] : ABSENT;
            row[COPY] = packet >= run.sent() ? ABSENT : run.isFirstCopy(i) ? 0 : 1;
            int at = COPY + 1;
            for (int field : arrivalFields) {
                row[at++] = field < 0 ? ABSENT : arrivalValue(i, field);
            }
            long answered = replies != null && packet < replies.length ? replies[(int) packet] : ABSENT;
            row[at++] = answered;
            row[at++] = answered == ABSENT ? ABSENT : answered - row[2];
            for (Attribution.TailScan scan : scans) {
                boolean inTail = scan != null && scan.advance(i);
                SideCause cause = inTail ? scan.excess().cause() : null;
                row[at++] = !inTail
                        ? ABSENT
                        : cause == null ? UNEXPLAINED : cause.cause().code();
                row[at++] = cause == null ? ABSENT : SIDE_ORDER.indexOf(cause.side());
            }
            consumer.accept(row);
        }
        if (anyLost) {
            lost(arrived, next, run.sent(), row, consumer);
        }
    }

    private void lost(BitSet arrived, long from, long until, long[] row, RowConsumer consumer)
            throws IOException, LagbenchException {
        for (int packet = arrived.nextClearBit((int) from); packet < until; packet = arrived.nextClearBit(packet + 1)) {
            sent(packet, row);
            Arrays.fill(row, 4, row.length - 1, ABSENT); // the state is the same in all rows
            consumer.accept(row);
        }
    }

    private void sent(long packet, long[] row) throws LagbenchException {
        boolean known = packet < run.sent();
        row[0] = packet;
        row[1] = known ? run.scheduledNs(packet) : ABSENT;
        row[2] = known ? run.sentNs(packet) : ABSENT;
        row[3] = known ? run.returnedNs(packet) : ABSENT;
    }

    /** Returns a field of an arrival; {@link #ABSENT} for a stamp of 0, which means that the kernel gave none. */
    private long arrivalValue(long arrival, int field) throws LagbenchException {
        long value = run.arrivalValue(arrival, field);
        return value == 0 && run.arrivalFields().get(field).endsWith("_ns") ? ABSENT : value;
    }
}
