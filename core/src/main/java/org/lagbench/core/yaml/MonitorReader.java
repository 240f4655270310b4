package org.lagbench.core.yaml;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.model.Section;
import org.lagbench.core.model.Transports;
import org.lagbench.core.yaml.YamlNode.Scalar;

/** Reads and writes {@code monitor}: what {@code lagbench monitor} probes, and when. */
final class MonitorReader {
    private static final String UNLIMITED = "unlimited";
    private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(10_000);
    private static final Pattern LONG_TIME = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,9})?)\\s*(min|h|d)");
    private static final Map<String, Long> LONG_UNITS_NS =
            Map.of("min", TimeUnit.MINUTES.toNanos(1), "h", TimeUnit.HOURS.toNanos(1), "d", TimeUnit.DAYS.toNanos(1));

    private static final Parameter<Long> EVERY = time("every", TimeUnit.SECONDS.toNanos(1), TimeUnit.HOURS.toNanos(24))
            .byDefault(Monitoring.DEFAULT_EVERY_NS);
    private static final Parameter<Long> FOR = time("for", TimeUnit.SECONDS.toNanos(1), LONGEST_NS)
            .or(UNLIMITED)
            .map(
                    time -> time.orElse(Monitoring.UNLIMITED),
                    ns -> ns == Monitoring.UNLIMITED ? Optional.empty() : Optional.of(ns))
            .byDefault(Monitoring.DEFAULT_FOR_NS);
    private static final Parameter<Long> JITTER =
            time("jitter", 0, TimeUnit.HOURS.toNanos(24)).byDefault(0L);
    private static final Parameter<List<Endpoint>> TARGETS = Parameter.of(
                    "targets", Endpoint.ACCEPTED, Endpoint::parse, Endpoint::toString)
            .list()
            .byDefault(List.of());
    private static final Parameter<String> PROBES = ProbeReader.PROBES;
    private static final Section<Monitoring> SECTION =
            Section.of(Monitoring.class, EVERY, FOR, JITTER, TARGETS, PROBES);
    static final String ACCEPTED = Parameter.NONE + ", or " + String.join(", ", SECTION.names());

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
        if (node instanceof Scalar scalar && Parameter.NONE.equals(scalar.text())) {
            return null;
        }
        MappingReader keys = MappingReader.ofSection(ExperimentKeys.MONITOR, node, SECTION.names(), problems)
                .orElse(null);
        if (keys == null) {
            return null;
        }
        List<ProbeSpec> specs = probeReader.read(keys.node(PROBES), keys.path(PROBES));
        Monitoring monitoring =
                keys.record(SECTION, null, Map.of(PROBES, specs)).orElse(null);
        if (monitoring == null) {
            return null;
        }
        long turnNs = monitoring.everyNs() / Math.max(1, specs.size());
        if (monitoring.jitterNs() >= turnNs) {
            keys.add(
                    JITTER,
                    Intervals.format(monitoring.jitterNs())
                            + " is not accepted; it must be shorter than the turn of a probe, "
                            + Intervals.format(turnNs) + ".");
        }
        if (monitoring.targets().size() > Monitoring.MAXIMUM_LIST) {
            keys.add(TARGETS, "a monitor has at most " + Monitoring.MAXIMUM_LIST + " targets.");
        }
        return monitoring;
    }

    private static Parameter<Long> time(String name, long minimumNs, long maximumNs) {
        return Parameter.of(
                name,
                "a length of time from " + Intervals.format(minimumNs) + " to " + Intervals.format(maximumNs)
                        + " (a number with its unit ms, s, min, h or d)",
                text -> Quantities.within(parseNs(text), minimumNs, maximumNs),
                Intervals::format);
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
    static String format(@Nullable Monitoring monitoring) {
        return monitoring == null
                ? Parameter.NONE
                : "\n  " + EVERY.yaml(monitoring.everyNs())
                        + "\n  " + FOR.yaml(monitoring.forNs())
                        + "\n  " + JITTER.yaml(monitoring.jitterNs())
                        + "\n  " + TARGETS + ": " + YamlWriter.value(TARGETS, monitoring.targets())
                        + "\n  " + ProbeReader.format(monitoring.probes());
    }
}
