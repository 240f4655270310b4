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
import org.lagbench.core.time.Intervals;

/** Reads {@code pace}: a mapping of mode, interval and burst, or the word flood, or a list of these. */
final class PaceReader {
    private static final Pace DEFAULT = new Pace(Pace.Mode.HYBRID, 125_000);

    private static final String PACE = ExperimentKey.PACE.text();
    private static final String MODE = "mode";
    private static final String INTERVAL = "interval";
    private static final String BURST = "burst";
    static final String MODE_KEY = PACE + "." + MODE;
    static final String INTERVAL_KEY = PACE + "." + INTERVAL;
    static final String BURST_KEY = PACE + "." + BURST;
    private static final String MODES =
            Arrays.stream(Pace.Mode.values()).map(Pace.Mode::text).collect(Collectors.joining(" or "));
    private static final String INTERVALS = Intervals.accepted(Pace.MINIMUM_INTERVAL_NS, Pace.MAXIMUM_INTERVAL_NS);

    private static final String BURSTS = "a whole number from 1 to " + Pace.MAXIMUM_BURST;

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
        keys.put(BURST_KEY, BURSTS);
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
            values.refuseUnknown(mapping, PACE + ".", List.of(MODE, INTERVAL, BURST));
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
        Entry interval = mapping.entries().get(INTERVAL);
        Entry burst = mapping.entries().get(BURST);
        if (mode == Pace.Mode.FLOOD) {
            if (interval != null) {
                refuseInFlood(INTERVAL_KEY + ": a flood has no interval", interval);
            }
            if (burst != null) {
                refuseInFlood(BURST_KEY + ": a flood has no bursts", burst);
            }
            return interval == null && burst == null
                    ? Optional.of(new Placed<>(mapping.place(), Pace.flood()))
                    : Optional.empty();
        }
        Optional<Long> intervalNs = interval == null
                ? Optional.of(DEFAULT.intervalNs())
                : values.one(INTERVAL_KEY, interval.value(), INTERVALS, PaceReader::intervalNs);
        Optional<Integer> packets = burst == null
                ? Optional.of(DEFAULT.burst())
                : values.one(BURST_KEY, burst.value(), BURSTS, text ->
                        (int) ValueReader.number(text, 1, Pace.MAXIMUM_BURST));
        YamlNode place = interval == null ? mapping : interval.value();
        return intervalNs.flatMap(ns -> packets.map(count -> new Placed<>(place.place(), new Pace(mode, ns, count))));
    }

    private void refuseInFlood(String what, Entry entry) {
        problems.add(entry.value().place(), what + "; leave it out, or write pace: flood.");
    }

    private static long intervalNs(String text) {
        long intervalNs = Intervals.parseNs(text);
        if (intervalNs < Pace.MINIMUM_INTERVAL_NS || intervalNs > Pace.MAXIMUM_INTERVAL_NS) {
            throw new IllegalArgumentException(text + " is out of range");
        }
        return intervalNs;
    }
}
