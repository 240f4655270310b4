package org.lagbench.core.yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.CompetingFlow;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Queue;
import org.lagbench.core.model.SiteLink;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.yaml.YamlNode.Mapping;
import org.lagbench.core.yaml.YamlNode.Scalar;
import org.lagbench.core.yaml.YamlNode.Sequence;

/**
 * Reads and writes a network: none, the name of a built-in one, a file with a description, or the description itself.
 */
final class LabReader {
    static final String NONE = "none";
    private static final String BUILT_IN = "(" + String.join(", ", NetworkReader.names()) + ")";
    static final String ACCEPTED = NONE + ", a network " + BUILT_IN
            + ", the path of a file with one (….yaml), or a description as in configs/networks/reference.yaml";

    private static final Key<String> NAME =
            Key.matching(RunSpec.NAME, "name", "up to 100 letters, digits, dots, hyphens and underscores");
    private static final Key<String> LIKE = Key.matching(
            Pattern.compile(String.join("|", NetworkReader.names())), "like", "the name of a network " + BUILT_IN);
    private static final Key<Network.Topology> TOPOLOGY = Key.word("topology", Network.Topology.class);
    private static final Key<Network.Framing> FRAMING = Key.word("framing", Network.Framing.class);
    private static final Key<Network.ImpairmentBackend> BACKEND = Key.word("backend", Network.ImpairmentBackend.class);
    private static final Key<Long> SEED = Key.number("seed", 0, Long.MAX_VALUE);
    private static final Key<Long> EDGE_RATE = new Key<>("edge-rate", NetworkText.RATES, NetworkText::rateOrUnlimited);

    private static final Key<Integer> INITIAL_WINDOW =
            new Key<>("initial-window", NetworkText.INITIAL_WINDOWS, NetworkText::initialWindow);

    private static final Key<Long> RATE = new Key<>("rate", NetworkText.RATES, NetworkText::rateOrUnlimited);
    private static final Key<Long> PACKET_TIME = Key.time("packet-time", 0, LinkDirection.MAXIMUM_PACKET_NS);
    private static final Key<Queue> QUEUE = new Key<>("queue", NetworkText.QUEUES, NetworkText::queue);
    private static final Key<Long> DELAY = Key.time("delay", 0, Network.MAXIMUM_DELAY_NS);
    private static final Key<Long> JITTER = Key.time("jitter", 0, Network.MAXIMUM_DELAY_NS);
    private static final Key<Integer> LOSS = new Key<>("loss", NetworkText.SHARES, NetworkText::share);
    private static final Key<Integer> DUPLICATION = new Key<>("duplication", NetworkText.SHARES, NetworkText::share);
    private static final Key<Integer> REORDERING = new Key<>("reordering", NetworkText.SHARES, NetworkText::share);
    private static final List<Key<?>> DIRECTION_KEYS =
            List.of(RATE, PACKET_TIME, QUEUE, DELAY, JITTER, LOSS, DUPLICATION, REORDERING);

    private static final Key<String> FORWARD =
            Key.of("forward", "any of " + String.join(", ", Key.names(DIRECTION_KEYS)));
    private static final Key<String> REVERSE = Key.of("reverse", FORWARD.accepted());
    private static final Key<String> FLOWS = Key.of("flows", "a list of flows");

    private static final Key<Long> FLOW_RATE = new Key<>("rate", NetworkText.FLOW_RATES, NetworkText::rate);
    private static final Key<Integer> FLOW_PACKET_BYTES =
            Key.integer("packet-bytes", CompetingFlow.MINIMUM_PACKET_BYTES, CompetingFlow.MAXIMUM_PACKET_BYTES);
    private static final Key<Long> FLOW_START = Key.time("start", 0, CompetingFlow.MAXIMUM_NS);
    private static final Key<Long> FLOW_STOP = Key.time("stop", 0, CompetingFlow.MAXIMUM_NS);
    private static final Key<CompetingFlow.Direction> FLOW_DIRECTION =
            Key.word("direction", CompetingFlow.Direction.class);
    private static final List<Key<?>> FLOW_KEYS =
            List.of(FLOW_RATE, FLOW_PACKET_BYTES, FLOW_START, FLOW_STOP, FLOW_DIRECTION);

    private static final Key<String> SITES = Key.of("sites", "a list of sites");
    private static final Key<String> SITE_NAME = Key.matching(
            Pattern.compile("[a-z0-9][a-z0-9-]{0,19}"), "name", "up to 20 small letters, digits and hyphens");
    private static final Key<SiteLink.Router> SITE_ROUTER = Key.word("router", SiteLink.Router.class);
    private static final List<Key<?>> SITE_KEYS = siteKeys();

    private static final List<Key<?>> KEYS = keys();

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
            Network.AUTO_WINDOW,
            List.of(),
            List.of());

    private final Problems problems;

    /** Precedes each key in messages: "lab." in an experiment, nothing in a network's own file. */
    private final String prefix;

    LabReader(Problems problems, String prefix) {
        this.problems = problems;
        this.prefix = prefix;
    }

    private static List<Key<?>> keys() {
        List<Key<?>> keys = new ArrayList<>(List.of(NAME, LIKE, TOPOLOGY, FRAMING, BACKEND, SEED));
        keys.addAll(DIRECTION_KEYS);
        keys.addAll(List.of(FORWARD, REVERSE, EDGE_RATE, INITIAL_WINDOW, FLOWS, SITES));
        return keys;
    }

    private static List<Key<?>> siteKeys() {
        List<Key<?>> keys = new ArrayList<>(List.of(SITE_NAME, SITE_ROUTER));
        keys.addAll(DIRECTION_KEYS);
        return keys;
    }

    /** Returns the accepted values of every key; the keys of a flow are {@code flows.key}. */
    static Map<String, String> accepted() {
        Map<String, String> accepted = new LinkedHashMap<>(Key.accepted("", KEYS));
        accepted.putAll(Key.accepted(FLOWS.name() + ".", FLOW_KEYS));
        accepted.putAll(Key.accepted(SITES.name() + ".", SITE_KEYS));
        return accepted;
    }

    /**
     * Reads the value of {@code lab}.
     *
     * @param directory where relative paths start
     * @return null for none, and for a value that was refused
     */
    @Nullable
    Network read(YamlNode node, Path directory) throws LagbenchException {
        if (node instanceof Mapping mapping) {
            return description(mapping, DEFAULT_NAME);
        }
        if (!(node instanceof Scalar scalar) || scalar.text() == null) {
            problems.refuse(ExperimentKeys.LAB.name(), node, ACCEPTED);
            return null;
        }
        String text = scalar.text();
        if (text.equals(NONE)) {
            return null;
        }
        Optional<Network> network = NetworkReader.find(text, directory);
        if (network.isEmpty()) {
            problems.add(
                    node.place(),
                    ExperimentKeys.LAB.name() + ": there is no network " + scalar.found() + "; "
                            + NearestName.hint(text, NetworkReader.names())
                            + " It may also be none, or the path of a file, ….yaml.");
        }
        return network.orElse(null);
    }

    /** Reads a description; absent and refused values have their defaults. */
    Network description(Mapping mapping, String defaultName) throws LagbenchException {
        MappingReader keys = new MappingReader(mapping, prefix, problems);
        keys.refuseUnknown(Key.names(KEYS));
        String like = keys.get(LIKE, "");
        Network base = like.isEmpty() ? DEFAULT : NetworkReader.named(like);
        Network.Topology topology = keys.get(TOPOLOGY, base.topology());
        return new Network(
                keys.get(NAME, like.isEmpty() ? defaultName : like + "-altered"),
                topology,
                keys.get(FRAMING, base.framing()),
                keys.get(BACKEND, base.backend()),
                keys.get(SEED, base.seed()),
                direction(keys, FORWARD, base.forward()),
                // Mistakes in the values of both directions were already reported with the first direction.
                direction(new MappingReader(mapping, prefix, new Problems()), REVERSE, base.reverse()),
                edgeRate(keys, topology, base),
                keys.get(INITIAL_WINDOW, base.initialWindow()),
                flows(keys, base.flows()),
                sites(keys, topology, base.sites()));
    }

    private static @Nullable Long edgeRate(MappingReader keys, Network.Topology topology, Network base) {
        if (topology == Network.Topology.CABLE) {
            if (keys.has(EDGE_RATE)) {
                keys.addAtKey(EDGE_RATE, "a cable has no edges; leave it out, or set topology: dumbbell.");
            }
            return null;
        }
        Long absent = base.edgeRateBitsPerS();
        return keys.get(EDGE_RATE, absent == null ? 0L : absent);
    }

    /**
     * Reads a direction. A value comes from the direction's own section, else from the description, else from the base.
     *
     * @param description reads the keys for both directions
     */
    private LinkDirection direction(MappingReader description, Key<?> section, LinkDirection base) {
        LinkDirection both = direction(description, base);
        YamlNode node = description.node(section);
        if (node == null) {
            return both;
        }
        if (node instanceof Mapping mapping) {
            MappingReader own = new MappingReader(mapping, description.path(section) + ".", problems);
            own.refuseUnknown(Key.names(DIRECTION_KEYS));
            return direction(own, both);
        }
        problems.refuse(description.path(section), node, section.accepted());
        return both;
    }

    private static LinkDirection direction(MappingReader keys, LinkDirection absent) {
        LinkDirection direction = new LinkDirection(
                keys.get(RATE, absent.rateBitsPerS()),
                keys.get(PACKET_TIME, absent.packetNs()),
                keys.get(QUEUE, absent.queue()),
                keys.get(DELAY, absent.delayNs()),
                keys.get(JITTER, absent.jitterNs()),
                keys.get(LOSS, absent.lossPpm()),
                keys.get(DUPLICATION, absent.duplicationPpm()),
                keys.get(REORDERING, absent.reorderingPpm()));
        if (direction.jitterNs() > direction.delayNs()) {
            keys.add(
                    JITTER,
                    Intervals.format(direction.jitterNs())
                            + " is more than the delay, which would become negative; it may be up to "
                            + Intervals.format(direction.delayNs()) + ".");
        }
        if (direction.leastPacketBytes() > LinkDirection.MAXIMUM_PACKET_BYTES) {
            keys.add(
                    PACKET_TIME,
                    "the rate carries " + direction.leastPacketBytes() + " bytes in "
                            + Intervals.format(direction.packetNs()) + "; the kernel takes up to "
                            + LinkDirection.MAXIMUM_PACKET_BYTES + ".");
        }
        return direction;
    }

    private List<CompetingFlow> flows(MappingReader keys, List<CompetingFlow> absent) {
        YamlNode node = keys.node(FLOWS);
        if (node == null) {
            return absent;
        }
        if (!(node instanceof Sequence sequence)) {
            problems.refuse(keys.path(FLOWS), node, FLOWS.accepted());
            return absent;
        }
        if (sequence.elements().size() > Network.MAXIMUM_FLOWS) {
            keys.add(FLOWS, "there are more than " + Network.MAXIMUM_FLOWS + " flows.");
        }
        Key<?> element = Key.of(keys.path(FLOWS), "flows, each with " + String.join(", ", Key.names(FLOW_KEYS)));
        List<CompetingFlow> flows = new ArrayList<>();
        for (YamlNode flow : sequence.elements()) {
            MappingReader.ofSection(element, flow, FLOW_KEYS, problems)
                    .map(LabReader::flow)
                    .ifPresent(flows::add);
        }
        return flows;
    }

    private static CompetingFlow flow(MappingReader keys) {
        if (!keys.has(FLOW_RATE)) {
            keys.add(FLOW_RATE, "a flow needs one, such as 6mbit.");
        }
        CompetingFlow flow = new CompetingFlow(
                keys.get(FLOW_RATE, Network.MINIMUM_RATE_BITS_PER_S),
                keys.get(FLOW_PACKET_BYTES, 1_000),
                keys.get(FLOW_START, 0L),
                keys.get(FLOW_STOP, CompetingFlow.RUN_END),
                keys.get(FLOW_DIRECTION, CompetingFlow.Direction.FORWARD));
        if (flow.stopNs() <= flow.startNs()) {
            keys.add(FLOW_STOP, "the flow must stop after it starts.");
        }
        return flow;
    }

    private List<SiteLink> sites(MappingReader keys, Network.Topology topology, List<SiteLink> absent) {
        YamlNode node = keys.node(SITES);
        if (node == null) {
            return topology == Network.Topology.DUMBBELL ? absent : List.of();
        }
        if (!(node instanceof Sequence sequence) || sequence.elements().size() > SiteLink.MAXIMUM_SITES) {
            problems.refuse(keys.path(SITES), node, SITES.accepted() + ", at most " + SiteLink.MAXIMUM_SITES);
            return absent;
        }
        if (topology != Network.Topology.DUMBBELL && !sequence.elements().isEmpty()) {
            keys.addAtKey(SITES, "a cable has no routers for them; take topology: dumbbell.");
        }
        Key<?> element = Key.of(keys.path(SITES), "sites, each with " + String.join(", ", Key.names(SITE_KEYS)));
        List<SiteLink> sites = new ArrayList<>();
        Set<String> names = new HashSet<>(SiteLink.TAKEN);
        for (YamlNode site : sequence.elements()) {
            MappingReader.ofSection(element, site, SITE_KEYS, problems)
                    .map(own -> site(own, names))
                    .ifPresent(sites::add);
        }
        return sites;
    }

    private static SiteLink site(MappingReader keys, Set<String> names) {
        String name = keys.get(SITE_NAME, "");
        if (!keys.has(SITE_NAME)) {
            keys.add(SITE_NAME, "a site needs one.");
        } else if (!name.isEmpty() && !names.add(name)) {
            keys.add(SITE_NAME, "another host has the name " + name + " as well.");
        }
        return new SiteLink(name, keys.get(SITE_ROUTER, SiteLink.Router.LEFT), direction(keys, DEFAULT_DIRECTION));
    }

    /** Returns a description on one line, with every key. */
    static String yaml(Network network) {
        List<String> entries = new ArrayList<>(List.of(
                NAME.yaml(network.name()),
                TOPOLOGY.yaml(network.topology().text()),
                FRAMING.yaml(network.framing().text()),
                BACKEND.yaml(network.backend().text()),
                SEED.yaml(network.seed())));
        if (network.edgeRateBitsPerS() != null) {
            entries.add(EDGE_RATE.yaml(NetworkText.rate(network.edgeRateBitsPerS())));
        }
        entries.add(INITIAL_WINDOW.yaml(NetworkText.initialWindow(network.initialWindow())));
        entries.add(FORWARD.yaml(yaml(network.forward())));
        entries.add(REVERSE.yaml(yaml(network.reverse())));
        entries.add(FLOWS.yaml(network.flows().stream().map(LabReader::yaml).toList()));
        if (network.topology() == Network.Topology.DUMBBELL) {
            entries.add(SITES.yaml(network.sites().stream().map(LabReader::yaml).toList()));
        }
        return Key.mapping(entries);
    }

    private static String yaml(SiteLink site) {
        List<String> entries = new ArrayList<>(List.of(
                SITE_NAME.yaml(ExperimentWriter.scalar(site.name())),
                SITE_ROUTER.yaml(site.router().text())));
        entries.addAll(entries(site.link()));
        return Key.mapping(entries);
    }

    private static String yaml(LinkDirection direction) {
        return Key.mapping(entries(direction));
    }

    private static List<String> entries(LinkDirection direction) {
        return List.of(
                RATE.yaml(NetworkText.rate(direction.rateBitsPerS())),
                PACKET_TIME.yaml(Intervals.format(direction.packetNs())),
                QUEUE.yaml(NetworkText.queue(direction.queue())),
                DELAY.yaml(Intervals.format(direction.delayNs())),
                JITTER.yaml(Intervals.format(direction.jitterNs())),
                LOSS.yaml(NetworkText.share(direction.lossPpm())),
                DUPLICATION.yaml(NetworkText.share(direction.duplicationPpm())),
                REORDERING.yaml(NetworkText.share(direction.reorderingPpm())));
    }

    private static String yaml(CompetingFlow flow) {
        List<String> entries = new ArrayList<>(List.of(
                FLOW_RATE.yaml(NetworkText.rate(flow.rateBitsPerS())),
                FLOW_PACKET_BYTES.yaml(flow.packetBytes()),
                FLOW_START.yaml(Intervals.format(flow.startNs())),
                FLOW_DIRECTION.yaml(flow.direction().text())));
        if (flow.stopNs() != CompetingFlow.RUN_END) {
            entries.add(FLOW_STOP.yaml(Intervals.format(flow.stopNs())));
        }
        return Key.mapping(entries);
    }
}
