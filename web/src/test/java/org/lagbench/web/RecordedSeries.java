package org.lagbench.web;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.series.SeriesConsumer;
import org.lagbench.core.series.SeriesInfo;
import org.lagbench.core.series.SeriesSource;
import org.lagbench.core.series.SeriesState;

/** A series in memory with a value every ten seconds. */
final class RecordedSeries implements SeriesSource {
    static final SeriesInfo INFO = new SeriesInfo("rtt.nodelay", "Round trip \"Nagle off\"", "ns", 10_000_000_000L);

    /** The time of the first value unless another is given: 1,000 s after the epoch. */
    static final long FIRST_NS = 1_000_000_000_000L;

    private final long firstNs;
    private final List<Double> values = new ArrayList<>();
    private final List<Listener> listeners = new ArrayList<>();

    RecordedSeries(long firstNs) {
        this.firstNs = firstNs;
    }

    /** Adds a value; NaN if it is missing. */
    void add(double value) {
        values.add(value);
        int index = values.size() - 1;
        listeners.forEach(one -> one.recorded(INFO, atNs(index), value, state(value)));
    }

    long atNs(int index) {
        return firstNs + index * INFO.everyNs();
    }

    private static int state(double value) {
        return Double.isNaN(value) ? SeriesState.MISSED : SeriesState.OK;
    }

    @Override
    public List<SeriesInfo> series() {
        return List.of(INFO);
    }

    @Override
    public void read(String series, long fromNs, long untilNs, SeriesConsumer consumer) {
        for (int i = 0; i < values.size(); i++) {
            if (atNs(i) >= fromNs && atNs(i) < untilNs) {
                consumer.accept(atNs(i), values.get(i), state(values.get(i)));
            }
        }
    }

    @Override
    public void addListener(Listener listener) {
        listeners.add(listener);
    }

    @Override
    public void removeListener(Listener listener) {
        listeners.remove(listener);
    }

    /** Forecasts twice the last value, ± 3. */
    static final class Doubling implements ValueForecaster {
        private double next = Double.NaN;

        @Override
        public void learn(double value) {
            next = Double.isNaN(value) ? next : 2 * value;
        }

        @Override
        public double next() {
            return next;
        }

        @Override
        public double halfWidth() {
            return 3;
        }

        @Override
        public String selected() {
            return "doubling";
        }
    }
}
