package org.lagbench.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.Network;

/**
 * The hosts and routers of a network, each in a network namespace, and the links between them. Addresses are of
 * 10.139/16 and exist only in the namespaces. Immutable.
 *
 * @param nodes names of the hosts and routers
 * @param links the links, first those from the sender to the receiver in this order
 * @param control the link for control connections, without measured packets
 */
record LabPlan(List<String> nodes, List<Link> links, Link control) {
    static final String SENDER = "sender";
    static final String RECEIVER = "receiver";
    static final String RIVAL_SENDER = "rival-sender";
    static final String RIVAL_RECEIVER = "rival-receiver";
    private static final String LEFT = "left";
    private static final String RIGHT = "right";
    static final String WIRE = "wire";
    static final Set<String> ROUTERS = Set.of(LEFT, RIGHT, WIRE);

    LabPlan {
        nodes = List.copyOf(nodes);
        links = List.copyOf(links);
    }

    /** The devices of a link. */
    enum Kind {
        /** A pair of virtual Ethernet devices. */
        VETH,
        /** Two TAP devices with the relay between them, which is the wire. */
        RELAY
    }

    /**
     * From this rate, the time of packets on the wire is not emulated unless the relay or netem is required. A full
     * frame would need at most 12.3 us, not longer than the relay needs to wake up.
     */
    private static final long FAST_BITS_PER_S = 1_000_000_000L;

    /**
     * One end of a link.
     *
     * @param address IPv4 address with a network of 24 bits
     * @param hardwareAddress Ethernet address
     * @param shaped rate and queue of the packets that leave here; null if unlimited
     * @param impaired impairment by netem of the packets that leave here; null for none
     */
    record End(
            String node,
            String device,
            String address,
            String hardwareAddress,
            @Nullable LinkDirection shaped,
            @Nullable LinkDirection impaired) {}

    /**
     * A link.
     *
     * @param network the first three bytes of its addresses: "10.139.0"
     * @param near the end nearer to the sender
     * @param isEdge whether it joins a host and a router
     */
    record Link(Kind kind, String network, End near, End far, boolean isEdge) {
        End other(End end) {
            return end.equals(near) ? far : near;
        }

        boolean isAt(String node) {
            return near.node().equals(node) || far.node().equals(node);
        }

        End endAt(String node) {
            return near.node().equals(node) ? near : far;
        }

        /** Returns the name of the queue or of the impairment where packets leave an end; null if there is neither. */
        @Nullable
        String place(End end) {
            String to = other(end).node();
            if (end.shaped() != null && end.shaped().rateBitsPerS() > 0) {
                return "queue of " + end.node() + " to " + to;
            }
            return end.impaired() == null ? null : "netem to " + to;
        }
    }

    /** Returns whether the packets of a link take time on the wire, are delayed, lost, duplicated or reordered. */
    static boolean isEmulated(LinkDirection forward, LinkDirection reverse, Network.ImpairmentBackend backend) {
        return isEmulated(forward, backend) || isEmulated(reverse, backend);
    }

    private static boolean isEmulated(LinkDirection direction, Network.ImpairmentBackend backend) {
        boolean isFast = direction.rateBitsPerS() >= FAST_BITS_PER_S && backend == Network.ImpairmentBackend.AUTO;
        return direction.isImpaired() || (direction.rateBitsPerS() > 0 && !isFast);
    }

    /**
     * Plans a network.
     *
     * @param netem whether netem, not the relay, emulates the link that the network describes
     */
    static LabPlan of(Network network, boolean netem) {
        boolean emulated = isEmulated(network.forward(), network.reverse(), network.backend());
        Builder builder = new Builder();
        boolean dumbbell = network.topology() == Network.Topology.DUMBBELL;
        String first = dumbbell ? LEFT : SENDER;
        String last = dumbbell ? RIGHT : RECEIVER;
        LinkDirection edge = edge(network);
        if (dumbbell) {
            builder.addEdge("path", SENDER, LEFT, edge);
        }
        if (emulated && netem) {
            // The queues of the hosts come before the impairment.
            builder.add(Kind.VETH, "path", first, WIRE, network.forward(), null, null, network.reverse(), false);
            builder.add(Kind.VETH, "path", WIRE, last, null, network.reverse(), network.forward(), null, false);
        } else {
            Kind kind = emulated ? Kind.RELAY : Kind.VETH;
            builder.add(kind, "path", first, last, network.forward(), network.reverse(), null, null, false);
        }
        if (dumbbell) {
            builder.addEdge("path", RIGHT, RECEIVER, edge);
            builder.addEdge("rival", RIVAL_SENDER, LEFT, edge);
            builder.addEdge("rival", RIGHT, RIVAL_RECEIVER, edge);
        }
        for (Network.SiteLink site : network.sites()) {
            builder.addEdge("site", site.router().text(), site.name(), site.link());
        }
        List<Link> links = List.copyOf(builder.links);
        Link control = builder.add(Kind.VETH, "control", SENDER, RECEIVER, null, null, null, null, false);
        return new LabPlan(builder.nodes, links, control);
    }

    /** Returns the properties of both directions of a dumbbell's links between hosts and routers. */
    private static LinkDirection edge(Network network) {
        Long rate = network.edgeRateBitsPerS();
        return LinkDirection.of(rate == null ? 0 : rate, network.forward().queue());
    }

    /** Returns the links with a relay. */
    List<Link> relays() {
        return links.stream().filter(link -> link.kind() == Kind.RELAY).toList();
    }

    /** Returns the address of a host that sends or receives packets. */
    String address(String host) {
        return links.stream()
                .filter(link -> link.isAt(host))
                .findFirst()
                .orElseThrow()
                .endAt(host)
                .address();
    }

    /** Returns the routes of a node to the networks of other nodes' links: network to the next node's address. */
    Map<String, String> routes(String node) {
        Map<String, String> routes = new LinkedHashMap<>();
        List<String> reached = new ArrayList<>(List.of(node));
        Map<String, String> firstHops = new LinkedHashMap<>();
        for (int i = 0; i < reached.size(); i++) {
            String current = reached.get(i);
            for (Link link : links) {
                if (link.isAt(current)) {
                    End neighbor = link.other(link.endAt(current));
                    String firstHop = i == 0 ? neighbor.address() : firstHops.getOrDefault(current, "");
                    if (!link.isAt(node)) {
                        routes.putIfAbsent(link.network(), firstHop);
                    }
                    if (!reached.contains(neighbor.node())) {
                        reached.add(neighbor.node());
                        firstHops.put(neighbor.node(), firstHop);
                    }
                }
            }
        }
        return routes;
    }

    private static final class Builder {
        private final List<String> nodes = new ArrayList<>();
        private final List<Link> links = new ArrayList<>();
        private final Map<String, Integer> devices = new LinkedHashMap<>();

        void addEdge(String device, String near, String far, LinkDirection edge) {
            Kind kind = isEmulated(edge, Network.ImpairmentBackend.AUTO) ? Kind.RELAY : Kind.VETH;
            add(kind, device, near, far, edge, edge, null, null, true);
        }

        /** Adds a link; the number of its device distinguishes it from other links of the same name. */
        Link add(
                Kind kind,
                String device,
                String near,
                String far,
                @Nullable LinkDirection nearShaped,
                @Nullable LinkDirection farShaped,
                @Nullable LinkDirection nearImpaired,
                @Nullable LinkDirection farImpaired,
                boolean isEdge) {
            int number = links.size();
            String name = device + devices.merge(device, 1, Integer::sum);
            List.of(near, far).stream().filter(node -> !nodes.contains(node)).forEach(nodes::add);
            String network = "10.139." + number;
            Link link = new Link(
                    kind,
                    network,
                    new End(near, name, network + ".1", hardwareAddress(number, 1), nearShaped, nearImpaired),
                    new End(far, name, network + ".2", hardwareAddress(number, 2), farShaped, farImpaired),
                    isEdge);
            links.add(link);
            return link;
        }

        /** Returns a locally administered address (IEEE 802). */
        private static String hardwareAddress(int link, int end) {
            return String.format("02:00:0a:8b:%02x:%02x", link, end);
        }
    }
}
