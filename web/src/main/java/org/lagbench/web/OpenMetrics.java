package org.lagbench.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.text.Units;
import org.lagbench.core.timeseries.SeriesFiles.SeriesState;
import org.lagbench.report.table.OpenMetricsUnit;
import org.lagbench.web.LiveSeries.SeriesSnapshot;

/**
 * The series of a monitor as metrics. Clients that accept OpenMetrics 1.0, such as Prometheus, get its text format.
 * Others get the older text format of Prometheus. An undefined number has no sample.
 */
record OpenMetrics(boolean isOpen, StringBuilder text) {
    /** The path of the metrics. */
    static final String PATH = "/metrics";

    private static final String OPEN_METRICS = "application/openmetrics-text";

    /** Returns the metrics now, in the format that a client accepts. */
    static LiveResponse answer(List<SeriesSnapshot> series, String accept) {
        return answer(series, accept, RealtimeClock.nowNs());
    }

    /**
     * Returns the metrics at a time.
     *
     * @param nowNs in ns since the epoch, for the age of values
     */
    static LiveResponse answer(List<SeriesSnapshot> series, String accept, long nowNs) {
        boolean isOpen = accept.contains(OPEN_METRICS);
        return LiveResponse.ok(
                isOpen ? OPEN_METRICS + "; version=1.0.0; charset=utf-8" : "text/plain; version=0.0.4; charset=utf-8",
                new OpenMetrics(isOpen, new StringBuilder()).format(series, nowNs));
    }

    private String format(List<SeriesSnapshot> series, long nowNs) {
        series.stream()
                .collect(Collectors.groupingBy(one -> unit(one).name(), LinkedHashMap::new, Collectors.toList()))
                .forEach(this::inBaseUnit);
        gauge(
                "lagbench_series_value_age_seconds",
                "Time since the probe of the last value; without a value, since the first probe.",
                series,
                one -> ageS(one, nowNs));
        gauge(
                "lagbench_series_period_seconds",
                "Time between two probes.",
                series,
                one -> one.info().everyNs() / Units.NS_PER_S);
        forecasters(series);
        counters(series);
        if (isOpen) {
            text.append("# EOF\n");
        }
        return text.toString();
    }

    /** Returns the age of the last value, or how long there has been none; NaN before the first probe. */
    private static double ageS(SeriesSnapshot one, long nowNs) {
        long sinceNs = one.valueNs() == 0 ? one.firstNs() : one.valueNs();
        return sinceNs == 0 ? Double.NaN : (nowNs - sinceNs) / Units.NS_PER_S;
    }

    private static OpenMetricsUnit unit(SeriesSnapshot one) {
        return OpenMetricsUnit.of(one.info().unit());
    }

    /** Writes the families of series with the same base unit. */
    private void inBaseUnit(String unit, List<SeriesSnapshot> series) {
        gauge(unit, "value", "Last value.", series, SeriesSnapshot::value);
        gauge(
                unit,
                "expected_low",
                "Lower end of the interval forecast before it.",
                series,
                SeriesSnapshot::expectedLow);
        gauge(
                unit,
                "expected_high",
                "Upper end of the interval forecast before it.",
                series,
                SeriesSnapshot::expectedHigh);
        gauge(unit, "forecast", "Forecast of the next value.", series, SeriesSnapshot::next);
        gauge(unit, "forecast_low", "Lower end of the interval of the next value.", series, SeriesSnapshot::low);
        gauge(unit, "forecast_high", "Upper end of the interval of the next value.", series, SeriesSnapshot::high);
    }

    private void gauge(
            String unit,
            String name,
            String help,
            List<SeriesSnapshot> series,
            ToDoubleFunction<SeriesSnapshot> number) {
        gauge(
                "lagbench_probe_" + name + "_" + unit,
                help,
                series,
                OpenMetrics::labelsWithoutUnit,
                one -> number.applyAsDouble(one) / unit(one).divisor());
    }

    private void gauge(String name, String help, List<SeriesSnapshot> series, ToDoubleFunction<SeriesSnapshot> number) {
        gauge(name, help, series, OpenMetrics::labels, number);
    }

    private void gauge(
            String name,
            String help,
            List<SeriesSnapshot> series,
            Function<SeriesSnapshot, String> labels,
            ToDoubleFunction<SeriesSnapshot> number) {
        family(name, "gauge", help);
        for (SeriesSnapshot one : series) {
            double value = number.applyAsDouble(one);
            if (Double.isFinite(value)) {
                sample(name, labels.apply(one), Double.toString(value));
            }
        }
    }

    private void forecasters(List<SeriesSnapshot> series) {
        family("lagbench_series_forecaster", "gauge", "1; the label names the forecaster of the next value.");
        for (SeriesSnapshot one : series) {
            if (!one.forecaster().isEmpty()) {
                sample("lagbench_series_forecaster", labels(one) + "," + label("forecaster", one.forecaster()), "1");
            }
        }
    }

    private void counters(List<SeriesSnapshot> series) {
        counter("lagbench_series_values_total", "Values in the session.");
        for (SeriesSnapshot one : series) {
            sample("lagbench_series_values_total", labels(one), Long.toString(one.values()));
        }
        counter("lagbench_series_missing_total", "Probes in the session that gave no value, by reason.");
        for (SeriesSnapshot one : series) {
            Map<Integer, Long> counts = new TreeMap<>(one.counts());
            counts.remove(SeriesState.OK);
            counts.putIfAbsent(SeriesState.MISSED, 0L);
            counts.forEach((state, count) -> sample(
                    "lagbench_series_missing_total",
                    labels(one) + "," + label("reason", SeriesState.text(state)),
                    Long.toString(count)));
        }
    }

    /** Begins a counter. Its family has the name of its samples; OpenMetrics omits the suffix {@code _total} there. */
    private void counter(String name, String help) {
        family(isOpen ? name.replaceFirst("_total$", "") : name, "counter", help);
    }

    private void family(String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    private void sample(String name, String labels, String value) {
        text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
    }

    private static String labels(SeriesSnapshot one) {
        return labelsWithoutUnit(one) + "," + label("unit", one.info().unit());
    }

    private static String labelsWithoutUnit(SeriesSnapshot one) {
        String target = one.info().target();
        return (target == null ? "" : label("target", target) + ",")
                + label("series", one.info().name()) + ","
                + label("title", one.info().title());
    }

    private static String label(String name, String value) {
        return name + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
