package org.lagbench.core.experiment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.core.experiment.ValueReader.Placed;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.run.Pace;

/** Reads {@code pace}: a mapping of mode and interval, or the word flood, or a list of these. */
final class PaceReader {
    private static final Pace DEFAULT = new Pace(Pace.Mode.HYBRID, 125_000);

    private static final String PACE = ExperimentKey.PACE.text();
    private static final String MODE = "mode";
    private static final String INTERVAL = "interval";
    static final String MODE_KEY = PACE + "." + MODE;
    static final String INTERVAL_KEY = PACE + "." + INTERVAL;
    private static final String MODES =
            Arrays.stream(Pace.Mode.values()).map(Pace.Mode::text).collect(Collectors.joining(" or "));
    private static final String INTERVALS = Intervals.accepted(Pace.MINIMUM_INTERVAL_NS, Pace.MAXIMUM_INTERVAL_NS);

    /** The keys and what each takes. */
    static final Map<String, String> KEYS = keys();

    private final ValueReader values;
    private final Problems problems;

    PaceReader(Problems problems) {
        this.values = new ValueReader(problems);
        this.problems = problems;
    }

    private static Map<String, String> keys() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put(MODE_KEY, MODES);
        keys.put(INTERVAL_KEY, INTERVALS);
        return keys;
    }

    /** The paces, without those that were refused. */
    List<Placed<Pace>> read(YamlNode node) {
        List<Placed<Pace>> paces = new ArrayList<>();
        Set<Pace> different = new HashSet<>();
        for (YamlNode element : values.elements(PACE, node, ExperimentKey.PACE.accepted())) {
            pace(element).ifPresent(pace -> {
                if (different.add(pace.value())) {
                    paces.add(pace);
                } else {
                    problems.add(element.place(), PACE + ": this pace is in the list twice.");
                }
            });
        }
        return paces;
    }

    private Optional<Placed<Pace>> pace(YamlNode node) {
        if (node instanceof Mapping mapping) {
            values.refuseUnknown(mapping, PACE + ".", List.of(MODE, INTERVAL));
            return mode(mapping).flatMap(mode -> pace(mode, mapping));
        }
        if (node instanceof Scalar scalar && Pace.Mode.FLOOD.text().equals(scalar.text())) {
            return Optional.of(new Placed<>(node.place(), Pace.flood()));
        }
        problems.refuse(PACE, node, ExperimentKey.PACE.accepted());
        return Optional.empty();
    }

    private Optional<Pace.Mode> mode(Mapping mapping) {
        Entry entry = mapping.entries().get(MODE);
        return entry == null
                ? Optional.of(DEFAULT.mode())
                : values.one(MODE_KEY, entry.value(), MODES, PaceReader::modeNamed);
    }

    private static Pace.Mode modeNamed(String text) {
        return Arrays.stream(Pace.Mode.values())
                .filter(mode -> mode.text().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no mode " + text));
    }

    private Optional<Placed<Pace>> pace(Pace.Mode mode, Mapping mapping) {
        Entry entry = mapping.entries().get(INTERVAL);
        if (mode == Pace.Mode.FLOOD) {
            if (entry != null) {
                problems.add(
                        entry.value().place(),
                        INTERVAL_KEY + ": a flood has no interval; leave it out, or write pace: flood.");
                return Optional.empty();
            }
            return Optional.of(new Placed<>(mapping.place(), Pace.flood()));
        }
        if (entry == null) {
            return Optional.of(new Placed<>(mapping.place(), new Pace(mode, DEFAULT.intervalNs())));
        }
        return values.one(INTERVAL_KEY, entry.value(), INTERVALS, Intervals::parseNs)
                .flatMap(interval -> interval(mode, interval, entry.value()));
    }

    private Optional<Placed<Pace>> interval(Pace.Mode mode, long intervalNs, YamlNode node) {
        if (intervalNs < Pace.MINIMUM_INTERVAL_NS || intervalNs > Pace.MAXIMUM_INTERVAL_NS) {
            problems.refuse(INTERVAL_KEY, node, INTERVALS);
            return Optional.empty();
        }
        return Optional.of(new Placed<>(node.place(), new Pace(mode, intervalNs)));
    }
}
