package org.lagbench.analysis.summary;

import java.util.Comparator;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.run.JvmOptions;

/**
 * The orders of points: TCP, UDP, IEEE-1394, then others by title; then by what they ran on; then by size, pace,
 * engine, settings and all else.
 */
public final class PointOrder {
    private static final Comparator<String> VALUE_ORDER =
            Comparator.comparingLong(PointOrder::size).thenComparing(Comparator.naturalOrder());

    private static final Comparator<MeasuredPoint> BY_NETWORK = Comparator.comparingInt(MeasuredPoint::transportPlace)
            .thenComparing(MeasuredPoint::transportTitle)
            .thenComparing(MeasuredPoint::transport)
            .thenComparing(MeasuredPoint::network);

    private static final Comparator<MeasuredPoint> BY_SETTINGS = Comparator.comparing(
                    (MeasuredPoint point) -> point.point().traffic().kind())
            .thenComparing(MeasuredPoint::transferBytes)
            .thenComparing(MeasuredPoint::transferText)
            .thenComparing(MeasuredPoint::dataText)
            .thenComparing(MeasuredPoint::codecText)
            .thenComparing(MeasuredPoint::paceIntervalNs)
            .thenComparing(MeasuredPoint::paceBurst)
            .thenComparing(MeasuredPoint::paceMode)
            .thenComparing(MeasuredPoint::enginePlace)
            .thenComparing(MeasuredPoint::engine)
            .thenComparing(point -> !point.jvm().equals(JvmOptions.DEFAULT))
            .thenComparing(MeasuredPoint::jvm)
            .thenComparing(MeasuredPoint::direction)
            .thenComparing(MeasuredPoint::streamName, PointOrder::compareNumbered)
            .thenComparing(MeasuredPoint::besideText)
            .thenComparing(MeasuredPoint::settings, PointOrder::compareValues)
            .thenComparing(MeasuredPoint::axes, PointOrder::compareValues);

    /** The order of tables. */
    static final Comparator<MeasuredPoint> OF_TABLES = BY_NETWORK
            .thenComparing(MeasuredPoint::packetBytes, Comparator.reverseOrder())
            .thenComparing(BY_SETTINGS);

    /** The order of pages: as that of tables, but with the smallest packets of each network first. */
    public static final Comparator<MeasuredPoint> SMALLEST_FIRST =
            BY_NETWORK.thenComparing(MeasuredPoint::packetBytes).thenComparing(BY_SETTINGS);

    private PointOrder() {}

    /** Compares names by their text, then by the number at their end: "stream2" is before "stream10". */
    private static int compareNumbered(String left, String right) {
        String leftText = left.replaceFirst("\\d+$", "");
        String rightText = right.replaceFirst("\\d+$", "");
        String leftNumber = left.substring(leftText.length()).replaceFirst("^0+", "");
        String rightNumber = right.substring(rightText.length()).replaceFirst("^0+", "");
        int[] orders = {
            leftText.compareTo(rightText),
            Integer.compare(leftNumber.length(), rightNumber.length()),
            leftNumber.compareTo(rightNumber),
            left.compareTo(right)
        };
        return IntStream.of(orders).filter(order -> order != 0).findFirst().orElse(0);
    }

    private static int compareValues(Map<String, ?> left, Map<String, ?> right) {
        TreeSet<String> names = new TreeSet<>(left.keySet());
        names.addAll(right.keySet());
        return names.stream()
                .mapToInt(name -> VALUE_ORDER.compare(String.valueOf(left.get(name)), String.valueOf(right.get(name))))
                .filter(order -> order != 0)
                .findFirst()
                .orElse(0);
    }

    /** Returns the size by which values are sorted: that of a number or duration; words ("auto") are last. */
    private static long size(String value) {
        try {
            return value.matches("-?\\d+") ? Long.parseLong(value) : Durations.parseNs(value);
        } catch (IllegalArgumentException e) {
            return Long.MAX_VALUE;
        }
    }
}
