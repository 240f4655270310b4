package org.lagbench.report.table;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.media.AdaptiveBuffer;
import org.lagbench.analysis.media.DelayBudget;
import org.lagbench.analysis.media.DelayBudget.DelayInterval;
import org.lagbench.analysis.media.DelayBudget.DelayVerdict;
import org.lagbench.analysis.media.MediaGroups;
import org.lagbench.analysis.media.PlayoutBudget;

/** The playout budget: the fixed delay for each share of late packets, and the result of an adaptive buffer. */
public final class PlayoutView extends View {
    public PlayoutView() {
        super("playout", 60, MediaGroups.PLAYOUT);
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        return List.of(fixed(rows), adaptive(rows));
    }

    private static Table fixed(PointRows rows) {
        TableColumns<DelayBudget> columns = new TableColumns<DelayBudget>()
                .number("Max late", "", budget -> budget.target().text())
                .time("Delay", budget -> ns(budget.delayNs(), Double.NaN));
        addInterval(columns.group("95 % confidence"), DelayBudget::correlated);
        addInterval(columns.group("If independent"), DelayBudget::independent);
        columns.group("")
                .number(
                        "Block",
                        "packets",
                        budget -> budget.verdict() == DelayVerdict.GIVEN
                                ? Numbers.count(budget.blockPackets())
                                : Numbers.NONE)
                .text("Note", PlayoutView::note);
        return rows.table("Playout delay above the minimum lag", columns, MediaGroups.PLAYOUT, PlayoutBudget::budgets);
    }

    private static void addInterval(
            TableColumns<DelayBudget> columns, Function<DelayBudget, @Nullable DelayInterval> interval) {
        columns.time("From", budget -> end(interval.apply(budget), DelayInterval::lowNs))
                .time("To", budget -> end(interval.apply(budget), DelayInterval::highNs));
    }

    private static double end(@Nullable DelayInterval interval, Function<DelayInterval, @Nullable Long> ns) {
        return interval == null ? Double.NaN : ns(ns.apply(interval), Double.POSITIVE_INFINITY);
    }

    private static String note(DelayBudget budget) {
        return switch (budget.verdict()) {
            case GIVEN -> "";
            case TOO_FEW_PACKETS -> "needs " + Numbers.grouped(budget.target().packetsNeeded()) + " packets";
            case MORE_LOST -> "more are lost";
        };
    }

    private static double ns(@Nullable Long ns, double otherwise) {
        return ns == null ? otherwise : (double) ns;
    }

    private static Table adaptive(PointRows rows) {
        TableColumns<AdaptiveBuffer> columns = new TableColumns<AdaptiveBuffer>()
                .count("Packets judged", AdaptiveBuffer::packets)
                .count("Late", AdaptiveBuffer::late)
                .percent("Late", AdaptiveBuffer::lateShare)
                .time("Mean delay", AdaptiveBuffer::meanDelayNs)
                .time("Max delay", AdaptiveBuffer::maximumDelayNs);
        return rows.table(
                "Adaptive playout: delay above the minimum lag",
                columns,
                MediaGroups.PLAYOUT,
                playout -> List.of(playout.adaptive()));
    }

    @Override
    protected List<String> notes(PointRows rows) {
        return rows.summary().points().isEmpty()
                ? List.of()
                : List.of(
                        "Playout delay: the shortest fixed delay, above the minimum lag of the run, at which at most"
                                + " that share of the sent packets is late. Lost packets always count as late. A clock"
                                + " offset does not matter.",
                        "95 % confidence: by a moving-block bootstrap (" + PlayoutBudget.REPLICATES + " replicates,"
                                + " seed " + PlayoutBudget.SEED + "), because late packets cluster. The block length"
                                + " follows from their autocorrelation. If independent: by order statistics. Open: too"
                                + " few clusters of late packets, or too many losses, to estimate this end. Nothing is"
                                + " extrapolated where there are too few packets for a share.",
                        "Adaptive: Ramjee et al. 1994, algorithm 1, delay + 4 deviations, updated every "
                                + AdaptiveBuffer.SPURT_PACKETS + " packets; it learns from the first "
                                + AdaptiveBuffer.LEARNING_PACKETS + " packets of a run without judging them.");
    }
}
