package org.lagbench.core.yaml;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.yaml.YamlNode.Scalar;
import org.lagbench.core.yaml.YamlNode.Sequence;

/** Reads and writes {@code monitor}: what {@code lagbench monitor} probes, and when. */
final class MonitorReader {
    private static final String NONE = "none";
    private static final String UNLIMITED = "unlimited";
    private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(10_000);
    private static final Pattern LONG_TIME = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,9})?)\\s*(min|h|d)");
    private static final Map<String, Long> LONG_UNITS_NS =
            Map.of("min", TimeUnit.MINUTES.toNanos(1), "h", TimeUnit.HOURS.toNanos(1), "d", TimeUnit.DAYS.toNanos(1));

    private static final Key<Long> EVERY = time("every", TimeUnit.SECONDS.toNanos(1), TimeUnit.HOURS.toNanos(24));
    private static final Key<Long> FOR = time("for", TimeUnit.SECONDS.toNanos(1), LONGEST_NS)
            .or(UNLIMITED)
            .map(time -> time.orElse(Monitoring.UNLIMITED));
    private static final Key<Long> JITTER = time("jitter", 0, TimeUnit.HOURS.toNanos(24));
    private static final Key<Endpoint> TARGETS =
            new Key<>("targets", Endpoint.ACCEPTED + ", or a list of these", Endpoint::parse);
    private static final Key<String> PROBES = ProbeReader.PROBES;
    private static final List<Key<?>> KEYS = List.of(EVERY, FOR, JITTER, TARGETS, PROBES);
    static final String ACCEPTED = NONE + ", or " + String.join(", ", Key.names(KEYS));

    private final ProbeReader probeReader;
    private final Problems problems;

    /** @param root the experiment's keys */
    MonitorReader(Transports transports, Engines engines, Path file, MappingReader root, Problems problems) {
        this.probeReader = new ProbeReader(transports, engines, file, root, problems);
        this.problems = problems;
    }

    /** Reads the value of {@code monitor}; null for none, and for a value that was refused. */
    @Nullable
    Monitoring read(YamlNode node) throws LagbenchException {
        if (node instanceof Scalar scalar && NONE.equals(scalar.text())) {
            return null;
        }
        MappingReader keys = MappingReader.ofSection(ExperimentKeys.MONITOR, node, KEYS, problems)
                .orElse(null);
        if (keys == null) {
            return null;
        }
        long everyNs = keys.get(EVERY, Monitoring.DEFAULT_EVERY_NS);
        long jitterNs = keys.get(JITTER, 0L);
        List<ProbeSpec> specs = probeReader.read(keys.node(PROBES), keys.path(PROBES));
        int groups = Math.max(1, specs.size());
        if (jitterNs >= everyNs / groups) {
            keys.add(
                    JITTER,
                    Intervals.format(jitterNs) + " is not accepted; it must be shorter than the turn of a probe, "
                            + Intervals.format(everyNs / groups) + ".");
        }
        YamlNode targets = keys.node(TARGETS);
        List<Endpoint> endpoints =
                targets == null || isEmptyList(targets) ? List.of() : keys.list(TARGETS, new Endpoint("", 0));
        if (endpoints.size() > Monitoring.MAXIMUM_LIST) {
            keys.add(TARGETS, "a monitor has at most " + Monitoring.MAXIMUM_LIST + " targets.");
        }
        return new Monitoring(everyNs, keys.get(FOR, Monitoring.DEFAULT_FOR_NS), jitterNs, endpoints, specs);
    }

    private static boolean isEmptyList(YamlNode node) {
        return node instanceof Sequence list && list.elements().isEmpty();
    }

    private static Key<Long> time(String name, long minimumNs, long maximumNs) {
        return new Key<>(
                name,
                "a length of time from " + Intervals.format(minimumNs) + " to " + Intervals.format(maximumNs)
                        + " (a number with its unit ms, s, min, h or d)",
                text -> Key.within(parseNs(text), minimumNs, maximumNs));
    }

    private static long parseNs(String text) {
        Matcher matcher = LONG_TIME.matcher(text.strip());
        if (!matcher.matches()) {
            return Intervals.parseNs(text);
        }
        try {
            return new BigDecimal(matcher.group(1))
                    .multiply(BigDecimal.valueOf(LONG_UNITS_NS.getOrDefault(matcher.group(2), 1L)))
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException("\"" + text + "\" is too long or too fine", e);
        }
    }

    /** Returns the value of {@code monitor} as a user would write it. */
    static String yaml(@Nullable Monitoring monitoring) {
        if (monitoring == null) {
            return NONE;
        }
        return "\n  " + EVERY.yaml(Intervals.format(monitoring.everyNs()))
                + "\n  "
                + FOR.yaml(
                        monitoring.forNs() == Monitoring.UNLIMITED ? UNLIMITED : Intervals.format(monitoring.forNs()))
                + "\n  " + JITTER.yaml(Intervals.format(monitoring.jitterNs()))
                + "\n  "
                + TARGETS.yaml(monitoring.targets().stream()
                        .map(target -> ExperimentWriter.scalar(target.toString()))
                        .toList())
                + "\n  "
                + ProbeReader.yaml(monitoring.probes());
    }
}
