package org.lagbench.core.experiment;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.time.Intervals;

/** Reads {@code clock}: a mapping of what is demanded of the clocks. */
final class ClockReader {
    private static final String CLOCK = ExperimentKey.CLOCK.text();
    static final String MAXIMUM_ERROR = "max-error";
    static final String CHRONY = "chrony";
    static final String CHRONY_KEY = CLOCK + "." + CHRONY;
    private static final long LEAST_ERROR_NS = 1;
    private static final long GREATEST_ERROR_NS = 3_600_000_000_000L;
    private static final String ERRORS = Intervals.accepted(LEAST_ERROR_NS, GREATEST_ERROR_NS);

    /** The keys and what each takes. */
    static final Map<String, String> KEYS = keys();

    private final ValueReader values;
    private final Problems problems;

    ClockReader(Problems problems) {
        this.values = new ValueReader(problems);
        this.problems = problems;
    }

    private static Map<String, String> keys() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put(CLOCK + "." + MAXIMUM_ERROR, ERRORS);
        keys.put(CHRONY_KEY, Endpoint.ACCEPTED);
        return keys;
    }

    /** The policy, with the defaults for what is absent or refused. */
    ClockPolicy read(YamlNode node) {
        if (!(node instanceof Mapping mapping)) {
            problems.refuse(CLOCK, node, ExperimentKey.CLOCK.accepted());
            return ClockPolicy.DEFAULT;
        }
        values.refuseUnknown(mapping, CLOCK + ".", List.of(MAXIMUM_ERROR, CHRONY));
        return new ClockPolicy(
                value(mapping, MAXIMUM_ERROR, ERRORS, ClockReader::error, ClockPolicy.DEFAULT.maximumError()),
                value(mapping, CHRONY, Endpoint.ACCEPTED, Endpoint::parse, ClockPolicy.DEFAULT.chrony()));
    }

    private <T> T value(Mapping mapping, String key, String accepted, Function<String, T> parser, T absent) {
        Entry entry = mapping.entries().get(key);
        return entry == null
                ? absent
                : values.one(CLOCK + "." + key, entry.value(), accepted, parser).orElse(absent);
    }

    private static Duration error(String text) {
        long errorNs = Intervals.parseNs(text);
        if (errorNs < LEAST_ERROR_NS || errorNs > GREATEST_ERROR_NS) {
            throw new IllegalArgumentException(text + " is out of range");
        }
        return Duration.ofNanos(errorNs);
    }
}
