package org.lagbench.core.run;

import java.util.Locale;

/** How a metric is spelled in sentences, in columns and in other formats that do not accept its id. */
public final class MetricNames {
    private MetricNames() {}

    /** Returns the quantity with its statistic in sentences: "Q99 transmit lag", "median round trip", "loss". */
    public static String inSentence(Metric<?> metric) {
        boolean isOnly =
                metric.statistic().equals("Share") || metric.statistic().equals("Count");
        return (isOnly ? "" : inSentence(metric.statistic()) + " ") + inSentence(metric.title());
    }

    private static String inSentence(String title) {
        boolean isWord = title.length() > 1 && Character.isLowerCase(title.charAt(1));
        return isWord ? title.substring(0, 1).toLowerCase(Locale.ROOT) + title.substring(1) : title;
    }

    /** Returns the id in lower case with underscores: "lag_q99". */
    public static String snakeCase(Metric<?> metric) {
        return metric.id().replaceAll("([A-Z])", "_$1").replace('.', '_').toLowerCase(Locale.ROOT);
    }

    /** Returns the name of the column in CSV, with the unit unless it is a number of things: "lag_q99_us". */
    public static String column(Metric<?> metric) {
        String name = snakeCase(metric);
        String end = "_"
                + metric.unit()
                        .replace("µ", "u")
                        .replace(Metric.PERCENT, "percent")
                        .replace("/", "_per_")
                        .toLowerCase(Locale.ROOT);
        return metric.type() == Metric.Type.COUNT || name.endsWith(end) ? name : name + end;
    }
}
