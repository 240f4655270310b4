package org.lagbench.core.yaml;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.run.Pace;
import org.lagbench.core.yaml.ValueReader.Placed;
import org.lagbench.core.yaml.YamlNode.Scalar;

/** Reads and writes {@code pace}: a mapping of mode, interval and burst, or the word flood, or a list of these. */
final class PaceReader {
    static final Key<Pace.Mode> MODE = Key.word("mode", Pace.Mode.class);
    static final Key<Long> INTERVAL = Key.time("interval", Pace.MINIMUM_INTERVAL_NS, Pace.MAXIMUM_INTERVAL_NS);
    static final Key<Integer> BURST = Key.integer("burst", 1, Pace.MAXIMUM_BURST);
    static final List<Key<?>> KEYS = List.of(MODE, INTERVAL, BURST);
    static final Pace DEFAULT = new Pace(Pace.Mode.HYBRID, 125_000);

    private final Problems problems;

    PaceReader(Problems problems) {
        this.problems = problems;
    }

    /** Returns the paces, without refused ones. */
    List<Placed<Pace>> read(YamlNode node) {
        List<Placed<Pace>> paces = new ArrayList<>();
        Set<Pace> different = new HashSet<>();
        Key<?> key = ExperimentKeys.PACE;
        for (YamlNode element : new ValueReader(problems).elements(key.name(), node, key.accepted())) {
            pace(element).ifPresent(pace -> {
                if (different.add(pace.value())) {
                    paces.add(pace);
                } else {
                    problems.add(element.place(), key.name() + ": this pace is in the list twice.");
                }
            });
        }
        return paces;
    }

    private Optional<Placed<Pace>> pace(YamlNode node) {
        return node instanceof Scalar scalar && Pace.Mode.FLOOD.text().equals(scalar.text())
                ? Optional.of(new Placed<>(node.place(), Pace.flood()))
                : MappingReader.ofSection(ExperimentKeys.PACE, node, KEYS, problems)
                        .flatMap(PaceReader::fromMapping);
    }

    private static Optional<Placed<Pace>> fromMapping(MappingReader keys) {
        Optional<Pace.Mode> mode = keys.find(MODE, DEFAULT.mode());
        if (mode.isPresent() && mode.get() == Pace.Mode.FLOOD) {
            boolean hasInterval = refuseInFlood(keys, INTERVAL, "interval");
            boolean hasBurst = refuseInFlood(keys, BURST, "bursts");
            return hasInterval || hasBurst ? Optional.empty() : Optional.of(new Placed<>(keys.place(), Pace.flood()));
        }
        Optional<Long> intervalNs = keys.find(INTERVAL, DEFAULT.intervalNs());
        Optional<Integer> burst = keys.find(BURST, DEFAULT.burst());
        return mode.isPresent() && intervalNs.isPresent() && burst.isPresent()
                ? Optional.of(new Placed<>(keys.place(INTERVAL), new Pace(mode.get(), intervalNs.get(), burst.get())))
                : Optional.empty();
    }

    private static boolean refuseInFlood(MappingReader keys, Key<?> key, String what) {
        if (keys.has(key)) {
            keys.add(key, "a flood has no " + what + "; leave it out, or write pace: flood.");
            return true;
        }
        return false;
    }

    /** Returns a pace as a user would write it. */
    static String yaml(Pace pace) {
        String mode = MODE.yaml(pace.mode().text());
        return pace.mode() == Pace.Mode.FLOOD
                ? Key.mapping(List.of(mode))
                : Key.mapping(
                        List.of(mode, INTERVAL.yaml(Intervals.format(pace.intervalNs())), BURST.yaml(pace.burst())));
    }
}
