package org.lagbench.core.experiment;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.engine.Engines;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.experiment.YamlNode.Sequence;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.time.Intervals;
import org.lagbench.core.transport.Transport;
import org.lagbench.core.transport.Transports;

/** Reads and writes {@code monitor}: what {@code lagbench monitor} probes, and when. */
final class MonitorReader {
    private static final String NONE = "none";
    private static final String PAPER = "paper";
    private static final String POINTS = "points";
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
    private static final Key<String> PROBES = Key.of(
            "probes",
            PAPER + ", " + POINTS + ", or a list, each of its elements with name, keep and the keys of a point");
    private static final List<Key<?>> KEYS = List.of(EVERY, FOR, JITTER, TARGETS, PROBES);
    static final String ACCEPTED = NONE + ", or " + String.join(", ", Key.names(KEYS));

    private static final Key<Boolean> KEEP = new Key<>("keep", "true or false", text -> switch (text) {
        case "true" -> true;
        case "false" -> false;
        default -> throw new IllegalArgumentException(text);
    });

    /**
     * The probes of Krintz and Wolski, JavaNws (2001), section 2.1, and a burst for lag and loss: a round trip of 2
     * bytes without and with Nagle's algorithm, and the transfer of a message of 64 KiB in chunks of 16 KiB with
     * buffers of 32 KiB.
     */
    private static final String PAPER_PROBES =
            """
            - {name: round-trip, transports: tcp, traffic: round-trip, packet-bytes: 2, packets: 1,
               warm-up-packets: 10, pace: flood, observe: nothing, drain: 0s, stall-timeout: 5s, tcp: {no-delay: true}}
            - {name: round-trip-nagle, transports: tcp, traffic: round-trip, packet-bytes: 2, packets: 1,
               warm-up-packets: 10, pace: flood, observe: nothing, drain: 0s, stall-timeout: 5s, tcp: {no-delay: false}}
            - {name: transfer, transports: tcp, traffic: transfer, transfer-bytes: 64KiB, packet-bytes: 16384,
               transfers: 1, warm-up-packets: 4, observe: nothing, drain: 0s, stall-timeout: 5s,
               tcp: {send-buffer: 32KiB, receive-buffer: 32KiB}}
            - {name: burst, transports: udp, traffic: one-way, packet-bytes: 992, packets: 20, warm-up-packets: 20,
               pace: {mode: sleep, interval: 1ms}, observe: nothing, drain: 200ms,
               stall-timeout: 5s}
            """;

    private final Transports transports;
    private final Engines engines;
    private final Path file;
    private final MappingReader root;
    private final Problems problems;

    /** @param root the experiment's keys */
    MonitorReader(Transports transports, Engines engines, Path file, MappingReader root, Problems problems) {
        this.transports = transports;
        this.engines = engines;
        this.file = file;
        this.root = root;
        this.problems = problems;
    }

    /** Returns the experiment's keys that a probe may have, besides the sections of transports and engines. */
    private static List<Key<?>> pointKeys() {
        return List.of(
                ExperimentKeys.NAME,
                ExperimentKeys.PACKETS,
                ExperimentKeys.WARM_UP_PACKETS,
                ExperimentKeys.TRANSPORTS,
                ExperimentKeys.PACKET_BYTES,
                ExperimentKeys.TRAFFIC,
                ExperimentKeys.IN_FLIGHT,
                ExperimentKeys.ANSWER_TIMEOUT,
                ExperimentKeys.TRANSFER_BYTES,
                ExperimentKeys.TRANSFERS,
                ExperimentKeys.CONNECTION,
                ExperimentKeys.PACE,
                ExperimentKeys.ENGINE,
                ExperimentKeys.OBSERVE,
                ExperimentKeys.DRAIN,
                ExperimentKeys.STALL_TIMEOUT);
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
        YamlNode probes = keys.node(PROBES);
        long everyNs = keys.get(EVERY, Monitoring.DEFAULT_EVERY_NS);
        long jitterNs = keys.get(JITTER, 0L);
        List<ProbeSpec> specs = probes(probes, keys.path(PROBES));
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

    private List<ProbeSpec> probes(@Nullable YamlNode node, String path) throws LagbenchException {
        YamlNode listed = node;
        if (node == null || (node instanceof Scalar scalar && PAPER.equals(scalar.text()))) {
            listed = YamlReader.read(PAPER_PROBES, SourceLocation.commandLine(), path + ": ", problems);
        } else if (node instanceof Scalar scalar && POINTS.equals(scalar.text())) {
            return List.of();
        }
        if (!(listed instanceof Sequence list) || list.elements().isEmpty()) {
            problems.refuse(path, node == null ? new Scalar(root.place(), null) : node, PROBES.accepted());
            return List.of();
        }
        if (list.elements().size() > Monitoring.MAXIMUM_LIST) {
            problems.add(list.place(), path + ": a monitor has at most " + Monitoring.MAXIMUM_LIST + " probes.");
            return List.of();
        }
        List<ProbeSpec> specs = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (YamlNode element : list.elements()) {
            ProbeSpec spec = probe(element, path);
            if (spec != null && !names.add(spec.name())) {
                problems.add(element.place(), path + ": there are two probes called " + spec.name() + ".");
            } else if (spec != null) {
                specs.add(spec);
            }
        }
        return specs;
    }

    private @Nullable ProbeSpec probe(YamlNode element, String path) throws LagbenchException {
        if (!(element instanceof Mapping mapping)) {
            problems.refuse(path, element, PROBES.accepted());
            return null;
        }
        MappingReader keys = new MappingReader(mapping, path + ".", problems);
        List<String> known = new ArrayList<>(Key.names(pointKeys()));
        known.add(KEEP.name());
        known.addAll(sections());
        keys.refuseUnknown(known);
        if (!keys.has(ExperimentKeys.NAME)) {
            problems.add(
                    mapping.place(), path + ": a probe without name; it takes " + ExperimentKeys.NAME.accepted() + ".");
            return null;
        }
        Map<String, Entry> entries = new LinkedHashMap<>();
        // what a probe takes from the experiment unless it has its own
        List<String> inherited = new ArrayList<>(List.of(ExperimentKeys.ENGINE.name()));
        engines.all().stream().map(Engine::name).forEach(inherited::add);
        for (String name : inherited) {
            Entry entry = root.entry(Key.of(name, ""));
            if (entry != null) {
                entries.put(name, entry);
            }
        }
        entries.putAll(mapping.entries());
        entries.keySet().retainAll(known);
        entries.remove(KEEP.name());
        Experiment points = new ExperimentBuilder(
                        transports, engines, file, new Mapping(mapping.place(), entries), problems)
                .read();
        return new ProbeSpec(points.name(), keys.get(KEEP, false), points);
    }

    private List<String> sections() {
        List<String> names = new ArrayList<>();
        transports.all().stream().map(Transport::name).forEach(names::add);
        engines.all().stream().map(Engine::name).forEach(names::add);
        return names;
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
                + (monitoring.probes().isEmpty()
                        ? PROBES.yaml(POINTS)
                        : PROBES.name() + ":"
                                + monitoring.probes().stream()
                                        .map(MonitorReader::yaml)
                                        .collect(Collectors.joining()));
    }

    /** Returns a probe as an element of a list: the lines of its experiment that a probe has. */
    private static String yaml(ProbeSpec probe) {
        Set<String> absent = new HashSet<>(Key.names(ExperimentKeys.ALL));
        absent.removeAll(Key.names(pointKeys()));
        StringBuilder text = new StringBuilder("\n    - ").append(KEEP.yaml(probe.isKept()));
        boolean isShown = true;
        for (String line : probe.points().toYaml().lines().toList()) {
            if (!line.startsWith(" ")) {
                isShown = !absent.contains(line.substring(0, line.indexOf(':')));
            }
            if (isShown) {
                text.append("\n      ").append(line);
            }
        }
        return text.toString();
    }
}
