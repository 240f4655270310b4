package org.lagbench.core.yaml;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.model.Section;
import org.lagbench.core.model.Transports;

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
    static final Section<Monitoring> SECTION =
            Section.of(Monitoring.class, EVERY, FOR, JITTER, TARGETS, ProbeReader.PROBES);

    private final ProbeReader probeReader;
    private final MappingReader root;
    private final Problems problems;

    /** @param root the experiment's keys */
    MonitorReader(Transports transports, Engines engines, Path file, MappingReader root, Problems problems) {
        this.probeReader = new ProbeReader(transports, engines, file, root, problems);
        this.root = root;
        this.problems = problems;
    }

    /** Reads the value of {@code monitor}; nothing for none, and for a value that was refused. */
    Optional<Monitoring> read() throws LagbenchException {
        Parameter<?> key = ExperimentKeys.MONITOR;
        YamlNode node = root.node(key);
        if (node == null || root.isWord(key, Parameter.NONE)) {
            return Optional.empty();
        }
        MappingReader keys =
                MappingReader.ofSection(key, node, SECTION.names(), problems).orElse(null);
        if (keys == null) {
            return Optional.empty();
        }
        List<ProbeSpec> probes = probeReader.read(keys.node(ProbeReader.PROBES), keys.path(ProbeReader.PROBES));
        Optional<Monitoring> monitoring = keys.record(SECTION, null, Map.of(ProbeReader.PROBES, probes));
        monitoring.ifPresent(values -> check(values, keys));
        return monitoring;
    }

    private static void check(Monitoring monitoring, Section.Keys keys) {
        long turnNs = monitoring.everyNs() / Math.max(1, monitoring.probes().size());
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
}
