package org.lagbench.core.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.experiment.YamlNode.Sequence;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.CompetingFlow;
import org.lagbench.core.lab.LinkDirection;
import org.lagbench.core.lab.Network;
import org.lagbench.core.lab.Queue;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.time.Intervals;

/** Reads a network: none, the name of a ready-made one, a file with a description, or the description itself. */
final class LabReader {
    static final String NONE = "none";
    static final String ACCEPTED = "none, a network (" + String.join(", ", BuiltInNetworks.NAMES)
            + "), the path of a file with one (….yaml), or a description as in configs/networks/reference.yaml";

    private static final String NAME = "name";
    private static final String LIKE = "like";
    private static final String TOPOLOGY = "topology";
    private static final String FRAMING = "framing";
    private static final String MEANS = "means";
    private static final String SEED = "seed";
    private static final String EDGE_RATE = "edge-rate";
    private static final String RATE = "rate";
    private static final String PACKET_TIME = "packet-time";
    private static final String QUEUE = "queue";
    private static final String DELAY = "delay";
    private static final String JITTER = "jitter";
    private static final String LOSS = "loss";
    private static final String DUPLICATION = "duplication";
    private static final String REORDERING = "reordering";
    private static final String THERE = "there";
    private static final String BACK = "back";
    private static final String FLOWS = "flows";
    private static final String PACKET_BYTES = "packet-bytes";
    private static final String START = "start";
    private static final String STOP = "stop";
    private static final String DIRECTION = "direction";

    private static final List<String> DIRECTION_KEYS =
            List.of(RATE, PACKET_TIME, QUEUE, DELAY, JITTER, LOSS, DUPLICATION, REORDERING);
    private static final List<String> FLOW_KEYS = List.of(RATE, PACKET_BYTES, START, STOP, DIRECTION);
    private static final String DELAYS = Intervals.accepted(0, Network.MAXIMUM_DELAY_NS);
    private static final String PACKET_TIMES = Intervals.accepted(0, LinkDirection.MAXIMUM_PACKET_NS);
    private static final String FLOW_TIMES = Intervals.accepted(0, CompetingFlow.MAXIMUM_NS);
    private static final String TOPOLOGIES = texts(Network.Topology.values(), Network.Topology::text);
    private static final String FRAMINGS = texts(Network.Framing.values(), Network.Framing::text);
    private static final String ALL_MEANS = texts(Network.ImpairmentBackend.values(), Network.ImpairmentBackend::text);
    private static final String WAYS = texts(CompetingFlow.Way.values(), CompetingFlow.Way::text);
    private static final String NAMES = "up to 100 letters, digits, dots, hyphens and underscores";
    private static final String SEEDS = "a whole number from 0 to " + Long.MAX_VALUE;
    private static final String FLOW_BYTES =
            "a whole number from " + CompetingFlow.MINIMUM_PACKET_BYTES + " to " + CompetingFlow.MAXIMUM_PACKET_BYTES;

    /** The keys of a description and what each takes. */
    static final Map<String, String> KEYS = keys();

    private static final String DEFAULT_NAME = "own";
    private static final LinkDirection DEFAULT_DIRECTION =
            new LinkDirection(0, 0, new Queue(Queue.Unit.PACKETS, 1_000), 0, 0, 0, 0, 0);
    private static final Network DEFAULT = new Network(
            DEFAULT_NAME,
            Network.Topology.CABLE,
            Network.Framing.ETHERNET,
            Network.ImpairmentBackend.AUTO,
            1,
            DEFAULT_DIRECTION,
            DEFAULT_DIRECTION,
            null,
            List.of());

    private final Problems problems;
    private final ValueReader values;

    /** What stands before a key in messages: "lab." in an experiment, nothing in a network's own file. */
    private final String prefix;

    LabReader(Problems problems, String prefix) {
        this.problems = problems;
        this.values = new ValueReader(problems);
        this.prefix = prefix;
    }

    private static Map<String, String> keys() {
        Map<String, String> keys = new LinkedHashMap<>();
        keys.put(NAME, NAMES);
        keys.put(LIKE, like());
        keys.put(TOPOLOGY, TOPOLOGIES);
        keys.put(FRAMING, FRAMINGS);
        keys.put(MEANS, ALL_MEANS);
        keys.put(SEED, SEEDS);
        keys.put(RATE, NetworkText.RATES);
        keys.put(PACKET_TIME, PACKET_TIMES);
        keys.put(QUEUE, NetworkText.QUEUES);
        keys.put(DELAY, DELAYS);
        keys.put(JITTER, DELAYS);
        keys.put(LOSS, NetworkText.SHARES);
        keys.put(DUPLICATION, NetworkText.SHARES);
        keys.put(REORDERING, NetworkText.SHARES);
        keys.put(THERE, "any of " + String.join(", ", DIRECTION_KEYS));
        keys.put(BACK, "any of " + String.join(", ", DIRECTION_KEYS));
        keys.put(EDGE_RATE, NetworkText.RATES);
        keys.put(FLOWS, "a list of flows");
        keys.put(FLOWS + "." + RATE, NetworkText.FLOW_RATES);
        keys.put(FLOWS + "." + PACKET_BYTES, FLOW_BYTES);
        keys.put(FLOWS + "." + START, FLOW_TIMES);
        keys.put(FLOWS + "." + STOP, FLOW_TIMES);
        keys.put(FLOWS + "." + DIRECTION, WAYS);
        return keys;
    }

    private static String like() {
        return "the name of a network (" + String.join(", ", BuiltInNetworks.NAMES) + ")";
    }

    /**
     * Reads the value of {@code lab}.
     *
     * @param directory where the path of a file begins
     * @return null for none, and for what was refused
     */
    @Nullable
    Network read(YamlNode node, Path directory) throws LagbenchException {
        if (node instanceof Mapping mapping) {
            return description(mapping, DEFAULT_NAME);
        }
        if (!(node instanceof Scalar scalar) || scalar.text() == null) {
            problems.refuse(ExperimentKey.LAB.text(), node, ACCEPTED);
            return null;
        }
        String text = scalar.text();
        if (text.equals(NONE)) {
            return null;
        }
        if (BuiltInNetworks.NAMES.contains(text)) {
            return ready(text);
        }
        if (text.endsWith(".yaml") || text.endsWith(".yml")) {
            return NetworkReader.read(directory.resolve(text));
        }
        problems.add(
                node.place(),
                ExperimentKey.LAB.text() + ": there is no network " + scalar.found() + "; "
                        + NearestName.hint(text, BuiltInNetworks.NAMES)
                        + " It may also be none, or the path of a file, ….yaml.");
        return null;
    }

    /** One of the networks that come with lagbench. */
    static Network ready(String name) throws LagbenchException {
        return NetworkReader.parse(BuiltInNetworks.yaml(name), name, name);
    }

    /** Reads a description; what is absent or refused has its default. */
    Network description(Mapping mapping, String defaultName) throws LagbenchException {
        List<String> known =
                new ArrayList<>(List.of(NAME, LIKE, TOPOLOGY, FRAMING, MEANS, SEED, EDGE_RATE, THERE, BACK, FLOWS));
        known.addAll(DIRECTION_KEYS);
        values.refuseUnknown(mapping, prefix, known);
        String like = one(mapping, LIKE, like(), LabReader::readyName, "");
        Network base = like.isEmpty() ? DEFAULT : ready(like);
        Network.Topology topology = one(
                mapping,
                TOPOLOGY,
                TOPOLOGIES,
                named(Network.Topology.values(), Network.Topology::text),
                base.topology());
        return new Network(
                one(mapping, NAME, NAMES, LabReader::name, like.isEmpty() ? defaultName : like + "-altered"),
                topology,
                one(mapping, FRAMING, FRAMINGS, named(Network.Framing.values(), Network.Framing::text), base.framing()),
                one(
                        mapping,
                        MEANS,
                        ALL_MEANS,
                        named(Network.ImpairmentBackend.values(), Network.ImpairmentBackend::text),
                        base.means()),
                one(mapping, SEED, SEEDS, text -> ValueReader.number(text, 0, Long.MAX_VALUE), base.seed()),
                direction(mapping, THERE, base.there()),
                direction(mapping, BACK, base.back()),
                edgeRate(mapping, topology, base),
                flows(mapping, base.flows()));
    }

    private @Nullable Long edgeRate(Mapping mapping, Network.Topology topology, Network base) {
        Entry entry = mapping.entries().get(EDGE_RATE);
        if (topology == Network.Topology.CABLE) {
            if (entry != null) {
                problems.add(
                        entry.keyPlace(),
                        prefix + EDGE_RATE + ": a cable has no edges; leave it out, or take topology: dumbbell.");
            }
            return null;
        }
        Long absent = base.edgeRateBitsPerS();
        return one(mapping, EDGE_RATE, NetworkText.RATES, NetworkText::rateOrUnlimited, absent == null ? 0L : absent);
    }

    /** A direction: what its own section says, else what the description says for both, else what the base has. */
    private LinkDirection direction(Mapping mapping, String section, LinkDirection base) {
        // What is wrong for both directions is told with the first.
        LabReader reader = section.equals(THERE) ? this : new LabReader(new Problems(), prefix);
        LinkDirection both = reader.direction(mapping, base, prefix);
        Entry entry = mapping.entries().get(section);
        if (entry == null) {
            return both;
        }
        if (entry.value() instanceof Mapping own) {
            values.refuseUnknown(own, prefix + section + ".", DIRECTION_KEYS);
            return direction(own, both, prefix + section + ".");
        }
        problems.refuse(prefix + section, entry.value(), "any of " + String.join(", ", DIRECTION_KEYS));
        return both;
    }

    private LinkDirection direction(Mapping mapping, LinkDirection absent, String section) {
        DirectionKeys keys = new DirectionKeys(mapping, section);
        LinkDirection direction = new LinkDirection(
                keys.one(RATE, NetworkText.RATES, NetworkText::rateOrUnlimited, absent.rateBitsPerS()),
                keys.one(PACKET_TIME, PACKET_TIMES, NetworkText::packetNs, absent.packetNs()),
                keys.one(QUEUE, NetworkText.QUEUES, NetworkText::queue, absent.queue()),
                keys.one(DELAY, DELAYS, NetworkText::delayNs, absent.delayNs()),
                keys.one(JITTER, DELAYS, NetworkText::delayNs, absent.jitterNs()),
                keys.one(LOSS, NetworkText.SHARES, NetworkText::share, absent.lossPpm()),
                keys.one(DUPLICATION, NetworkText.SHARES, NetworkText::share, absent.duplicationPpm()),
                keys.one(REORDERING, NetworkText.SHARES, NetworkText::share, absent.reorderingPpm()));
        if (direction.jitterNs() > direction.delayNs()) {
            problems.add(
                    mapping.place(),
                    section + JITTER + ": " + Intervals.format(direction.jitterNs())
                            + " is more than the delay, which would become negative; it may be up to "
                            + Intervals.format(direction.delayNs()) + ".");
        }
        if (direction.leastPacketBytes() > LinkDirection.MAXIMUM_PACKET_BYTES) {
            problems.add(
                    mapping.place(),
                    section + PACKET_TIME + ": the rate carries " + direction.leastPacketBytes() + " bytes in "
                            + Intervals.format(direction.packetNs()) + "; the kernel takes up to "
                            + LinkDirection.MAXIMUM_PACKET_BYTES + ".");
        }
        return direction;
    }

    private List<CompetingFlow> flows(Mapping mapping, List<CompetingFlow> absent) {
        Entry entry = mapping.entries().get(FLOWS);
        if (entry == null) {
            return absent;
        }
        if (!(entry.value() instanceof Sequence sequence)) {
            problems.refuse(prefix + FLOWS, entry.value(), "a list of flows");
            return absent;
        }
        if (sequence.elements().size() > Network.MAXIMUM_FLOWS) {
            problems.add(
                    sequence.place(), prefix + FLOWS + ": there are more than " + Network.MAXIMUM_FLOWS + " flows.");
        }
        List<CompetingFlow> flows = new ArrayList<>();
        for (YamlNode element : sequence.elements()) {
            if (element instanceof Mapping flow) {
                flows.add(flow(flow));
            } else {
                problems.refuse(prefix + FLOWS, element, "flows, each with " + String.join(", ", FLOW_KEYS));
            }
        }
        return flows;
    }

    private CompetingFlow flow(Mapping mapping) {
        String section = prefix + FLOWS + ".";
        values.refuseUnknown(mapping, section, FLOW_KEYS);
        DirectionKeys keys = new DirectionKeys(mapping, section);
        if (!mapping.entries().containsKey(RATE)) {
            problems.add(mapping.place(), section + RATE + ": a flow needs one, such as 6mbit.");
        }
        CompetingFlow flow = new CompetingFlow(
                keys.one(RATE, NetworkText.FLOW_RATES, NetworkText::rate, 1_000_000L),
                keys.one(
                        PACKET_BYTES,
                        FLOW_BYTES,
                        text -> (int) ValueReader.number(
                                text, CompetingFlow.MINIMUM_PACKET_BYTES, CompetingFlow.MAXIMUM_PACKET_BYTES),
                        1_000),
                keys.one(START, FLOW_TIMES, NetworkText::flowTimeNs, 0L),
                keys.one(STOP, FLOW_TIMES, NetworkText::flowTimeNs, CompetingFlow.RUN_END),
                keys.one(
                        DIRECTION,
                        WAYS,
                        named(CompetingFlow.Way.values(), CompetingFlow.Way::text),
                        CompetingFlow.Way.THERE));
        if (flow.stopNs() <= flow.startNs()) {
            problems.add(mapping.place(), section + STOP + ": the flow must stop after it starts.");
        }
        return flow;
    }

    /** The keys of a section of the description. */
    private final class DirectionKeys {
        private final Mapping mapping;
        private final String section;

        DirectionKeys(Mapping mapping, String section) {
            this.mapping = mapping;
            this.section = section;
        }

        <T> T one(String key, String accepted, Function<String, T> parser, T absent) {
            Entry entry = mapping.entries().get(key);
            return entry == null
                    ? absent
                    : values.one(section + key, entry.value(), accepted, parser).orElse(absent);
        }
    }

    private <T> T one(Mapping mapping, String key, String accepted, Function<String, T> parser, T absent) {
        return new DirectionKeys(mapping, prefix).one(key, accepted, parser, absent);
    }

    private static String readyName(String text) {
        if (!BuiltInNetworks.NAMES.contains(text)) {
            throw new IllegalArgumentException("there is no network " + text);
        }
        return text;
    }

    private static String name(String text) {
        if (!RunSpec.NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(text + " is not a name");
        }
        return text;
    }

    private static <T> String texts(T[] all, Function<T, String> text) {
        return Arrays.stream(all).map(text).collect(Collectors.joining(" or "));
    }

    private static <T> Function<String, T> named(T[] all, Function<T, String> text) {
        return name -> Arrays.stream(all)
                .filter(value -> text.apply(value).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no " + name));
    }
}
