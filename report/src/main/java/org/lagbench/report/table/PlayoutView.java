package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.playout.AdaptiveBuffer;
import org.lagbench.analysis.playout.DelayBudget;
import org.lagbench.analysis.playout.DelayBudget.Verdict;
import org.lagbench.analysis.playout.DelayInterval;
import org.lagbench.analysis.playout.LateTarget;
import org.lagbench.analysis.playout.PlayoutBudget;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.Figures;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The playout budget: the fixed delay for each share of late packets, and what an adaptive buffer would have done. */
final class PlayoutView implements ViewContent {
    private static final String US = "µs";
    private static final double CONFIDENCE = 0.95;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @Override
    public Set<Detail> details() {
        return Set.of(Detail.PLAYOUT);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        return List.of(fixed(rows), adaptive(rows));
    }

    private static Table fixed(PointRows rows) {
        List<Column> columns = rows.columns();
        columns.add(Column.number("Late at most", ""));
        columns.add(Column.number("Delay", US));
        columns.add(Column.number("95 % confidence", "From", US));
        columns.add(Column.number("95 % confidence", "To", US));
        columns.add(Column.number("If independent", "From", US));
        columns.add(Column.number("If independent", "To", US));
        columns.add(Column.number("Block", "packets"));
        columns.add(Column.text("Note"));
        return new Table(rows.title("Playout delay beyond the least lag"), columns, rows.rows(figures -> {
            List<List<String>> lines = new ArrayList<>();
            for (DelayBudget budget : figures.playout().budgets()) {
                DelayInterval correlated = budget.correlated();
                DelayInterval independent = budget.independent();
                boolean given = budget.verdict() == Verdict.GIVEN;
                lines.add(List.of(
                        budget.target().text(),
                        us(budget.delayNs(), Numbers.NONE),
                        correlated == null ? Numbers.NONE : us(correlated.lowNs(), "open"),
                        correlated == null ? Numbers.NONE : us(correlated.highNs(), "open"),
                        independent == null ? Numbers.NONE : us(independent.lowNs(), "open"),
                        independent == null ? Numbers.NONE : us(independent.highNs(), "open"),
                        given ? Numbers.count(budget.blockPackets()) : Numbers.NONE,
                        note(budget)));
            }
            return lines;
        }));
    }

    private static String note(DelayBudget budget) {
        return switch (budget.verdict()) {
            case GIVEN -> "";
            case TOO_FEW_PACKETS -> "needs " + budget.target().packetsNeeded() + " packets";
            case MORE_LOST -> "more are lost";
        };
    }

    private static String us(@Nullable Long ns, String otherwise) {
        return ns == null ? otherwise : Numbers.usText((double) ns);
    }

    private static Table adaptive(PointRows rows) {
        List<Column> columns = rows.columns();
        columns.add(Column.number("Packets judged", ""));
        columns.add(Column.number("Late", ""));
        columns.add(Column.number("Late", "%"));
        columns.add(Column.number("Mean delay", US));
        columns.add(Column.number("Greatest delay", US));
        return new Table(rows.title("Adaptive playout, delay beyond the least lag"), columns, rows.rows(figures -> {
            AdaptiveBuffer buffer = figures.playout().adaptive();
            return List.of(List.of(
                    Numbers.count(buffer.packets()),
                    Numbers.count(buffer.late()),
                    Numbers.percent(buffer.lateShare()),
                    Numbers.usText(buffer.meanDelayNs()),
                    Numbers.usText(buffer.maximumDelayNs())));
        }));
    }

    @Override
    public List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        if (!rows.summary().points().isEmpty()) {
            notes.add(
                    "Playout delay: the least fixed delay, beyond the least lag of the run, at which at most that share"
                            + " of the packets sent comes too late; lost ones are late at any. An offset of the clocks"
                            + " does not matter.");
            notes.add("95 % confidence: by a moving-block bootstrap (" + PlayoutBudget.REPLICATES
                    + " draws, seed " + PlayoutBudget.SEED
                    + "), as packets are late in spells; the block's length is found from their autocorrelation. If"
                    + " independent: by order statistics. Open: too few spells of late packets, or too many losses, to"
                    + " tell that end. Where there are too few packets for a share nothing is extrapolated.");
            notes.add("Adaptive: Ramjee et al. 1994, algorithm 1, delay + 4 deviations, set anew every "
                    + AdaptiveBuffer.SPURT_PACKETS + " packets; the first " + AdaptiveBuffer.LEARNING_PACKETS
                    + " packets of a run only teach it.");
        }
        notes.addAll(Notes.ofRuns(rows.summary(), rows.axes()));
        return notes;
    }

    @Override
    public void putCsv(Map<String, String> row, @Nullable Figures figures) {
        for (LateTarget target : LateTarget.values()) {
            DelayBudget budget = figures == null ? null : figures.playout().budget(target);
            String name = "playout" + target.text().replace(" %", "Percent").replace(".", "_");
            put(row, name + "Us", budget == null ? null : budget.delayNs());
            putInterval(row, name, budget == null ? null : budget.correlated());
            putInterval(row, name + "Independent", budget == null ? null : budget.independent());
        }
        AdaptiveBuffer adaptive = figures == null ? null : figures.playout().adaptive();
        row.put("adaptiveLateShare", adaptive == null ? "" : Numbers.file(false, adaptive.lateShare()));
        row.put("adaptiveDelayMeanUs", adaptive == null ? "" : Numbers.file(true, adaptive.meanDelayNs()));
    }

    private static void putInterval(Map<String, String> row, String name, @Nullable DelayInterval interval) {
        put(row, name + "LowUs", interval == null ? null : interval.lowNs());
        put(row, name + "HighUs", interval == null ? null : interval.highNs());
    }

    private static void put(Map<String, String> row, String name, @Nullable Long ns) {
        row.put(name, ns == null ? "" : Numbers.file(true, ns));
    }

    @Override
    public void putJson(ObjectNode node, Figures figures) {
        PlayoutBudget playout = figures.playout();
        ObjectNode json = node.putObject("playout");
        json.put("packets", playout.packets());
        json.put("lost", playout.lost());
        json.put("leastLagUs", us(playout.leastLagNs()));
        json.put("confidence", CONFIDENCE);
        json.put("bootstrapReplicates", PlayoutBudget.REPLICATES);
        json.put("bootstrapSeed", PlayoutBudget.SEED);
        ArrayNode budgets = json.putArray("budgets");
        for (DelayBudget budget : playout.budgets()) {
            ObjectNode one = budgets.addObject();
            one.put("lateShare", budget.target().share());
            one.put("verdict", budget.verdict().name());
            one.put("packetsNeeded", budget.target().packetsNeeded());
            one.put("delayUs", us(budget.delayNs()));
            one.set("correlated", budget.correlated() == null ? JSON.nullNode() : interval(budget.correlated()));
            one.set("independent", budget.independent() == null ? JSON.nullNode() : interval(budget.independent()));
            one.put("blockPackets", budget.blockPackets());
        }
        AdaptiveBuffer adaptive = playout.adaptive();
        ObjectNode buffer = json.putObject("adaptive");
        buffer.put("talkspurtPackets", AdaptiveBuffer.SPURT_PACKETS);
        buffer.put("learningPackets", AdaptiveBuffer.LEARNING_PACKETS);
        buffer.put("packets", adaptive.packets());
        buffer.put("late", adaptive.late());
        buffer.put("lateShare", defined(adaptive.lateShare()));
        buffer.put("meanDelayUs", defined(Numbers.us(adaptive.meanDelayNs())));
        buffer.put("maximumDelayUs", defined(Numbers.us(adaptive.maximumDelayNs())));
    }

    private static ObjectNode interval(DelayInterval interval) {
        ObjectNode node = JSON.createObjectNode();
        node.put("lowUs", us(interval.lowNs()));
        node.put("highUs", us(interval.highNs()));
        return node;
    }

    private static @Nullable Double us(@Nullable Long ns) {
        return ns == null ? null : Numbers.us((double) ns);
    }

    private static @Nullable Double defined(double value) {
        return Double.isNaN(value) ? null : value;
    }
}
