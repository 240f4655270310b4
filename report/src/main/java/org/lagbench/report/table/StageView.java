package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.stage.BufferFigures;
import org.lagbench.analysis.stage.Composition;
import org.lagbench.analysis.stage.Stage;
import org.lagbench.analysis.stage.StageFigures;
import org.lagbench.analysis.stage.StageStatistics;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Figures;
import org.lagbench.analysis.summary.PointSummary;
import tools.jackson.databind.node.ObjectNode;

/** Where the time of packets went: what a lag is made of, each stage's own statistics, and how full buffers were. */
final class StageView implements ViewContent {
    private static final String US = "µs";
    private static final String SHARE = "% of time";
    private static final List<String> QUANTILES = List.of("Median", "Q95", "Q99");

    /** What the members of {@link BufferFigures} are called: in files, in tables. */
    private static final Map<String, List<String>> LEVELS = new LinkedHashMap<>();

    private static final Map<String, List<String>> LIMITS = new LinkedHashMap<>();

    static {
        LEVELS.put("send_bytes", List.of("send", "Send buffer"));
        LEVELS.put("not_sent_bytes", List.of("notSent", "of it not sent"));
        LEVELS.put("unacked_bytes", List.of("unacked", "of it unacknowledged"));
        LEVELS.put("receive_bytes", List.of("receive", "Receive buffer"));
        LIMITS.put("busy_us", List.of("busy", "Busy"));
        LIMITS.put("rwnd_limited_us", List.of("receiveWindowLimited", "Limited by receive window"));
        LIMITS.put("sndbuf_limited_us", List.of("sendBufferLimited", "Limited by send buffer"));
    }

    @Override
    public Set<Detail> details() {
        return Set.of(Detail.STAGES);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        List<Stage> stages = stages(rows);
        List<Table> tables = new ArrayList<>();
        tables.add(compositions(rows, stages));
        tables.add(statistics(rows, stages));
        tables.add(buffers(rows));
        return tables;
    }

    @Override
    public List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        if (stages(rows).isEmpty()) {
            notes.add(
                    "Stages were not recorded: they need \"observe: stages\" in the experiment, or --observe stages.");
        } else {
            notes.add("What a lag is made of: the mean of each stage over the packets whose lag is within "
                    + Composition.BAND_PERMILLE / 10.0 + " % of that quantile, n of them; together they are that lag.");
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
        notes.addAll(Notes.ofRuns(rows.summary(), rows.axes()));
        return notes;
    }

    /** The stages that any of the points has. */
    private static List<Stage> stages(PointRows rows) {
        List<Stage> stages = new ArrayList<>();
        for (Stage stage : Stage.values()) {
            for (PointSummary point : rows.summary().points()) {
                StageFigures figures = point.pooled().stages();
                if (figures != null && figures.stages().containsKey(stage) && !stages.contains(stage)) {
                    stages.add(stage);
                }
            }
        }
        return stages;
    }

    private static Table compositions(PointRows rows, List<Stage> stages) {
        List<Column> columns = rows.columns();
        columns.add(Column.text("Lag at"));
        columns.add(Column.number("Lag", US));
        for (Stage stage : stages) {
            if (stage != Stage.APPLICATION) {
                columns.add(Column.number(stage.title(), US));
            }
        }
        columns.add(Column.number("Sum", US));
        columns.add(Column.number("n", ""));
        return new Table(rows.title("What a lag is made of"), columns, rows.rows(figures -> {
            List<List<String>> cells = new ArrayList<>();
            StageFigures found = figures.stages();
            if (found != null) {
                for (Composition composition : found.compositions()) {
                    cells.add(compositionCells(composition, stages));
                }
            }
            return cells;
        }));
    }

    private static List<String> compositionCells(Composition composition, List<Stage> stages) {
        List<String> cells = new ArrayList<>();
        cells.add(name(composition));
        cells.add(Numbers.usText(composition.lagNs()));
        for (Stage stage : stages) {
            if (stage != Stage.APPLICATION) {
                cells.add(Numbers.usText(composition.meanNs().getOrDefault(stage, Double.NaN)));
            }
        }
        cells.add(Numbers.usText(composition.sumNs()));
        cells.add(Numbers.count(composition.packets()));
        return cells;
    }

    private static String name(Composition composition) {
        return composition.percent() == 50 ? "Median" : "Q" + composition.percent();
    }

    private static Table statistics(PointRows rows, List<Stage> stages) {
        List<Column> columns = rows.columns();
        columns.add(Column.text("Of each stage"));
        columns.add(Column.number("Lag", US));
        stages.forEach(stage -> columns.add(Column.number(stage.title(), US)));
        columns.add(Column.number("Packets", ""));
        columns.add(Column.number("Incomplete", ""));
        return new Table(rows.title("Stages"), columns, rows.rows(figures -> {
            List<List<String>> cells = new ArrayList<>();
            StageFigures found = figures.stages();
            if (found != null) {
                for (Figure figure : Figure.values()) {
                    cells.add(statisticCells(figure, found, stages));
                }
            }
            return cells;
        }));
    }

    private static List<String> statisticCells(Figure figure, StageFigures found, List<Stage> stages) {
        List<String> cells = new ArrayList<>();
        cells.add(figure.title);
        cells.add(Numbers.usText(figure.ofNs(found.lag())));
        for (Stage stage : stages) {
            StageStatistics statistics = found.stages().get(stage);
            cells.add(statistics == null ? Numbers.NONE : Numbers.usText(figure.ofNs(statistics)));
        }
        cells.add(Numbers.count(found.packets()));
        cells.add(Numbers.count(found.incomplete()));
        return cells;
    }

    private static Table buffers(PointRows rows) {
        List<Column> columns = rows.columns();
        columns.add(Column.text("Bytes"));
        LEVELS.values().forEach(names -> columns.add(Column.number(names.get(1), "bytes")));
        LIMITS.values().forEach(names -> columns.add(Column.number(names.get(1), SHARE)));
        return new Table(rows.title("How full buffers were, and what held TCP up"), columns, rows.rows(figures -> {
            BufferFigures buffers =
                    figures.stages() == null ? null : figures.stages().buffers();
            return buffers == null
                    ? List.of()
                    : List.of(
                            levelCells("Median", buffers, BufferFigures.Level::medianBytes, true),
                            levelCells("Q95", buffers, BufferFigures.Level::q95Bytes, false),
                            levelCells("Most", buffers, BufferFigures.Level::maximumBytes, false));
        }));
    }

    private static List<String> levelCells(
            String title, BufferFigures buffers, ToDoubleFunction<BufferFigures.Level> figure, boolean withLimits) {
        List<String> cells = new ArrayList<>();
        cells.add(title);
        for (String name : LEVELS.keySet()) {
            BufferFigures.Level level = buffers.levels().get(name);
            cells.add(level == null ? Numbers.NONE : Long.toString(Math.round(figure.applyAsDouble(level))));
        }
        for (String name : LIMITS.keySet()) {
            Double share = buffers.limited().get(name);
            cells.add(
                    !withLimits ? "" : share == null ? Numbers.NONE : String.format(Locale.ROOT, "%.1f", 100 * share));
        }
        return cells;
    }

    @Override
    public void putCsv(Map<String, String> row, @Nullable Figures figures) {
        StageFigures found = figures == null ? null : figures.stages();
        row.put("stagedPackets", found == null ? "" : Long.toString(found.packets()));
        row.put("stagedIncomplete", found == null ? "" : Long.toString(found.incomplete()));
        for (Stage stage : Stage.values()) {
            StageStatistics statistics = found == null ? null : found.stages().get(stage);
            for (Figure figure : Figure.values()) {
                row.put(
                        "stage." + stage.id() + figure.title + "Us",
                        statistics == null ? "" : us(figure.ofNs(statistics)));
            }
        }
        for (int i = 0; i < QUANTILES.size(); i++) {
            Composition composition =
                    found == null ? null : found.compositions().get(i);
            String name = "lagAt" + QUANTILES.get(i);
            row.put(name + "Us", composition == null ? "" : us(composition.lagNs()));
            row.put(name + "Packets", composition == null ? "" : Long.toString(composition.packets()));
            for (Stage stage : Stage.values()) {
                if (stage != Stage.APPLICATION) {
                    Double mean =
                            composition == null ? null : composition.meanNs().get(stage);
                    row.put(name + "." + stage.id() + "Us", mean == null ? "" : us(mean));
                }
            }
        }
        BufferFigures buffers = found == null ? null : found.buffers();
        LEVELS.forEach((field, names) -> {
            BufferFigures.Level level =
                    buffers == null ? null : buffers.levels().get(field);
            String name = "occupancy." + names.get(0);
            row.put(name + "MedianBytes", level == null ? "" : Double.toString(level.medianBytes()));
            row.put(name + "Q95Bytes", level == null ? "" : Double.toString(level.q95Bytes()));
            row.put(name + "MostBytes", level == null ? "" : Double.toString(level.maximumBytes()));
        });
        LIMITS.forEach((field, names) -> {
            Double share = buffers == null ? null : buffers.limited().get(field);
            row.put("occupancy." + names.get(0) + "Share", share == null ? "" : Double.toString(share));
        });
    }

    @Override
    public void putJson(ObjectNode node, Figures figures) {
        StageFigures found = figures.stages();
        if (found == null) {
            node.putNull("stages");
            return;
        }
        ObjectNode stages = node.putObject("stages");
        stages.put("packets", found.packets());
        stages.put("incomplete", found.incomplete());
        stages.set("lag", json(stages, found.lag()));
        ObjectNode each = stages.putObject("stages");
        found.stages().forEach((stage, statistics) -> each.set(stage.id(), json(stages, statistics)));
        ObjectNode compositions = stages.putObject("compositions");
        for (Composition composition : found.compositions()) {
            ObjectNode one = compositions.putObject(name(composition).toLowerCase(Locale.ROOT));
            putUs(one, "lagUs", composition.lagNs());
            one.put("packets", composition.packets());
            ObjectNode means = one.putObject("meanUs");
            composition.meanNs().forEach((stage, mean) -> putUs(means, stage.id(), mean));
        }
        BufferFigures buffers = found.buffers();
        if (buffers == null) {
            stages.putNull("occupancy");
            return;
        }
        ObjectNode occupancy = stages.putObject("occupancy");
        ObjectNode levels = occupancy.putObject("levels");
        buffers.levels().forEach((field, level) -> {
            ObjectNode one =
                    levels.putObject(LEVELS.getOrDefault(field, List.of(field)).get(0));
            one.put("samples", level.samples());
            one.put("medianBytes", level.medianBytes());
            one.put("q95Bytes", level.q95Bytes());
            one.put("mostBytes", level.maximumBytes());
        });
        ObjectNode shares = occupancy.putObject("shares");
        buffers.limited()
                .forEach((field, share) ->
                        shares.put(LIMITS.getOrDefault(field, List.of(field)).get(0), share));
    }

    private static ObjectNode json(ObjectNode parent, StageStatistics statistics) {
        ObjectNode node = parent.objectNode();
        for (Figure figure : Figure.values()) {
            putUs(node, figure.title.toLowerCase(Locale.ROOT) + "Us", figure.ofNs(statistics));
        }
        return node;
    }

    private static void putUs(ObjectNode node, String name, double ns) {
        if (Double.isNaN(ns)) {
            node.putNull(name);
        } else {
            node.put(name, Numbers.us(ns));
        }
    }

    private static String us(double ns) {
        return Double.isNaN(ns) ? "" : Double.toString(Numbers.us(ns));
    }

    /** What is told of each stage. */
    private enum Figure {
        MEAN("Mean") {
            @Override
            double ofNs(StageStatistics statistics) {
                return statistics.meanNs();
            }
        },
        MEDIAN("Median") {
            @Override
            double ofNs(StageStatistics statistics) {
                return statistics.medianNs();
            }
        },
        Q95("Q95") {
            @Override
            double ofNs(StageStatistics statistics) {
                return statistics.q95Ns();
            }
        },
        Q99("Q99") {
            @Override
            double ofNs(StageStatistics statistics) {
                return statistics.q99Ns();
            }
        };

        private final String title;

        Figure(String title) {
            this.title = title;
        }

        abstract double ofNs(StageStatistics statistics);
    }
}
