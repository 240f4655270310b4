package org.lagbench.report.table;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.analysis.summary.MetricGroup;
import org.lagbench.analysis.summary.StreamEffect;

/** The effects of concurrent streams on each other. */
public final class StreamView extends View {
    public StreamView() {
        super("streams", 80, MetricGroup.STREAMS);
    }

    @Override
    boolean isBelowAnother() {
        return true;
    }

    @Override
    protected List<Table> tables(PointRows rows) {
        List<StreamEffect> streams = rows.summary().streams();
        TableColumns<StreamEffect> columns = new TableColumns<StreamEffect>()
                .addAll(Axes.of(streams.stream().map(StreamEffect::point).toList()), StreamEffect::point);
        int axes = columns.columns().size();
        addRatio(columns.group("Median of lag"), StreamEffect::median);
        addRatio(columns.group("Q99 of lag"), StreamEffect::q99);
        columns.group("Lost")
                .fixed(2, "Alone", "%", effect -> 100 * effect.lostPartAlone())
                .fixed(2, "Together", "%", effect -> 100 * effect.lostPartTogether())
                .group("")
                .fixed(2, "Shared", "%", effect -> 100 * effect.sharedPart())
                .number("Repeats", "", effect -> Integer.toString(effect.repeats()));
        return List.of(columns.table(rows.title("Effects of the streams on each other"), streams, axes));
    }

    private static void addRatio(
            TableColumns<StreamEffect> columns, Function<StreamEffect, @Nullable PairedRatio> ratio) {
        columns.time("Alone", effect -> value(ratio.apply(effect), PairedRatio::aloneNs))
                .time("Together", effect -> value(ratio.apply(effect), PairedRatio::togetherNs))
                .number("Ratio", "", effect -> ComparisonView.ratio(value(ratio.apply(effect), PairedRatio::ratio)))
                .text("Interval", effect -> interval(ratio.apply(effect)));
    }

    private static double value(@Nullable PairedRatio ratio, ToDoubleFunction<PairedRatio> value) {
        return ratio == null ? Double.NaN : value.applyAsDouble(ratio);
    }

    private static String interval(@Nullable PairedRatio ratio) {
        return ratio == null || Double.isNaN(ratio.ratioLow())
                ? Numbers.NONE
                : ComparisonView.ratio(ratio.ratioLow()) + "–" + ComparisonView.ratio(ratio.ratioHigh());
    }

    @Override
    protected List<String> notes(PointRows rows) {
        return rows.summary().streams().isEmpty()
                ? List.of("No stream was sent both alone and together with others: the experiment has no streams, or no"
                        + " repeat of them completed.")
                : List.of(
                        "Together: only packets sent while all streams were active count, Shared percent of the stream;"
                                + " of the stream alone, an equally long part counts.",
                        "Alone, Together and Ratio are medians over the repeats, the ratio that of paired repeats. Its"
                                + " 95 % interval, by order statistics, needs at least "
                                + Interval.MIN_OF_MEDIAN + " repeats. An interval that includes 1 shows no effect.");
    }
}
