package org.lagbench.report.plot;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One axis: from where to where, on which scale, and what is written on it. Panels that share an axis have equal
 * scales. Immutable.
 */
public final class Axis {
    /** How values are spread along an axis. */
    private enum Scale {
        LINEAR,
        LOGARITHMIC,
        CATEGORIES
    }

    /**
     * A mark on an axis.
     *
     * @param value where
     * @param label what is written at it; empty if nothing
     */
    record Tick(double value, String label) {}

    private static final BigDecimal LEAST_PLAIN = new BigDecimal("0.0001");
    private static final double MINOR_DECADES_APART = 11;
    private static final double PAIRS_OF_TICKS_FROM = 45;

    private final String label;
    private final Scale scale;
    private final double from;
    private final double to;
    private final List<String> categories;

    private Axis(String label, Scale scale, double from, double to, List<String> categories) {
        this.label = label;
        this.scale = scale;
        this.from = from;
        this.to = to;
        this.categories = categories;
    }

    /**
     * Equal differences are equally long.
     *
     * @param label what it shows, and its unit
     */
    public static Axis linear(String label, double from, double to) {
        return new Axis(label, Scale.LINEAR, from, to > from ? to : from + 1, List.of());
    }

    /**
     * Equal ratios are equally long. Values at or below {@code from}, which is above 0, are all put at its beginning.
     */
    public static Axis logarithmic(String label, double from, double to) {
        if (from <= 0) {
            throw new IllegalArgumentException("a logarithmic axis from " + from);
        }
        return new Axis(label, Scale.LOGARITHMIC, from, to > from ? to : from * 10, List.of());
    }

    /** The same from a power of ten to a power of ten, so that it has both values, and one decade at least. */
    public static Axis decades(String label, double least, double greatest) {
        double from = Math.floor(Math.log10(least) + 1e-9);
        double to = Math.max(from + 1, Math.ceil(Math.log10(Math.max(least, greatest)) - 1e-9));
        return logarithmic(label, Math.pow(10, from), Math.pow(10, to));
    }

    /** The n-th of the categories, from 0, is at n + ½. */
    public static Axis categories(String label, List<String> categories) {
        return new Axis(label, Scale.CATEGORIES, 0, Math.max(1, categories.size()), List.copyOf(categories));
    }

    /** What it shows, and its unit. */
    String label() {
        return label;
    }

    /** Where it begins. */
    public double from() {
        return from;
    }

    /** Where it ends. */
    public double to() {
        return to;
    }

    /** Returns "linear", "logarithmic" or "categories". */
    String scaleName() {
        return scale.name().toLowerCase(Locale.ROOT);
    }

    boolean isLogarithmic() {
        return scale == Scale.LOGARITHMIC;
    }

    boolean isCategories() {
        return scale == Scale.CATEGORIES;
    }

    /** Where along the axis a value is: 0 at its beginning, 1 at its end; beyond for values beyond. */
    double place(double value) {
        return scale == Scale.LOGARITHMIC
                ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
                : (value - from) / (to - from);
    }

    /**
     * What is marked, with labels where there is room for them.
     *
     * @param length of the axis in points
     * @param apart how far labels must be from each other at least, in points
     */
    List<Tick> ticks(double length, double apart) {
        return switch (scale) {
            case LINEAR -> linearTicks(length, apart);
            case LOGARITHMIC -> logarithmicTicks(length, apart);
            case CATEGORIES -> categoryTicks();
        };
    }

    /** What is marked without a label: the multiples of a power of ten. */
    List<Double> minorTicks(double length) {
        List<Double> minor = new ArrayList<>();
        if (scale == Scale.LOGARITHMIC && length / Math.log10(to / from) >= MINOR_DECADES_APART) {
            for (int decade = firstDecade() - 1; decade <= lastDecade(); decade++) {
                for (int factor = 2; factor < 10; factor++) {
                    double value = factor * Math.pow(10, decade);
                    if (value > from && value < to) {
                        minor.add(value);
                    }
                }
            }
        }
        return minor;
    }

    private List<Tick> linearTicks(double length, double apart) {
        double roughStep = (to - from) / Math.max(1, length / apart);
        int exponent = (int) Math.floor(Math.log10(roughStep));
        BigDecimal step = BigDecimal.ONE.scaleByPowerOfTen(exponent + 1);
        for (int factor : new int[] {1, 2, 5}) {
            BigDecimal candidate = BigDecimal.valueOf(factor).scaleByPowerOfTen(exponent);
            if (candidate.doubleValue() >= roughStep * (1 - 1e-9)) {
                step = candidate;
                break;
            }
        }
        List<Tick> ticks = new ArrayList<>();
        long first = (long) Math.ceil(from / step.doubleValue() - 1e-9);
        long last = (long) Math.floor(to / step.doubleValue() + 1e-9);
        for (long i = first; i <= last; i++) {
            BigDecimal value = step.multiply(BigDecimal.valueOf(i));
            ticks.add(new Tick(value.doubleValue(), text(value)));
        }
        return ticks;
    }

    private List<Tick> logarithmicTicks(double length, double apart) {
        double perDecade = length / Math.log10(to / from);
        int every = Math.max(1, (int) Math.ceil(apart / perDecade));
        int[] factors = perDecade >= PAIRS_OF_TICKS_FROM && lastDecade() - firstDecade() <= 1
                ? new int[] {1, 2, 5}
                : new int[] {1};
        List<Tick> ticks = new ArrayList<>();
        for (int decade = firstDecade() - 1; decade <= lastDecade(); decade++) {
            for (int factor : factors) {
                BigDecimal exact = BigDecimal.valueOf(factor).scaleByPowerOfTen(decade);
                double value = exact.doubleValue();
                if (value >= from * (1 - 1e-9) && value <= to * (1 + 1e-9)) {
                    ticks.add(new Tick(value, Math.floorMod(decade, every) == 0 ? text(exact) : ""));
                }
            }
        }
        return ticks;
    }

    private List<Tick> categoryTicks() {
        List<Tick> ticks = new ArrayList<>();
        for (int i = 0; i < categories.size(); i++) {
            ticks.add(new Tick(i + 0.5, categories.get(i)));
        }
        return ticks;
    }

    private int firstDecade() {
        return (int) Math.ceil(Math.log10(from) - 1e-9);
    }

    private int lastDecade() {
        return (int) Math.floor(Math.log10(to) + 1e-9);
    }

    /** Thousands apart from 10 000 on, with a true minus; below 0.0001 with an exponent. */
    private static String text(BigDecimal value) {
        if (value.signum() != 0 && value.abs().compareTo(LEAST_PLAIN) < 0) {
            BigDecimal exact = value.stripTrailingZeros();
            int exponent = exact.precision() - exact.scale() - 1;
            return text(exact.scaleByPowerOfTen(-exponent)) + "e−" + -exponent;
        }
        String plain = value.abs().stripTrailingZeros().toPlainString();
        int point = plain.indexOf('.');
        String whole = point < 0 ? plain : plain.substring(0, point);
        String fraction = point < 0 ? "" : plain.substring(point);
        StringBuilder grouped = new StringBuilder(whole);
        if (whole.length() > 4) {
            for (int at = whole.length() - 3; at > 0; at -= 3) {
                grouped.insert(at, '\u00a0');
            }
        }
        return (value.signum() < 0 ? "−" : "") + grouped + fraction;
    }
}
