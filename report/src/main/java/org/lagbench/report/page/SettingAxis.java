package org.lagbench.report.page;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.model.SettingText;
import org.lagbench.report.chart.Axis;

/**
 * A horizontal axis over the values of a setting: a numeric one if all are numbers, sizes or durations, which share one
 * unit on it, else one of categories.
 *
 * @param places the place of each value on the axis
 */
record SettingAxis(Axis axis, List<Double> places) {
    private static final Pattern QUANTITY = Pattern.compile("(\\d+(?:\\.\\d+)?) ?(B|KiB|MiB|GiB|µs|us|ms|s|min|)");
    private static final Map<String, Double> BYTES = Map.of("B", 1.0, "KiB", 0x1p10, "MiB", 0x1p20, "GiB", 0x1p30);
    private static final Map<String, Double> SECONDS =
            Map.of("µs", 1e-6, "us", 1e-6, "ms", 1e-3, "s", 1.0, "min", 60.0);

    /** From this ratio of the largest to the smallest value on, the axis is logarithmic. */
    private static final double LOGARITHMIC_FROM = 4;

    /** Returns the axis of a setting. Its values are in the form of experiment files. */
    static SettingAxis of(String setting, List<String> values) {
        List<String> texts =
                values.stream().map(value -> SettingText.value(setting, value)).toList();
        String name = SettingText.name(setting);
        for (Map<String, Double> units : List.of(Map.of("", 1.0), BYTES, SECONDS)) {
            List<Double> places = new ArrayList<>();
            String first = "";
            for (String text : texts) {
                Matcher matcher = QUANTITY.matcher(text);
                if (matcher.matches() && units.containsKey(matcher.group(2))) {
                    first = first.isEmpty() ? matcher.group(2) : first;
                    places.add(Double.parseDouble(matcher.group(1))
                            * units.getOrDefault(matcher.group(2), 1.0)
                            / units.getOrDefault(first, 1.0));
                }
            }
            if (!texts.isEmpty() && places.size() == texts.size()) {
                return new SettingAxis(numeric(first.isEmpty() ? name : name + " (" + first + ")", places), places);
            }
        }
        List<Double> places = new ArrayList<>();
        texts.forEach(text -> places.add(places.size() + 0.5)); // the middle of its category
        return new SettingAxis(Axis.categories(name, texts), places);
    }

    private static Axis numeric(String label, List<Double> places) {
        DoubleSummaryStatistics range =
                places.stream().mapToDouble(Double::doubleValue).summaryStatistics();
        double min = range.getMin();
        double max = range.getMax();
        if (min > 0 && max >= LOGARITHMIC_FROM * min) {
            return Axis.logarithmic(label, min / 1.25, max * 1.25);
        }
        double margin = max > min ? (max - min) / 10 : max / 10;
        return Axis.linear(label, min - margin, max + margin);
    }
}
