package org.lagbench.web;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.SeriesForecaster;
import org.lagbench.analysis.forecast.SeriesForecaster.Selection;
import org.lagbench.core.text.Units;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.core.timeseries.SeriesInfo;

/**
 * A series in memory, each record with the forecast made before it: 25 bytes a record, about 65 MB for a year of a
 * value every 12 s. One thread adds records; any thread reads.
 */
final class LiveSeries {
    private static final int FIRST_CAPACITY = 1 << 12;
    private static final byte NO_FORECASTER = -1;

    private static final long NS_PER_MS = 1_000_000;

    private final SeriesInfo info;
    private final SeriesForecaster forecaster;
    private final List<String> forecasterNames = new ArrayList<>();
    private final Map<Integer, Long> counts = new TreeMap<>();
    private long[] atNs = new long[FIRST_CAPACITY];
    private double[] values = new double[FIRST_CAPACITY];
    private float[] forecasts = new float[FIRST_CAPACITY];
    private float[] halfWidths = new float[FIRST_CAPACITY];
    private byte[] forecasters = new byte[FIRST_CAPACITY];
    private int size;

    /** How many records the forecaster has processed. Readers may use its state only once these are all records. */
    private int learned;

    private int lastValue = -1;
    private int lastState = SeriesState.OK;

    LiveSeries(SeriesInfo info) {
        this.info = info;
        this.forecaster = new SeriesForecaster(Selection.PAPER, 1, info.domain());
    }

    SeriesInfo info() {
        return info;
    }

    /** Returns the time of the last record in ns since the epoch; 0 if there is none. */
    synchronized long lastNs() {
        return size == 0 ? 0 : atNs[size - 1];
    }

    /** Adds a record later than all before, without a forecast; its value is NaN if it is missing. */
    synchronized void add(long recordNs, double value, int state) {
        if (size == atNs.length) {
            int capacity = size + size / 2;
            atNs = Arrays.copyOf(atNs, capacity);
            values = Arrays.copyOf(values, capacity);
            forecasts = Arrays.copyOf(forecasts, capacity);
            halfWidths = Arrays.copyOf(halfWidths, capacity);
            forecasters = Arrays.copyOf(forecasters, capacity);
        }
        atNs[size] = recordNs;
        values[size] = value;
        forecasts[size] = Float.NaN;
        halfWidths[size] = Float.NaN;
        forecasters[size] = NO_FORECASTER;
        lastValue = Double.isNaN(value) ? lastValue : size;
        lastState = state;
        counts.merge(state, 1L, Long::sum);
        size++;
    }

    /**
     * Computes the forecasts of all records that have none, each before its value is added. Readers need not wait.
     *
     * @param isClosing returns whether to end early
     */
    void forecastAll(BooleanSupplier isClosing) {
        while (learned < size && !isClosing.getAsBoolean()) {
            double next = forecaster.next();
            double halfWidth = forecaster.conformalHalfWidth();
            String selected = forecaster.selected();
            forecaster.learn(values[learned]);
            setForecast(next, halfWidth, selected);
        }
    }

    private synchronized void setForecast(double next, double halfWidth, String selected) {
        if (!Double.isNaN(next)) {
            forecasts[learned] = (float) next;
            halfWidths[learned] = (float) halfWidth;
            forecasters[learned] = (byte) indexOf(selected);
        }
        learned++;
    }

    private int indexOf(String name) {
        int index = forecasterNames.indexOf(name);
        if (index < 0) {
            forecasterNames.add(name);
        }
        return index < 0 ? forecasterNames.size() - 1 : index;
    }

    /** Returns the series as it is now; without a forecast while forecasts of earlier records are being computed. */
    synchronized SeriesSnapshot snapshot() {
        boolean isForecast = learned == size && !Double.isNaN(forecaster.next());
        return new SeriesSnapshot(
                info,
                size == 0 ? 0 : atNs[0],
                lastNs(),
                lastValue < 0 ? 0 : atNs[lastValue],
                lastValue < 0 ? Double.NaN : values[lastValue],
                lastState,
                counts,
                isForecast ? forecaster.next() : Double.NaN,
                isForecast ? forecaster.conformalInterval().low() : Double.NaN,
                isForecast ? forecaster.conformalInterval().high() : Double.NaN,
                lastValue < 0 ? Double.NaN : (double) forecasts[lastValue] - halfWidths[lastValue],
                lastValue < 0 ? Double.NaN : (double) forecasts[lastValue] + halfWidths[lastValue],
                isForecast ? forecaster.selected() : "");
    }

    /** Returns the names of the forecasters by their numbers in {@link #columns}. */
    synchronized List<String> forecasterNames() {
        return List.copyOf(forecasterNames);
    }

    /**
     * Returns the records of a time range as columns, what a chart of that many pixels can show: seconds since
     * {@code fromNs}, mean, min, max, forecast, half width, number of missing values, number of the forecaster. There
     * is a column for each record if there are at most {@code count} of them.
     */
    synchronized List<List<@Nullable Number>> columns(long fromNs, long untilNs, int count) {
        List<List<@Nullable Number>> columns = new ArrayList<>();
        int next = firstFrom(fromNs);
        int end = firstFrom(untilNs);
        if (end - next <= count) {
            for (; next < end; next++) {
                columns.add(column(atNs[next] - fromNs, next, next + 1));
            }
            return columns;
        }
        double columnNs = (untilNs - fromNs) / (double) count;
        for (int i = 0; i < count; i++) {
            int first = next;
            next = Math.min(end, firstFrom(fromNs + (long) Math.ceil((i + 1) * columnNs)));
            if (next > first) {
                columns.add(column((long) ((i + .5) * columnNs), first, next));
            }
        }
        return columns;
    }

    /** Returns the index of the first record at this time or later. */
    private int firstFrom(long timeNs) {
        int index = Arrays.binarySearch(atNs, 0, size, timeNs);
        return index < 0 ? -index - 1 : index;
    }

    private List<@Nullable Number> column(long sinceNs, int from, int until) {
        int known = 0;
        int forecast = 0;
        int intervals = 0;
        int last = NO_FORECASTER;
        double sum = 0;
        double min = Double.POSITIVE_INFINITY;
        double max = Double.NEGATIVE_INFINITY;
        double forecastSum = 0;
        double halfWidthSum = 0;
        for (int i = from; i < until; i++) {
            if (!Double.isNaN(values[i])) {
                known++;
                sum += values[i];
                min = Math.min(min, values[i]);
                max = Math.max(max, values[i]);
            }
            if (!Float.isNaN(forecasts[i])) {
                forecast++;
                forecastSum += forecasts[i];
                last = forecasters[i];
            }
            if (!Float.isNaN(halfWidths[i])) {
                intervals++;
                halfWidthSum += halfWidths[i];
            }
        }
        long sinceMs = (sinceNs + NS_PER_MS / 2) / NS_PER_MS;
        return Arrays.asList(
                sinceMs / Units.MS_PER_S,
                finite(sum / known),
                finite(min),
                finite(max),
                finite(forecastSum / forecast),
                finite(halfWidthSum / intervals),
                until - from - known,
                last);
    }

    private static @Nullable Number finite(double number) {
        return Double.isFinite(number) ? (Float) (float) number : null;
    }

    /**
     * A series at one moment. Times are in ns since the epoch, 0 if there is none; values in the series' unit, NaN if
     * there is none.
     *
     * @param firstNs the time of the first record
     * @param lastNs the time of the last record
     * @param valueNs the time of the last record with a value
     * @param value the last value
     * @param state the state of the last record
     * @param counts the number of records by state
     * @param next the forecast of the next value
     * @param low lower end of its interval
     * @param high upper end of its interval
     * @param expectedLow lower end of the interval that was forecast for the last value
     * @param expectedHigh upper end of that interval
     * @param forecaster the forecaster of the next value; empty without a forecast
     */
    record SeriesSnapshot(
            SeriesInfo info,
            long firstNs,
            long lastNs,
            long valueNs,
            double value,
            int state,
            Map<Integer, Long> counts,
            double next,
            double low,
            double high,
            double expectedLow,
            double expectedHigh,
            String forecaster) {

        public SeriesSnapshot {
            counts = Map.copyOf(new TreeMap<>(counts));
        }

        public long values() {
            return counts.getOrDefault(SeriesState.OK, 0L);
        }

        /** Returns the number of records without a value. */
        public long missing() {
            return counts.values().stream().mapToLong(Long::longValue).sum() - values();
        }

        /** Returns the members of its JSON object. Times are in seconds since the epoch. */
        Map<String, @Nullable Object> members() {
            Map<String, @Nullable Object> members = new LinkedHashMap<>();
            members.put("name", info.name());
            members.put("title", info.title());
            members.put("unit", info.unit());
            members.put("least", info.domain().min());
            members.put("greatest", info.domain().max());
            members.put("everyS", info.everyNs() / Units.NS_PER_S);
            members.put("firstS", seconds(firstNs));
            members.put("lastS", seconds(lastNs));
            members.put("valueS", seconds(valueNs));
            members.put("value", value);
            members.put("state", SeriesState.text(state));
            members.put("values", values());
            members.put("missing", missing());
            members.put("next", next);
            members.put("low", low);
            members.put("high", high);
            members.put("forecaster", forecaster);
            return members;
        }

        private static @Nullable Double seconds(long ns) {
            return ns == 0 ? null : (Double) (ns / Units.NS_PER_S);
        }
    }
}
