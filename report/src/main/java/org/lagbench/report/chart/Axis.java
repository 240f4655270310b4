package org.lagbench.report.chart;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.text.Units;

/**
 * An axis with its range, scale and label. Panels that share an axis have equal scales.
 *
 * @param label the quantity with its unit
 * @param from the value at its beginning; above 0 on a logarithmic axis
 * @param to the value at its end
 * @param categories the n-th category, from 0, is at n + ½; empty on other scales
 */
public record Axis(String label, Scale scale, double from, double to, List<String> categories) {
    /** How values are spread along an axis. */
    enum Scale implements TextEnum {
        LINEAR,
        LOGARITHMIC,
        CATEGORIES
    }

    /** A mark on an axis, with a label or "". */
    record Tick(double value, String label) {}

    /** The shortest time on logarithmic axes of times, in ns; times below it are drawn at that value. */
    private static final double MIN_NS = 10;

    private static final BigDecimal MIN_PLAIN = new BigDecimal("0.0001");
    private static final double MIN_DECADE_WITH_MINOR_TICKS = 11;
    private static final double MIN_DECADE_WITH_THREE_TICKS = 45;

    /** Returns an axis on which equal differences are equally long. */
    public static Axis linear(String label, double from, double to) {
        return new Axis(label, Scale.LINEAR, from, to > from ? to : from + Math.max(1, 64 * Math.ulp(from)), List.of());
    }

    /**
     * Returns a logarithmic axis between two powers of ten that include both values and at least one decade. Values
     * below its range are placed at its beginning.
     */
    public static Axis decades(String label, double min, double max) {
        if (min <= 0) {
            throw new IllegalArgumentException("a logarithmic axis cannot begin at " + min);
        }
        double from = Math.floor(Math.log10(min) + 1e-9);
        double to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(min, max)) - 1e-9));
        return logarithmic(label, Math.pow(10, from), Math.pow(10, to));
    }

    /** Returns a logarithmic axis between two values above 0. */
    public static Axis logarithmic(String label, double from, double to) {
        return new Axis(label, Scale.LOGARITHMIC, from, to, List.of());
    }

    /**
     * Returns a logarithmic axis in µs from the smallest to the largest value. Values below {@link #MIN_NS} do not fit.
     */
    static Axis logarithmicUs(String name, double minNs, double maxNs) {
        double fromNs = Math.max(MIN_NS, minNs);
        return decades(name + " (µs)", fromNs / Units.NS_PER_US, Math.max(fromNs, maxNs) / Units.NS_PER_US);
    }

    /** Adds a note if values are below the smallest that can be drawn. */
    static void addNoteBelowMin(List<String> notes, String names, double minNs) {
        if (minNs < MIN_NS) {
            notes.add(names + " below " + MIN_NS / Units.NS_PER_US + " µs are drawn at that value.");
        }
    }

    public static Axis categories(String label, List<String> categories) {
        return new Axis(label, Scale.CATEGORIES, 0, Math.max(1, categories.size()), List.copyOf(categories));
    }

    boolean isLogarithmic() {
        return scale == Scale.LOGARITHMIC;
    }

    boolean isCategories() {
        return scale == Scale.CATEGORIES;
    }

    /** Returns the position of a value along the axis, from 0 at its beginning to 1 at its end. */
    double place(double value) {
        return isLogarithmic()
                ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
                : (value - from) / (to - from);
    }

    /**
     * Returns the ticks, with labels where there is room.
     *
     * @param length of the axis in points
     * @param minGap the smallest distance of labels in points
     */
    List<Tick> ticks(double length, double minGap) {
        return switch (scale) {
            case LINEAR -> linearTicks(length, minGap);
            case LOGARITHMIC -> logarithmicTicks(length, minGap);
            case CATEGORIES ->
                IntStream.range(0, categories.size())
                        .mapToObj(i -> new Tick(i + 0.5, categories.get(i)))
                        .toList();
        };
    }

    /** Returns the ticks without labels: the multiples of powers of ten. */
    List<Double> minorTicks(double length) {
        return isLogarithmic() && length / Math.log10(to / from) >= MIN_DECADE_WITH_MINOR_TICKS
                ? multiplesOfDecades(2, 3, 4, 5, 6, 7, 8, 9).stream()
                        .map(BigDecimal::doubleValue)
                        .toList()
                : List.of();
    }

    private List<Tick> linearTicks(double length, double minGap) {
        double minStep = (to - from) / Math.max(1, length / minGap);
        int exponent = (int) Math.floor(Math.log10(minStep));
        BigDecimal step = IntStream.of(1, 2, 5)
                .mapToObj(factor -> BigDecimal.valueOf(factor).scaleByPowerOfTen(exponent))
                .filter(candidate -> candidate.doubleValue() >= minStep * (1 - 1e-9))
                .findFirst()
                .orElse(BigDecimal.ONE.scaleByPowerOfTen(exponent + 1));
        List<Tick> ticks = new ArrayList<>();
        long last = (long) Math.floor(to / step.doubleValue() + 1e-9);
        for (long i = (long) Math.ceil(from / step.doubleValue() - 1e-9); i <= last; i++) {
            BigDecimal value = step.multiply(BigDecimal.valueOf(i));
            ticks.add(new Tick(value.doubleValue(), text(value)));
        }
        return ticks;
    }

    private List<Tick> logarithmicTicks(double length, double minGap) {
        double decades = Math.log10(to / from);
        double decadeLength = length / decades;
        int labeledDecades = Math.max(1, (int) Math.ceil(minGap / decadeLength));
        return multiplesOfDecades(
                        (decadeLength >= MIN_DECADE_WITH_THREE_TICKS && decades < 1.5)
                                        || (decadeLength * Math.log10(2) >= minGap && decades < 2.5)
                                ? new int[] {1, 2, 5}
                                : new int[] {1})
                .stream()
                .map(value -> new Tick(
                        value.doubleValue(), Math.floorMod(-value.scale(), labeledDecades) == 0 ? text(value) : ""))
                .toList();
    }

    /** Returns the powers of ten, each times the factors from 1 to 9, that are on the axis. */
    private List<BigDecimal> multiplesOfDecades(int... factors) {
        List<BigDecimal> multiples = new ArrayList<>();
        for (int decade = (int) Math.floor(Math.log10(from)); decade <= Math.log10(to) + 1e-9; decade++) {
            for (int factor : factors) {
                BigDecimal value = BigDecimal.valueOf(factor).scaleByPowerOfTen(decade);
                if (value.doubleValue() >= from * (1 - 1e-9) && value.doubleValue() <= to * (1 + 1e-9)) {
                    multiples.add(value);
                }
            }
        }
        return multiples;
    }

    /** Formats a number with a true minus sign, with grouped thousands, and with an exponent below 0.0001. */
    private static String text(BigDecimal value) {
        BigDecimal exact = value.stripTrailingZeros();
        if (value.signum() != 0 && value.abs().compareTo(MIN_PLAIN) < 0) {
            int exponent = exact.precision() - exact.scale() - 1;
            return text(exact.scaleByPowerOfTen(-exponent)) + "e−" + -exponent;
        }
        return String.format(Locale.ROOT, "%,." + Math.max(0, exact.scale()) + "f", exact)
                .replace('-', '−');
    }
}
