package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.StreamEffect;
import org.lagbench.analysis.summary.Summary;

/** What streams that were sent at the same time did to each other. */
final class StreamView implements ViewContent {
    @Override
    public Set<Detail> details() {
        return Set.of(Detail.STREAMS);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        Summary summary = rows.summary();
        Axes axes = new Axes(summary.streams().stream().map(StreamEffect::point).toList());
        TableColumns<StreamEffect> columns = new TableColumns<>();
        addRatio(columns.group("Median of lag"), StreamEffect::median);
        addRatio(columns.group("Q99 of lag"), StreamEffect::q99);
        columns.group("Lost")
                .number("Alone", "%", effect -> twoPlaces(100 * effect.lostPartAlone()))
                .number("Together", "%", effect -> twoPlaces(100 * effect.lostPartTogether()))
                .group("")
                .number("Shared", "%", effect -> twoPlaces(100 * effect.sharedPart()))
                .number("Repeats", "", effect -> Integer.toString(effect.repeats()));
        List<Column> all = new ArrayList<>(axes.columns());
        all.addAll(columns.columns());
        List<List<String>> cells = new ArrayList<>();
        for (StreamEffect effect : summary.streams()) {
            List<String> row = new ArrayList<>(axes.cells(effect.point()));
            row.addAll(columns.cells(effect));
            cells.add(row);
        }
        return List.of(new Table(rows.title("What the streams did to each other"), all, cells));
    }

    private static void addRatio(
            TableColumns<StreamEffect> columns, Function<StreamEffect, @Nullable PairedRatio> ratio) {
        columns.us("Alone", effect -> figure(ratio.apply(effect), PairedRatio::aloneNs))
                .us("Together", effect -> figure(ratio.apply(effect), PairedRatio::togetherNs))
                .number("Ratio", "", effect -> twoPlaces(figure(ratio.apply(effect), PairedRatio::ratio)))
                .text("Interval", effect -> interval(ratio.apply(effect)));
    }

    private static double figure(@Nullable PairedRatio ratio, ToDoubleFunction<PairedRatio> figure) {
        return ratio == null ? Double.NaN : figure.applyAsDouble(ratio);
    }

    private static String interval(@Nullable PairedRatio ratio) {
        return ratio == null || ratio.ratioLow() == null || ratio.ratioHigh() == null
                ? Numbers.NONE
                : twoPlaces(ratio.ratioLow()) + "–" + twoPlaces(ratio.ratioHigh());
    }

    private static String twoPlaces(double value) {
        return Double.isNaN(value) ? Numbers.NONE : String.format(Locale.ROOT, "%.2f", value);
    }

    @Override
    public List<String> notes(PointRows rows) {
        List<String> notes = new ArrayList<>();
        if (rows.summary().streams().isEmpty()) {
            notes.add("No stream was sent both alone and among others; the experiment has no streams, or no repeat of"
                    + " them came to its end.");
        } else {
            notes.add("Together: of the packets sent while all the streams were, of which a stream has the part Shared;"
                    + " of the stream alone as long a time counts.");
            notes.add("Alone, Together and Ratio: geometric means over the repeats; the 95 % interval of the ratio by"
                    + " Student's t of its logarithm, the repeats in pairs. It takes two repeats at least. An"
                    + " interval that holds 1 shows no effect.");
        }
        return notes;
    }
}
