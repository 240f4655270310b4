package org.lagbench.core.yaml;

import java.time.Duration;
import java.util.List;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.run.ClockPolicy;

/** Reads and writes {@code clock}: what the experiment requires of the clocks. */
final class ClockReader {
    static final Key<Duration> MAXIMUM_ERROR =
            Key.time("max-error", 1, Duration.ofHours(1).toNanos()).map(Duration::ofNanos);
    static final Key<Endpoint> CHRONY = new Key<>("chrony", Endpoint.ACCEPTED, Endpoint::parse);
    static final List<Key<?>> KEYS = List.of(MAXIMUM_ERROR, CHRONY);

    private ClockReader() {}

    /** Returns the policy, with the defaults for absent and refused values. */
    static ClockPolicy read(YamlNode node, Problems problems) {
        ClockPolicy absent = ClockPolicy.DEFAULT;
        return MappingReader.ofSection(ExperimentKeys.CLOCK, node, KEYS, problems)
                .map(keys -> new ClockPolicy(
                        keys.get(MAXIMUM_ERROR, absent.maximumError()), keys.get(CHRONY, absent.chrony())))
                .orElse(absent);
    }

    /** Returns a policy as a user would write it. */
    static String yaml(ClockPolicy clock) {
        return Key.mapping(List.of(
                MAXIMUM_ERROR.yaml(Intervals.format(clock.maximumError().toNanos())),
                CHRONY.yaml(ExperimentWriter.scalar(clock.chrony().toString()))));
    }
}
