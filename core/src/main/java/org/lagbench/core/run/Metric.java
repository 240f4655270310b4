package org.lagbench.core.run;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ObjDoubleConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.MetricDescription.Mark;
import org.lagbench.core.text.Units;

/**
 * A number of a run: what it is, how repeats combine, and where its value comes from. It is declared next to the values
 * that it reads and nowhere else; all uses refer to it. Immutable. Two metrics are equal if their ids are.
 *
 * @param <G> the group of values that it reads, which are computed together, such as the statistics of a series
 */
public final class Metric<G> {
    /** What kind of quantity a metric is. */
    public enum Type {
        /** A duration. */
        TIME,
        /** Something per second. */
        RATE,
        /** A part of a whole, both in packets, bytes, ns or another unit. */
        SHARE,
        /** A number of packets, segments, runs or others. */
        COUNT,
        /** A number of bytes. */
        SIZE,
        /** Another number, with its unit. */
        NUMBER
    }

    /** Reads a number from values; null or NaN if there is none. */
    @FunctionalInterface
    public interface Getter<G> {
        @Nullable
        Number of(G values);
    }

    /** Where metrics are found: declared in {@code META-INF/services}, as engines are. */
    public interface Source {
        /** Returns metrics in the order of tables. */
        List<Metric<?>> metrics();

        /** Returns what they mean, in the order of tables. */
        List<MetricMeaning> meanings();
    }

    /** The unit of shares. */
    public static final String PERCENT = "%";

    private static final String MBIT_PER_S = "Mbit/s";
    private static final String MICROSECONDS = "µs";
    private static final String ANY = "*";

    /** Reads a number of values by the id of the metric, which has the name of an entry if it is of a family. */
    private interface Reader<G> {
        @Nullable
        Number of(G values, String id);
    }

    private final String id;
    private final String declaredId;
    private final MetricDescription description;
    private final Reader<G> value;
    private final Reader<G> whole;
    private final Function<G, Collection<String>> ids;

    private Metric(
            String id,
            String declaredId,
            MetricDescription description,
            Reader<G> value,
            Reader<G> whole,
            Function<G, Collection<String>> ids) {
        this.id = id;
        this.declaredId = declaredId;
        this.description = description;
        this.value = value;
        this.whole = whole;
        this.ids = ids;
    }

    private static <G> Metric<G> declared(String id, MetricDescription description, Getter<G> value, Getter<G> whole) {
        return new Metric<>(
                id,
                id,
                description,
                (values, name) -> value.of(values),
                (values, name) -> whole.of(values),
                values -> List.of(id));
    }

    private static <G> Metric<G> declared(
            String id,
            String title,
            String statistic,
            Type type,
            String unit,
            double divisor,
            Combination combination,
            Getter<G> value) {
        boolean isSmaller = type != Type.RATE;
        return declared(
                id,
                new MetricDescription(title, statistic, type, unit, 1, divisor, isSmaller, combination, Set.of()),
                value,
                values -> null);
    }

    /**
     * Declares a duration.
     *
     * @param id its name in files: "lag.median"
     * @param title the measured quantity, for tables: "Transmit lag"
     * @param statistic which statistic of it: "Median"
     * @param ns reads it in ns
     */
    public static <G> Metric<G> time(String id, String title, String statistic, Combination combination, Getter<G> ns) {
        return declared(id, title, statistic, Type.TIME, MICROSECONDS, Units.NS_PER_US, combination, ns);
    }

    /** Declares a rate of data, of which the repeats are independent; higher is better. */
    public static <G> Metric<G> rate(
            String id, String title, String statistic, Combination combination, Getter<G> bitsPerS) {
        return declared(id, title, statistic, Type.RATE, MBIT_PER_S, Units.BITS_PER_MBIT, combination, bitsPerS);
    }

    /** Declares a rate of data that is known in Mbit/s, of which the median of the runs is shown. */
    public static <G> Metric<G> rateInMbit(String id, String title, String statistic, Getter<G> mbitPerS) {
        return declared(id, title, statistic, Type.RATE, MBIT_PER_S, 1, Combination.MEDIAN, mbitPerS);
    }

    /** Declares a rate of packets, likewise. */
    public static <G> Metric<G> packetRate(String id, String title, String statistic, Getter<G> packetsPerS) {
        return declared(id, title, statistic, Type.RATE, "packets/s", 1, Combination.MEDIAN, packetsPerS);
    }

    /** Declares a number of things. */
    public static <G> Metric<G> count(
            String id, String title, String statistic, String unit, Combination combination, Getter<G> number) {
        return declared(id, title, statistic, Type.COUNT, unit, 1, combination, number);
    }

    /** Declares a number of packets, of which repeats have the sum. */
    public static <G> Metric<G> packets(String id, String title, String statistic, Getter<G> number) {
        return count(id, title, statistic, "packets", Combination.SUM, number);
    }

    /** Declares a number of bytes. */
    public static <G> Metric<G> size(
            String id, String title, String statistic, Combination combination, Getter<G> bytes) {
        return declared(id, title, statistic, Type.SIZE, "bytes", 1, combination, bytes);
    }

    /** Declares another number, which its getter reads in its unit. */
    public static <G> Metric<G> number(
            String id, String title, String statistic, String unit, Combination combination, Getter<G> number) {
        return declared(id, title, statistic, Type.NUMBER, unit, 1, combination, number);
    }

    /** Declares a part of a whole of which the repeats do not add up, from 0 to 1. */
    public static <G> Metric<G> fraction(
            String id, String title, String statistic, Combination combination, Getter<G> fraction) {
        MetricDescription description = new MetricDescription(
                title, statistic, Type.NUMBER, PERCENT, Units.PERCENT, 1, true, combination, Set.of());
        return declared(id, description, fraction, values -> null);
    }

    /** Declares a part of a whole, both as amounts in the same unit. It is unknown if the whole is 0. */
    public static <G> Metric<G> share(String id, String title, String statistic, Getter<G> part, Getter<G> whole) {
        return quotient(id, title, statistic, values -> orNaN(part.of(values)) / orNaN(whole.of(values)), whole);
    }

    /** Declares a part of a whole by its share, from 0 to 1, and the whole. */
    public static <G> Metric<G> quotient(String id, String title, String statistic, Getter<G> share, Getter<G> whole) {
        MetricDescription description = new MetricDescription(
                title, statistic, Type.SHARE, PERCENT, Units.PERCENT, 1, true, Combination.POOLED, Set.of());
        return declared(id, description, share, whole);
    }

    /** Declares a mean by the number of the values that it is of. */
    public static <G> Metric<G> mean(
            String id, String title, String statistic, String unit, Getter<G> mean, Getter<G> number) {
        MetricDescription description =
                new MetricDescription(title, statistic, Type.NUMBER, unit, 1, 1, true, Combination.POOLED, Set.of());
        return declared(id, description, mean, number);
    }

    private static double orNaN(@Nullable Number number) {
        return number == null ? Double.NaN : number.doubleValue();
    }

    /**
     * Declares the same metric of values that are a part of others.
     *
     * @param part returns the values; null if they are unknown
     */
    public <H> Metric<H> within(Function<H, @Nullable G> part) {
        return new Metric<>(
                id,
                declaredId,
                description,
                (values, name) -> {
                    G inner = part.apply(values);
                    return inner == null ? null : value.of(inner, name);
                },
                (values, name) -> {
                    G inner = part.apply(values);
                    return inner == null ? null : whole.of(inner, name);
                },
                values -> {
                    G inner = part.apply(values);
                    return inner == null ? List.of() : ids.apply(inner);
                });
    }

    /** Declares the same metric of other values, which are computed in another way. */
    public <H> Metric<H> of(Getter<H> other) {
        return declared(id, description, other, values -> null);
    }

    /** Declares the same metrics of values that are a part of others. */
    public static <G, H> List<Metric<H>> within(Function<H, @Nullable G> part, List<Metric<G>> metrics) {
        return metrics.stream().map(metric -> metric.within(part)).toList();
    }

    /**
     * Declares a family: this metric of each entry of values that have any number of them.
     *
     * @param pattern the beginning of the ids, with "*" for each name: "causes.lag.byCause.*."
     * @param entries returns the entries by the beginnings of their ids, in order
     */
    public <H> Metric<H> inFamily(String pattern, Function<H, Map<String, G>> entries) {
        String end = id;
        return new Metric<>(
                pattern + end,
                pattern + end,
                description,
                (values, name) -> entry(entries, values, name, end, value),
                (values, name) -> entry(entries, values, name, end, whole),
                values -> entries.apply(values).keySet().stream()
                        .map(beginning -> beginning + end)
                        .toList());
    }

    /** Declares a family of packet counts: that of each entry of a map, whose key follows the beginning of the ids. */
    public static <G> Metric<G> packetsByName(
            String beginning, String title, String statistic, Function<G, Map<String, Long>> counts) {
        return Metric.<Long>packets("", title, statistic, count -> count)
                .inFamily(beginning + ANY, values -> entries(beginning, counts.apply(values), name -> name, ""));
    }

    /** Returns the entries of a map by the beginnings of the ids of their metrics, in order. */
    public static <K, V> Map<String, V> entries(
            String beginning, Map<K, V> map, Function<? super K, String> name, String end) {
        Map<String, V> entries = new LinkedHashMap<>();
        map.forEach((key, value) -> entries.put(beginning + name.apply(key) + end, value));
        return entries;
    }

    private static <G, H> @Nullable Number entry(
            Function<H, Map<String, G>> entries, H values, String name, String end, Reader<G> reader) {
        G entry = entries.apply(values).get(name.substring(0, name.length() - end.length()));
        return entry == null ? null : reader.of(entry, end);
    }

    /** Declares that larger values are better. */
    public Metric<G> higherIsBetter() {
        return described(description.withHigherBetter());
    }

    /** Declares that it stands for its quantity where one statistic is shown. */
    public Metric<G> main() {
        return described(description.with(Mark.MAIN));
    }

    /** Declares that it is part of comparisons, as the main ones are. */
    public Metric<G> compared() {
        return described(description.with(Mark.COMPARED));
    }

    /** Declares that the values depend on the difference of two clocks. */
    public Metric<G> byTwoClocks() {
        return described(description.with(Mark.CLOCK));
    }

    /** Declares a duration that cannot be negative, except by the difference of two clocks. */
    public Metric<G> notNegative() {
        return described(description.with(Mark.NOT_NEGATIVE));
    }

    /** Declares that a run without it has none: 0. */
    public Metric<G> zeroIfAbsent() {
        return described(description.with(Mark.ZERO));
    }

    private Metric<G> described(MetricDescription changed) {
        return new Metric<>(id, declaredId, changed, value, whole, ids);
    }

    /** Returns the id; "*" is any name, of a family of metrics. */
    public String id() {
        return id;
    }

    /** Returns the id as declared: that of the family, if it is of one. */
    public String declaredId() {
        return declaredId;
    }

    /** Returns the measured quantity, for tables: "Transmit lag". */
    public String title() {
        return description.title();
    }

    /** Returns which statistic of the quantity it is: "Median". */
    public String statistic() {
        return description.statistic();
    }

    public Type type() {
        return description.type();
    }

    /** Returns the unit of the values: "µs". */
    public String unit() {
        return description.unit();
    }

    public boolean smallerIsBetter() {
        return description.smallerIsBetter();
    }

    public Combination combination() {
        return description.combination();
    }

    /** Returns whether it stands for its quantity where only one statistic is shown. */
    public boolean isMain() {
        return description.marks().contains(Mark.MAIN);
    }

    /** Returns whether points are compared by it. */
    public boolean isCompared() {
        return isMain() || description.marks().contains(Mark.COMPARED);
    }

    /** Returns whether a run without it has none, which is 0. */
    public boolean isZeroIfAbsent() {
        return description.marks().contains(Mark.ZERO);
    }

    /** Returns whether it is a duration that cannot be negative, except by the difference of two clocks. */
    public boolean isNotNegative() {
        return description.marks().contains(Mark.NOT_NEGATIVE);
    }

    /** Returns whether the values depend on the difference of two clocks. */
    public boolean needsCommonClock() {
        return description.marks().contains(Mark.CLOCK);
    }

    /** Returns a number that a getter reads, in the unit of the metric. */
    public double scaled(double number) {
        return number * description.factor() / description.divisor();
    }

    /** Returns the value in its unit; NaN if there is none. */
    public double value(G values) {
        return scaled(orNaN(value.of(values, id)));
    }

    /** Returns the whole that a pooled metric is of, in its own unit; NaN if it is unknown or not pooled. */
    public double whole(G values) {
        return orNaN(whole.of(values, id));
    }

    /** Visits each metric of a family that has a value, or this one if it has; the values are in its unit. */
    public void forEach(G values, ObjDoubleConsumer<Metric<G>> visitor) {
        for (String name : ids.apply(values)) {
            Metric<G> metric = name.equals(id) ? this : named(name);
            double number = metric.value(values);
            if (!Double.isNaN(number)) {
                visitor.accept(metric, number);
            }
        }
    }

    /** Returns this with an id, if it is this one or one of the family; empty otherwise. */
    Optional<Metric<G>> like(String name) {
        int any = declaredId.indexOf(ANY);
        boolean isLike = any < 0
                ? declaredId.equals(name)
                : name.startsWith(declaredId.substring(0, any))
                        && name.matches(Pattern.quote(declaredId).replace(ANY, "\\E.+?\\Q"));
        return isLike ? Optional.of(named(name)) : Optional.empty();
    }

    /** Returns the metric of a cause as a whole, if this is that of one of its programs, whose name follows a colon. */
    public Metric<G> ofAllPrograms() {
        int program = id.indexOf(':');
        return program < 0
                ? this
                : named(id.substring(0, program) + declaredId.substring(declaredId.lastIndexOf(ANY) + 1));
    }

    private Metric<G> named(String name) {
        return new Metric<>(name, declaredId, description, value, whole, ids);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Metric<?> metric && metric.id.equals(id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return id;
    }
}
