package org.lagbench.report.export;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.Traffic;

/** When the packets of a round-trip run were first answered. Needs 8 bytes per packet. */
final class PacketAnswers {
    private static final List<PacketColumn> COLUMNS = List.of(
            new PacketColumn("answered_ns", PacketTable.SENDER, true), new PacketColumn("round_trip_ns", "ns", true));

    /** Indexed by sequence number; {@link PacketTable#ABSENT} for packets without an answer. */
    private final long[] answeredNs;

    private PacketAnswers(long[] answeredNs) {
        this.answeredNs = answeredNs;
    }

    /** Reads the answers in a run's directory; returns null if its packets were not answered. */
    static @Nullable PacketAnswers of(Path directory, @Nullable RunRecord record) throws LagbenchException {
        if (record == null || !record.point().traffic().kind().text().equals(Traffic.ROUND_TRIP.text())) {
            return null;
        }
        try (JoinedRun answers = JoinedRun.openAnswers(directory)) {
            long[] answeredNs = new long[Math.toIntExact(answers.sent())];
            Arrays.fill(answeredNs, PacketTable.ABSENT);
            answers.forEachFirstCopy((answer, packet) -> answeredNs[(int) packet] = answers.receivedNs(answer));
            return new PacketAnswers(answeredNs);
        }
    }

    List<PacketColumn> columns() {
        return COLUMNS;
    }

    /** Puts the values of a packet that was sent at {@code sentNs} into a row. */
    void put(long packet, long sentNs, long[] row, int at) {
        long answered = packet < answeredNs.length ? answeredNs[(int) packet] : PacketTable.ABSENT;
        row[at] = answered;
        row[at + 1] = answered == PacketTable.ABSENT ? PacketTable.ABSENT : answered - sentNs;
    }
}
