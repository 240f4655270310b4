package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.lagbench.analysis.stage.BufferFigures;
import org.lagbench.analysis.stage.QuantileComposition;
import org.lagbench.analysis.stage.Stage;
import org.lagbench.analysis.stage.StageFigures;
import org.lagbench.analysis.stage.StageStatistics;
import org.lagbench.analysis.summary.Detail;

/** Where the time of packets went: what a lag is made of, each stage's own statistics, and how full buffers were. */
final class StageView implements ViewContent {
    private static final Map<String, String> LEVELS = new LinkedHashMap<>();
    private static final Map<String, String> SHARES = new LinkedHashMap<>();

    static {
        LEVELS.put("send", "Send buffer");
        LEVELS.put("notSent", "of it not sent");
        LEVELS.put("unacked", "of it unacknowledged");
        LEVELS.put("receive", "Receive buffer");
        SHARES.put("busy", "Busy");
        SHARES.put("receiveWindowLimited", "Limited by receive window");
        SHARES.put("sendBufferLimited", "Limited by send buffer");
    }

    /** One figure of all stages. */
    private record StageRow(String title, StageFigures figures, ToDoubleFunction<StageStatistics> ns) {}

    /** One figure of all buffers, with the shares of time in the first row. */
    private record LevelRow(String title, BufferFigures buffers, ToDoubleFunction<BufferFigures.Level> bytes) {}

    @Override
    public Set<Detail> details() {
        return Set.of(Detail.STAGES);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Stage> stages = stages(rows);
        return List.of(compositions(rows, stages), statistics(rows, stages), buffers(rows));
    }

    @Override
    public List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        if (stages(rows).isEmpty()) {
            notes.add(
                    "Stages were not recorded: they need \"observe: stages\" in the experiment, or --observe stages.");
        } else {
            notes.add("What a lag is made of: the mean of each stage over the packets whose lag is within "
                    + QuantileComposition.BAND_PERMILLE / 10.0
                    + " % of that quantile, n of them; together they are that lag.");
            notes.add(
                    "Stages: application, scheduled until sent, comes before the lag; socket buffer, until the queueing"
                            + " discipline has it; queueing discipline, until the driver has it; wire, until the"
                            + " receiver's kernel has it from its driver, with what TCP had to send again; receive"
                            + " buffer, behind packets before it; reader, the rest.");
            notes.add("TCP: the kernel stamps a segment's last byte. A packet in its midst that came before the driver"
                    + " had taken the end counts as queued until it came, with nothing left for the wire.");
            if (stages(rows).contains(Stage.TRANSMIT_QUEUE)) {
                notes.add("IEEE-1394: transmit queue, until the start of the packet's cycle; wire, until the cycle is"
                        + " over or, as small packets are complete before that, the packet is received; receive"
                        + " buffer, until the interrupt that tells of it and while the reader has packets"
                        + " before it.");
            }
            notes.add("Incomplete: packets that came and of which a stamp is missing; they are in no figure here.");
            notes.add(
                    "Buffers were looked at each ms from the first packet to the last; those of UDP count the kernel's"
                            + " own bookkeeping.");
        }
        return notes;
    }

    /** The stages that any of the points has. */
    private static List<Stage> stages(PointRows rows) {
        return Arrays.stream(Stage.values())
                .filter(stage -> rows.any(point -> point.pooled().stages() != null
                        && point.pooled().stages().stages().containsKey(stage)))
                .toList();
    }

    private static Table compositions(PointRows rows, List<Stage> stages) {
        TableColumns<QuantileComposition> columns = new TableColumns<QuantileComposition>()
                .text("Lag at", row -> row.percent() == 50 ? "Median" : "Q" + row.percent())
                .us("Lag", QuantileComposition::lagNs);
        for (Stage stage : stages) {
            if (stage != Stage.APPLICATION) {
                columns.us(stage.title(), row -> row.meanNs().getOrDefault(stage, Double.NaN));
            }
        }
        columns.us("Sum", QuantileComposition::sumNs).count("n", QuantileComposition::packets);
        return rows.table(
                "What a lag is made of",
                columns,
                figures -> figures.stages() == null
                        ? List.of()
                        : List.copyOf(figures.stages().compositions().values()));
    }

    private static Table statistics(PointRows rows, List<Stage> stages) {
        TableColumns<StageRow> columns = new TableColumns<StageRow>()
                .text("Of each stage", StageRow::title)
                .us("Lag", row -> row.ns().applyAsDouble(row.figures().lag()));
        for (Stage stage : stages) {
            columns.us(stage.title(), row -> {
                StageStatistics statistics = row.figures().stages().get(stage);
                return statistics == null ? Double.NaN : row.ns().applyAsDouble(statistics);
            });
        }
        columns.count("Packets", row -> row.figures().packets())
                .count("Incomplete", row -> row.figures().incomplete());
        return rows.table("Stages", columns, figures -> {
            StageFigures found = figures.stages();
            return found == null
                    ? List.of()
                    : List.of(
                            new StageRow("Mean", found, StageStatistics::meanNs),
                            new StageRow("Median", found, StageStatistics::medianNs),
                            new StageRow("Q95", found, StageStatistics::q95Ns),
                            new StageRow("Q99", found, StageStatistics::q99Ns));
        });
    }

    private static Table buffers(PointRows rows) {
        TableColumns<LevelRow> columns = new TableColumns<LevelRow>().text("Bytes", LevelRow::title);
        LEVELS.forEach((name, title) -> columns.number(title, "bytes", row -> {
            BufferFigures.Level level = row.buffers().levels().get(name);
            return level == null
                    ? Numbers.NONE
                    : Long.toString(Math.round(row.bytes().applyAsDouble(level)));
        }));
        SHARES.forEach((name, title) -> columns.number(title, "% of time", row -> {
            Double share = row.buffers().shares().get(name);
            return !row.title().equals("Median")
                    ? ""
                    : share == null ? Numbers.NONE : String.format(Locale.ROOT, "%.1f", 100 * share);
        }));
        return rows.table("How full buffers were, and what held TCP up", columns, figures -> {
            BufferFigures buffers =
                    figures.stages() == null ? null : figures.stages().occupancy();
            return buffers == null
                    ? List.of()
                    : List.of(
                            new LevelRow("Median", buffers, BufferFigures.Level::medianBytes),
                            new LevelRow("Q95", buffers, BufferFigures.Level::q95Bytes),
                            new LevelRow("Most", buffers, BufferFigures.Level::mostBytes));
        });
    }
}
