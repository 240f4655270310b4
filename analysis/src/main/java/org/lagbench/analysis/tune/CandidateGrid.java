package org.lagbench.analysis.tune;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.lagbench.core.tune.Knob;

/**
 * The candidates: first a coarse geometric grid over the ranges, every value of the lists; then, where it pays, the
 * geometric middle between two neighbours.
 */
public final class CandidateGrid {
    /** Neighbours that are no further apart than that are close enough. */
    static final double CLOSE_ENOUGH = 2;

    private static final double COARSE_STEP = 10;
    private static final double COARSE_STEP_OF_ONE = 4;
    private static final long KIB = 1L << 10;

    private final List<Knob> knobs;

    CandidateGrid(List<Knob> knobs) {
        this.knobs = List.copyOf(knobs);
    }

    /** All combinations of each knob's coarse values. */
    List<TuneCandidate> coarse() {
        double step = knobs.stream().filter(Knob::isRange).count() > 1 ? COARSE_STEP : COARSE_STEP_OF_ONE;
        List<Map<String, String>> combinations = List.of(Map.of());
        for (Knob knob : knobs) {
            List<Map<String, String>> longer = new ArrayList<>();
            for (Map<String, String> combination : combinations) {
                for (String value : coarse(knob, step)) {
                    Map<String, String> with = new LinkedHashMap<>(combination);
                    with.put(knob.name(), value);
                    longer.add(with);
                }
            }
            combinations = longer;
        }
        return combinations.stream().map(TuneCandidate::new).toList();
    }

    /**
     * Which of two candidates wins a tie: the one with fewer bytes in its ranges; then that with the lesser range in
     * the order of the knobs; then that whose list values come first. Today's default, of which the kernel may make
     * anything, is last.
     */
    Comparator<TuneCandidate> smallerFirst() {
        Comparator<TuneCandidate> order = Comparator.comparing(TuneCandidate::isDefault).thenComparingDouble(this::sum);
        for (Knob knob : knobs) {
            order = order.thenComparingLong(candidate -> place(candidate, knob));
        }
        return order;
    }

    /** The middles between a candidate and each of its neighbours that are worth a look. */
    List<TuneCandidate> around(TuneCandidate winner, Map<TuneCandidate, CandidateVerdict> verdicts) {
        List<TuneCandidate> middles = new ArrayList<>();
        for (Knob knob : knobs) {
            if (knob.isRange() && !winner.isDefault()) {
                long at = value(winner, knob);
                lower(winner, knob, verdicts.keySet())
                        .filter(below -> verdicts.get(below) != CandidateVerdict.TIED)
                        .flatMap(below -> middle(winner, knob, value(below, knob), at))
                        .ifPresent(middles::add);
                higher(winner, knob, verdicts.keySet())
                        .filter(above -> verdicts.get(above) == CandidateVerdict.WORSE)
                        .flatMap(above -> middle(winner, knob, at, value(above, knob)))
                        .ifPresent(middles::add);
            }
        }
        return middles;
    }

    /** The values that a knob has in some candidates, in order. */
    public static List<String> values(Knob knob, Collection<TuneCandidate> candidates) {
        if (!knob.isRange()) {
            return knob.values();
        }
        TreeSet<Long> values = new TreeSet<>();
        candidates.stream()
                .filter(candidate -> !candidate.isDefault())
                .forEach(candidate -> values.add(value(candidate, knob)));
        return values.stream().map(String::valueOf).toList();
    }

    private static List<String> coarse(Knob knob, double step) {
        if (!knob.isRange()) {
            return knob.values();
        }
        double ratio = (double) knob.to() / (double) knob.from();
        int steps = (int) Math.max(ratio > 1 ? 1 : 0, Math.round(Math.log(ratio) / Math.log(step)));
        TreeSet<Long> values = new TreeSet<>();
        values.add(knob.to());
        for (int i = 0; i < steps; i++) {
            values.add(rounded(knob.from() * Math.pow(ratio, (double) i / steps)));
        }
        values.removeIf(value -> value < knob.from());
        values.add(knob.from());
        return values.stream().map(String::valueOf).toList();
    }

    private static Optional<TuneCandidate> middle(TuneCandidate winner, Knob knob, long low, long high) {
        if ((double) high / (double) low <= CLOSE_ENOUGH) {
            return Optional.empty();
        }
        long middle = rounded(Math.sqrt((double) low * (double) high));
        return middle <= low || middle >= high
                ? Optional.empty()
                : Optional.of(winner.with(knob.name(), Long.toString(middle)));
    }

    /** To whole KiB where that is little of it. */
    private static long rounded(double value) {
        return value >= 2.0 * KIB ? Math.round(value / KIB) * KIB : Math.round(value);
    }

    private static Optional<TuneCandidate> lower(TuneCandidate of, Knob knob, Collection<TuneCandidate> among) {
        return onLine(of, knob, among).stream()
                .filter(other -> value(other, knob) < value(of, knob))
                .max(Comparator.comparingLong(other -> value(other, knob)));
    }

    private static Optional<TuneCandidate> higher(TuneCandidate of, Knob knob, Collection<TuneCandidate> among) {
        return onLine(of, knob, among).stream()
                .filter(other -> value(other, knob) > value(of, knob))
                .min(Comparator.comparingLong(other -> value(other, knob)));
    }

    /** Those that differ in this knob alone. */
    private static List<TuneCandidate> onLine(TuneCandidate of, Knob knob, Collection<TuneCandidate> among) {
        return among.stream()
                .filter(other -> !other.isDefault())
                .filter(other -> other.with(knob.name(), of.knobs().getOrDefault(knob.name(), ""))
                        .equals(of))
                .toList();
    }

    private double sum(TuneCandidate candidate) {
        return knobs.stream()
                .filter(Knob::isRange)
                .mapToDouble(knob -> candidate.isDefault() ? 0 : (double) value(candidate, knob))
                .sum();
    }

    private static long place(TuneCandidate candidate, Knob knob) {
        if (candidate.isDefault()) {
            return 0;
        }
        return knob.isRange()
                ? value(candidate, knob)
                : knob.values().indexOf(candidate.knobs().get(knob.name()));
    }

    private static long value(TuneCandidate candidate, Knob knob) {
        return Long.parseLong(candidate.knobs().getOrDefault(knob.name(), "0"));
    }
}
