package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.analysis.summary.Detail;
import org.lagbench.analysis.summary.StreamEffect;
import org.lagbench.analysis.summary.Summary;

/** What streams that were sent at the same time did to each other. */
final class StreamView implements ViewContent {
    private static final String US = "µs";

    @Override
    public Set<Detail> details() {
        return Set.of(Detail.STREAMS);
    }

    @Override
    public List<Table> tables(PointRows rows, boolean allSeries) {
        Summary summary = rows.summary();
        Axes axes =
                new Axes(summary.streams().stream().map(StreamEffect::together).toList());
        List<Column> columns = new ArrayList<>(axes.columns());
        for (String figure : List.of("Median of lag", "Q99 of lag")) {
            columns.add(Column.number(figure, "Alone", US));
            columns.add(Column.number(figure, "Together", US));
            columns.add(Column.number(figure, "Ratio", ""));
            columns.add(Column.text(figure, "Interval"));
        }
        columns.add(Column.number("Lost", "Alone", "%"));
        columns.add(Column.number("Lost", "Together", "%"));
        columns.add(Column.number("Shared", "%"));
        columns.add(Column.number("Repeats", ""));
        List<List<String>> cells = new ArrayList<>();
        for (StreamEffect effect : summary.streams()) {
            List<String> row = new ArrayList<>(axes.cells(effect.together()));
            addRatio(row, effect.medianNs());
            addRatio(row, effect.q99Ns());
            row.add(percent(effect.lostAlone()));
            row.add(percent(effect.lostTogether()));
            row.add(percent(effect.sharedPart()));
            row.add(Integer.toString(effect.repeats()));
            cells.add(row);
        }
        return List.of(new Table(rows.title("What the streams did to each other"), columns, cells));
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
        notes.addAll(Notes.ofRuns(rows.summary(), rows.axes()));
        return notes;
    }

    private static void addRatio(List<String> row, @Nullable PairedRatio ratio) {
        if (ratio == null) {
            row.addAll(List.of(Numbers.NONE, Numbers.NONE, Numbers.NONE, Numbers.NONE));
            return;
        }
        row.add(Numbers.usText(ratio.before()));
        row.add(Numbers.usText(ratio.after()));
        row.add(twoPlaces(ratio.ratio()));
        Double low = ratio.low();
        Double high = ratio.high();
        row.add(low == null || high == null ? Numbers.NONE : twoPlaces(low) + "–" + twoPlaces(high));
    }

    private static String twoPlaces(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String percent(double part) {
        return String.format(Locale.ROOT, "%.2f", part * 100);
    }
}
