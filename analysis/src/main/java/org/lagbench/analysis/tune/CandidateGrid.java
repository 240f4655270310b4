package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.lagbench.analysis.tune.TuneResult.CandidateVerdict;
import org.lagbench.core.model.Tuning.Knob;

/**
 * The candidates: first a coarse geometric grid over the ranges with every value of the lists; then, where that may
 * improve the result, the geometric middles between neighbors.
 */
public record CandidateGrid(List<Knob> knobs) {
    /** If the ratio of two neighboring values of a setting is at most this, no value between them is tried. */
    private static final double CLOSE_ENOUGH = 2;

    private static final double COARSE_STEP = 10;
    private static final double COARSE_STEP_OF_ONE = 4;
    private static final long KIB = 1L << 10;
    private static final long NS_PER_MS = 1_000_000;

    /** Returns all combinations of the knobs' coarse values. */
    List<TuneCandidate> coarse() {
        double step = knobs.stream().filter(Knob::isRange).count() > 1 ? COARSE_STEP : COARSE_STEP_OF_ONE;
        List<TuneCandidate> combinations = List.of(TuneCandidate.DEFAULT);
        for (Knob knob : knobs) {
            combinations = combinations.stream()
                    .flatMap(shorter -> coarse(knob, step).stream().map(value -> shorter.with(knob.name(), value)))
                    .toList();
        }
        return combinations;
    }

    /**
     * Returns the order of tied candidates, the winner first: ascending by the sum of the sizes that are knobs; then by
     * each size, in the order of the knobs; then by the order of list values. The candidate of the system default,
     * whose sizes are unknown, is last.
     */
    Comparator<TuneCandidate> smallerFirst() {
        Comparator<TuneCandidate> order =
                Comparator.comparing(TuneCandidate::isDefault).thenComparingDouble(this::sum);
        for (Knob knob : knobs) {
            order = order.thenComparingLong(candidate -> place(candidate, knob));
        }
        return order;
    }

    /** Returns the candidates halfway between a candidate and each neighbor, unless they cannot improve the result. */
    List<TuneCandidate> around(TuneCandidate winner, Map<TuneCandidate, CandidateVerdict> verdicts) {
        List<TuneCandidate> middles = new ArrayList<>();
        for (Knob knob : knobs) {
            if (knob.isRange() && !winner.isDefault()) {
                NavigableMap<Long, TuneCandidate> line = line(winner, knob, verdicts.keySet());
                long at = value(winner, knob);
                Map.Entry<Long, TuneCandidate> below = line.lowerEntry(at);
                if (below != null && verdicts.get(below.getValue()) != CandidateVerdict.TIED) {
                    middle(winner, knob, below.getKey(), at).ifPresent(middles::add);
                }
                Map.Entry<Long, TuneCandidate> above = line.higherEntry(at);
                if (above != null && verdicts.get(above.getValue()) == CandidateVerdict.WORSE) {
                    middle(winner, knob, at, above.getKey()).ifPresent(middles::add);
                }
            }
        }
        return middles;
    }

    /** Returns the values that a knob has in some candidates, in order. */
    public static List<String> values(Knob knob, Collection<TuneCandidate> candidates) {
        return !knob.isRange()
                ? knob.values()
                : candidates.stream()
                        .filter(candidate -> !candidate.isDefault())
                        .map(candidate -> value(candidate, knob))
                        .distinct()
                        .sorted()
                        .map(knob::text)
                        .toList();
    }

    /**
     * Returns the values of a numeric knob in ascending order: those of a list, or of a range with steps of this ratio.
     */
    static List<String> values(Knob knob, double step) {
        return knob.isRange()
                ? coarse(knob, step)
                : knob.values().stream()
                        .sorted(Comparator.comparingLong(knob::number))
                        .toList();
    }

    private static List<String> coarse(Knob knob, double step) {
        if (!knob.isRange()) {
            return knob.values();
        }
        double ratio = (double) knob.to() / (double) knob.from();
        int steps = (int) Math.max(ratio > 1 ? 1 : 0, Math.round(Math.log(ratio) / Math.log(step)));
        TreeSet<Long> values = new TreeSet<>(Set.of(knob.to()));
        for (int i = 0; i < steps; i++) {
            values.add(rounded(knob, knob.from() * Math.pow(ratio, (double) i / steps)));
        }
        values.removeIf(value -> value < knob.from());
        values.add(knob.from());
        return values.stream().map(knob::text).toList();
    }

    private static Optional<TuneCandidate> middle(TuneCandidate winner, Knob knob, long low, long high) {
        long middle = rounded(knob, Math.sqrt((double) low * (double) high));
        return (double) high / (double) low <= CLOSE_ENOUGH || middle <= low || middle >= high
                ? Optional.empty()
                : Optional.of(winner.with(knob.name(), knob.text(middle)));
    }

    /** Rounds to whole KiB from 2 KiB on, a length of time to whole ms from 2 ms on. */
    private static long rounded(Knob knob, double value) {
        long unit = knob.isTime() ? NS_PER_MS : KIB;
        return value >= 2.0 * unit ? Math.round(value / unit) * unit : Math.round(value);
    }

    /** Returns the candidates that equal a candidate except for one knob, by the value of that knob. */
    private static NavigableMap<Long, TuneCandidate> line(
            TuneCandidate of, Knob knob, Collection<TuneCandidate> among) {
        NavigableMap<Long, TuneCandidate> line = new TreeMap<>();
        String value = of.knobs().getOrDefault(knob.name(), "");
        among.stream()
                .filter(other -> !other.isDefault())
                .filter(other -> other.with(knob.name(), value).equals(of))
                .forEach(other -> line.put(value(other, knob), other));
        return line;
    }

    private double sum(TuneCandidate candidate) {
        return knobs.stream()
                .filter(Knob::isRange)
                .mapToDouble(knob -> (double) value(candidate, knob))
                .sum();
    }

    private static long place(TuneCandidate candidate, Knob knob) {
        return candidate.isDefault() || knob.isRange()
                ? value(candidate, knob)
                : knob.values().indexOf(candidate.knobs().get(knob.name()));
    }

    /** Returns a candidate's value of a knob with a range; 0 for the system default. */
    private static long value(TuneCandidate candidate, Knob knob) {
        String value = candidate.knobs().get(knob.name());
        return value == null ? 0 : knob.number(value);
    }
}
