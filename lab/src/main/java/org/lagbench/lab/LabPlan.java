package org.lagbench.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.lab.LinkDirection;
import org.lagbench.core.lab.Network;

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
    private static final String WIRE = "wire";

    LabPlan {
        nodes = List.copyOf(nodes);
        links = List.copyOf(links);
    }

    /** The devices of a link. */
    enum Kind {
        /** A pair of virtual Ethernet devices. */
        VETH,
        /** Two TAP devices with the relay between them. */
        RELAY
    }

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
     */
    record Link(Kind kind, String network, End near, End far) {
        End other(End end) {
            return end.equals(near) ? far : near;
        }

        boolean isAt(String node) {
            return near.node().equals(node) || far.node().equals(node);
        }

        End endAt(String node) {
            return near.node().equals(node) ? near : far;
        }
    }

    /**
     * Plans a network.
     *
     * @param netem whether netem, not the relay, impairs the packets
     */
    static LabPlan of(Network network, boolean netem) {
        boolean impaired = network.there().isImpaired() || network.back().isImpaired();
        Builder builder = new Builder();
        boolean dumbbell = network.topology() == Network.Topology.DUMBBELL;
        String first = dumbbell ? LEFT : SENDER;
        String last = dumbbell ? RIGHT : RECEIVER;
        LinkDirection edge = edge(network);
        if (dumbbell) {
            builder.add("path", SENDER, LEFT, edge, edge);
        }
        if (impaired && netem) {
            // The queues of the hosts come before the impairment.
            builder.add(Kind.VETH, "path", first, WIRE, network.there(), null, null, network.back());
            builder.add(Kind.VETH, "path", WIRE, last, null, network.back(), network.there(), null);
        } else {
            Kind kind = impaired ? Kind.RELAY : Kind.VETH;
            builder.add(kind, "path", first, last, network.there(), network.back(), null, null);
        }
        if (dumbbell) {
            builder.add("path", RIGHT, RECEIVER, edge, edge);
            builder.add("rival", RIVAL_SENDER, LEFT, edge, edge);
            builder.add("rival", RIGHT, RIVAL_RECEIVER, edge, edge);
        }
        List<Link> links = List.copyOf(builder.links);
        return new LabPlan(builder.nodes, links, builder.add("control", SENDER, RECEIVER, null, null));
    }

    /** Returns the direction of a dumbbell's links between hosts and routers. */
    private static LinkDirection edge(Network network) {
        Long rate = network.edgeRateBitsPerS();
        return new LinkDirection(rate == null ? 0 : rate, 0, network.there().queue(), 0, 0, 0, 0, 0);
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

        Link add(
                String device,
                String near,
                String far,
                @Nullable LinkDirection nearShaped,
                @Nullable LinkDirection farShaped) {
            return add(Kind.VETH, device, near, far, nearShaped, farShaped, null, null);
        }

        /** Adds a link; the number of its device distinguishes it from others of the same name. */
        Link add(
                Kind kind,
                String device,
                String near,
                String far,
                @Nullable LinkDirection nearShaped,
                @Nullable LinkDirection farShaped,
                @Nullable LinkDirection nearImpaired,
                @Nullable LinkDirection farImpaired) {
            int number = links.size();
            String name = device + devices.merge(device, 1, Integer::sum);
            List.of(near, far).stream().filter(node -> !nodes.contains(node)).forEach(nodes::add);
            String network = "10.139." + number;
            Link link = new Link(
                    kind,
                    network,
                    new End(near, name, network + ".1", hardwareAddress(number, 1), nearShaped, nearImpaired),
                    new End(far, name, network + ".2", hardwareAddress(number, 2), farShaped, farImpaired));
            links.add(link);
            return link;
        }

        /** Returns a locally administered address (IEEE 802). */
        private static String hardwareAddress(int link, int end) {
            return String.format("02:00:0a:8b:%02x:%02x", link, end);
        }
    }
}
