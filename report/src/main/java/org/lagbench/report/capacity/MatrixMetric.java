package org.lagbench.report.capacity;

import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.Verdict;
import org.lagbench.analysis.matrix.PairMetrics;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.transfer.Probe;
import org.lagbench.report.table.Numbers;

/** A figure of each pair. */
public enum MatrixMetric {
    LAG("lag", "Median lag", "µs") {
        @Override
        @Nullable
        Interval interval(PairMetrics figures) {
            return figures.lagNs();
        }

        @Override
        String text(PairMetrics figures, double value) {
            return Numbers.briefUsText(value);
        }
    },
    LOSS("loss", "Loss", "%") {
        @Override
        @Nullable
        Interval interval(PairMetrics figures) {
            return figures.loss();
        }

        @Override
        String text(PairMetrics figures, double value) {
            return Numbers.percent(value);
        }
    },
    ROUND_TRIP("round-trip", "Median round trip", "µs") {
        @Override
        @Nullable
        Interval interval(PairMetrics figures) {
            return figures.roundTripNs();
        }

        @Override
        String text(PairMetrics figures, double value) {
            return Numbers.briefUsText(value);
        }
    },
    RATE("rate", "Rate of TCP", "Mb/s") {
        @Override
        @Nullable
        Interval interval(PairMetrics figures) {
            Probe last = figures.lastProbe();
            return figures.path()
                    .map(path -> path.rate())
                    .orElseGet(() ->
                            last == null ? null : new Interval(last.verdict().bitsPerS(), Double.NaN, Double.NaN));
        }

        @Override
        String text(PairMetrics figures, double value) {
            Verdict verdict = verdict(figures);
            String mark = verdict == null || verdict == Verdict.NETWORK
                    ? ""
                    : " " + verdict.text().charAt(0);
            return Numbers.mbpsText(value) + mark;
        }
    };

    private final String id;
    private final String title;
    private final String unit;

    MatrixMetric(String id, String title, String unit) {
        this.id = id;
        this.title = title;
        this.unit = unit;
    }

    /** Returns the name in files. */
    public String id() {
        return id;
    }

    /** Returns the heading with the unit. */
    String title() {
        return title + " in " + unit;
    }

    /** Returns the value in ns or bit/s, or as a share; null if it was not measured. */
    abstract @Nullable Interval interval(PairMetrics figures);

    /** Returns a value as text for tables. */
    abstract String text(PairMetrics figures, double value);

    /** Returns what limited the rate of TCP; null if there was no transfer. */
    static @Nullable Verdict verdict(PairMetrics figures) {
        Probe last = figures.lastProbe();
        return figures.path().isPresent()
                ? Verdict.NETWORK
                : last == null ? null : last.verdict().verdict();
    }
}
