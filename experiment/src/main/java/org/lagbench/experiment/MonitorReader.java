package org.lagbench.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Section;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.experiment.Monitoring.ProbeSpec;
import org.lagbench.experiment.YamlNode.Entry;
import org.lagbench.experiment.YamlNode.Mapping;
import org.lagbench.experiment.YamlNode.Scalar;
import org.lagbench.experiment.YamlNode.Sequence;

/**
 * Reads and writes {@code monitor}: what {@code lagbench monitor} probes, and when.
 *
 * @param root the experiment's keys
 */
record MonitorReader(ExperimentReader reader, Path file, MappingReader root) {
    private static final String PAPER = "paper";
    static final String POINTS = "points";

    static final Parameter<List<ProbeSpec>> PROBES = Parameter.yaml(
            "probes",
            PAPER + ", " + POINTS + ", or a list, each of its elements with name, keep and the keys of a point",
            MonitorReader::format);

    private static final Parameter<Boolean> KEEP = Parameter.flag("keep", false);

    /**
     * The probes of Krintz and Wolski, JavaNws (2001), section 2.1, and a burst for lag and loss: a round trip of 2
     * bytes without and with Nagle's algorithm, and the transfer of a message of 64 KiB in chunks of 16 KiB with
     * buffers of 32 KiB.
     */
    private static final String PAPER_PROBES =
            """
            - {name: round-trip, transports: tcp, traffic: round-trip, packet-bytes: 2, packets: 1,
               warm-up-packets: 10, pace: flood, observe: none, drain: 0s, stall-timeout: 5s, tcp: {no-delay: true}}
            - {name: round-trip-nagle, transports: tcp, traffic: round-trip, packet-bytes: 2, packets: 1,
               warm-up-packets: 10, pace: flood, observe: none, drain: 0s, stall-timeout: 5s, tcp: {no-delay: false}}
            - {name: transfer, transports: tcp, traffic: transfer, transfer-bytes: 64KiB, packet-bytes: 16384,
               transfers: 1, warm-up-packets: 4, observe: none, drain: 0s, stall-timeout: 5s,
               tcp: {send-buffer: 32KiB, receive-buffer: 32KiB}}
            - {name: burst, transports: udp, traffic: one-way, packet-bytes: 992, packets: 20, warm-up-packets: 20,
               pace: {mode: sleep, interval: 1ms}, observe: none, drain: 200ms,
               stall-timeout: 5s}
            """;

    private static final String UNLIMITED = "unlimited";
    /** The maximum number of characters of a metric, after the name of a run and a dot. */
    private static final int LONGEST_METRIC = SeriesIndex.MAX_NAME - RunParameters.MAX_NAME - 1;

    private static final long LONGEST_NS = TimeUnit.DAYS.toNanos(10_000);
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
    private static final Parameter<List<String>> METRICS =
            Parameter.text("metrics", "the id of a metric (lag.q99)").list().byDefault(List.of());
    private static final Parameter<List<Endpoint>> TARGETS =
            Parameter.endpoint("targets").list().byDefault(List.of());
    static final Section<Monitoring> SECTION = Section.of(
                    Monitoring.class, EVERY, FOR, JITTER, METRICS, TARGETS, PROBES)
            .checked(MonitorReader::check);

    /** Reads the value of {@code monitor}; nothing for none, and for a value that was refused. */
    Optional<Monitoring> read() throws LagbenchException {
        MappingReader keys =
                root.sectionUnlessNone(ExperimentKeys.MONITOR, SECTION.names()).orElse(null);
        if (keys == null) {
            return Optional.empty();
        }
        List<ProbeSpec> probes = probes(keys);
        return keys.record(SECTION, null, Map.of(PROBES, probes));
    }

    private static void check(Monitoring monitoring, Section.Keys keys) {
        // a round has for each receiver a turn for each probe, and one for the load of its host
        long turns = Math.max(1L, monitoring.targets().size())
                * (Math.max(1, monitoring.probes().size()) + 1);
        long turnNs = monitoring.everyNs() / turns;
        if (monitoring.jitterNs() >= turnNs) {
            keys.add(
                    JITTER,
                    Durations.format(monitoring.jitterNs())
                            + " is not accepted; it must be shorter than the turn of a probe, "
                            + Durations.format(turnNs) + ".");
        }
        for (String metric : monitoring.metrics()) {
            if (metric.length() > LONGEST_METRIC) {
                keys.add(
                        METRICS,
                        metric + " has " + metric.length() + " characters, and the name of a series has room for "
                                + LONGEST_METRIC + " of its metric. Leave it out.");
                continue;
            }
            try {
                MetricRegistry.named(metric);
            } catch (LagbenchException e) {
                keys.add(METRICS, e.sentence());
            }
        }
        for (ProbeSpec probe : monitoring.probes()) {
            checkNames(probe, monitoring.targets(), keys);
        }
        if (monitoring.targets().size() > Monitoring.MAXIMUM_LIST) {
            keys.add(TARGETS, "a monitor has at most " + Monitoring.MAXIMUM_LIST + " targets.");
        }
    }

    private static void checkNames(ProbeSpec probe, List<Endpoint> targets, Section.Keys keys) {
        List<String> prefixes = targets.isEmpty()
                ? List.of("")
                : targets.stream()
                        .map(target -> Monitoring.prefix(target, targets.size()))
                        .toList();
        for (String prefix : prefixes) {
            try {
                probe.runs(prefix);
            } catch (IllegalArgumentException e) {
                keys.add(PROBES, Monitoring.tooLong(probe));
                return;
            } catch (LagbenchException e) {
                keys.add(PROBES, e.sentence());
                return;
            }
        }
    }

    private static Parameter<Long> time(String name, long minimumNs, long maximumNs) {
        return Parameter.time(name, minimumNs, maximumNs)
                .accepting("a length of time from " + Durations.format(minimumNs) + " to " + Durations.format(maximumNs)
                        + " (a number with its unit ms, s, min, h or d)");
    }

    /** Reads the probes; an empty list if the experiment's points are the probes, or the value is invalid. */
    private List<ProbeSpec> probes(MappingReader keys) throws LagbenchException {
        YamlNode node = keys.node(PROBES);
        String path = keys.path(PROBES);
        YamlNode listed = node;
        if (node == null || keys.isWord(PROBES, PAPER)) {
            listed = YamlReader.read(PAPER_PROBES, YamlNode.SourceLocation.commandLine(), path + ": ", keys.problems());
        } else if (keys.isWord(PROBES, POINTS)) {
            return List.of();
        }
        if (!(listed instanceof Sequence list) || list.elements().isEmpty()) {
            keys.problems().refuse(path, node == null ? new Scalar(root.place(), null) : node, PROBES.accepted());
            return List.of();
        }
        if (list.elements().size() > Monitoring.MAXIMUM_LIST) {
            keys.add(PROBES, "a monitor has at most " + Monitoring.MAXIMUM_LIST + " probes.");
            return List.of();
        }
        List<ProbeSpec> specs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (YamlNode element : list.elements()) {
            ProbeSpec spec = probe(keys, element);
            if (spec != null && !names.add(spec.name())) {
                keys.problems().add(element.place(), path + ": there are two probes called " + spec.name() + ".");
            } else if (spec != null) {
                specs.add(spec);
            }
        }
        return specs;
    }

    private @Nullable ProbeSpec probe(MappingReader monitor, YamlNode element) throws LagbenchException {
        List<String> known = new ArrayList<>(ExperimentKeys.names(ExperimentKeys.OF_PROBE));
        known.add(KEEP.name());
        known.addAll(reader.transports().names());
        known.addAll(reader.engines().names());
        MappingReader keys = monitor.section(PROBES, element, known).orElse(null);
        if (keys == null || keys.require(RunParameters.NAME).isEmpty()) {
            return null;
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        // what a probe takes from the experiment unless it has its own
        List<String> inherited = new ArrayList<>(reader.engines().names());
        inherited.add(ExperimentKeys.ENGINE.name());
        for (String name : inherited) {
            Entry entry = root.entry(Parameter.text(name, ""));
            if (entry != null) {
                entries.put(name, entry);
            }
        }
        entries.putAll(keys.mapping().entries());
        entries.keySet().retainAll(known);
        entries.remove(KEEP.name());
        Mapping points = new Mapping(element.place(), entries);
        Experiment experiment = new ExperimentBuilder(reader, file, points, keys.problems()).read();
        return new ProbeSpec(experiment.name(), keys.get(KEEP), experiment);
    }

    /** Returns the probes as a user would write them. */
    private static String format(List<ProbeSpec> probes) {
        return probes.isEmpty()
                ? POINTS
                : probes.stream().map(MonitorReader::format).collect(Collectors.joining());
    }

    /** Returns a probe as an element of a YAML list: the lines of its experiment with keys that a probe may have. */
    private static String format(ProbeSpec probe) {
        return probe.points()
                .toYaml(ExperimentKeys.OF_PROBE)
                .lines()
                .map(line -> "\n    " + line)
                .collect(Collectors.joining("", "\n  - " + KEEP.yaml(probe.isKept()), ""));
    }
}
