package org.lagbench.lab;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.lab.LinkDirection;
import org.lagbench.core.lab.Network;

/**
 * What a network is made of: hosts and routers, each a network namespace, and the links between them. Addresses are of
 * 10.139/16 and exist in the namespaces only. Immutable.
 *
 * @param nodes names of the hosts and routers
 * @param links the links, those from the sender to the receiver first and in this order
 * @param control the link for the conversation of sender and receiver, which carries no packet that is measured
 * @param netem whether what impairs packets is netem; else it is the relay
 */
record LabPlan(List<String> nodes, List<Link> links, Link control, boolean netem) {
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

    /** How a link is made. */
    enum Kind {
        /** A pair of virtual Ethernet devices. */
        VETH,
        /** Two TAP devices with the relay between them. */
        RELAY
    }

    /**
     * One end of a link.
     *
     * @param node the host or router
     * @param device the name of the device there
     * @param address its IPv4 address, of a network of 24 bits
     * @param hardwareAddress its Ethernet address
     * @param shaped what holds packets back that leave here; null for nothing
     * @param impaired what netem does to packets that leave here; null for nothing
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
     * @param kind how it is made
     * @param network the first three numbers of its addresses: "10.139.0"
     * @param near the end nearer to the sender
     * @param far the other
     */
    record Link(Kind kind, String network, End near, End far) {}

    /**
     * Plans a network.
     *
     * @param netem whether netem shall impair the packets
     */
    static LabPlan of(Network network, boolean netem) {
        boolean impaired = network.forward().isImpaired() || network.reverse().isImpaired();
        Builder builder = new Builder();
        boolean dumbbell = network.topology() == Network.Topology.DUMBBELL;
        String first = dumbbell ? LEFT : SENDER;
        String last = dumbbell ? RIGHT : RECEIVER;
        LinkDirection edge = dumbbell ? edge(network) : null;
        if (dumbbell) {
            builder.link(Kind.VETH, "path", SENDER, LEFT, edge, edge, null, null);
        }
        if (impaired && netem) {
            // Packets leave the queues, which the hosts see, before they are impaired.
            builder.link(Kind.VETH, "path", first, WIRE, network.forward(), null, null, network.reverse());
            builder.link(Kind.VETH, "path", WIRE, last, null, network.reverse(), network.forward(), null);
        } else {
            builder.link(
                    impaired ? Kind.RELAY : Kind.VETH,
                    "path",
                    first,
                    last,
                    network.forward(),
                    network.reverse(),
                    null,
                    null);
        }
        if (dumbbell) {
            builder.link(Kind.VETH, "path", RIGHT, RECEIVER, edge, edge, null, null);
            builder.link(Kind.VETH, "rival", RIVAL_SENDER, LEFT, edge, edge, null, null);
            builder.link(Kind.VETH, "rival", RIGHT, RIVAL_RECEIVER, edge, edge, null, null);
        }
        return builder.plan(impaired && netem);
    }

    private static LinkDirection edge(Network network) {
        Long rate = network.edgeRateBitsPerS();
        return new LinkDirection(rate == null ? 0 : rate, 0, network.forward().queue(), 0, 0, 0, 0, 0);
    }

    /** The address of a host that its packets come from and go to. */
    String address(String host) {
        for (Link link : links) {
            if (link.near().node().equals(host)) {
                return link.near().address();
            }
            if (link.far().node().equals(host)) {
                return link.far().address();
            }
        }
        throw new IllegalArgumentException("no link at " + host);
    }

    /** The link with the relay, if there is one. */
    @Nullable
    Link relayed() {
        return links.stream()
                .filter(link -> link.kind() == Kind.RELAY)
                .findFirst()
                .orElse(null);
    }

    /** Where a node sends packets for the networks of links that are not at it: network to the next node's address. */
    Map<String, String> routes(String node) {
        Map<String, String> routes = new LinkedHashMap<>();
        List<String> reached = new ArrayList<>(List.of(node));
        Map<String, String> firstHops = new LinkedHashMap<>();
        for (int i = 0; i < reached.size(); i++) {
            String at = reached.get(i);
            for (Link link : links) {
                End here = link.near().node().equals(at) ? link.near() : link.far();
                End there = here.equals(link.near()) ? link.far() : link.near();
                if (here.node().equals(at)) {
                    if (i > 0) {
                        routes.putIfAbsent(link.network(), firstHops.getOrDefault(at, ""));
                    }
                    if (!reached.contains(there.node())) {
                        reached.add(there.node());
                        firstHops.put(there.node(), i == 0 ? there.address() : firstHops.getOrDefault(at, ""));
                    }
                }
            }
        }
        for (Link link : links) {
            if (link.near().node().equals(node) || link.far().node().equals(node)) {
                routes.remove(link.network());
            }
        }
        return routes;
    }

    private static final class Builder {
        private final List<String> nodes = new ArrayList<>();
        private final List<Link> links = new ArrayList<>();
        private final Map<String, Integer> devices = new LinkedHashMap<>();

        void link(
                Kind kind,
                String device,
                String near,
                String far,
                @Nullable LinkDirection nearShaped,
                @Nullable LinkDirection farShaped,
                @Nullable LinkDirection nearImpaired,
                @Nullable LinkDirection farImpaired) {
            links.add(made(kind, device, near, far, nearShaped, farShaped, nearImpaired, farImpaired));
        }

        private Link made(
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
            return new Link(
                    kind,
                    network,
                    new End(near, name, network + ".1", hardwareAddress(number, 1), nearShaped, nearImpaired),
                    new End(far, name, network + ".2", hardwareAddress(number, 2), farShaped, farImpaired));
        }

        LabPlan plan(boolean netem) {
            Link control = made(Kind.VETH, "control", SENDER, RECEIVER, null, null, null, null);
            return new LabPlan(nodes, links, control, netem);
        }

        /** Locally administered (IEEE 802). */
        private static String hardwareAddress(int link, int end) {
            return String.format("02:00:0a:8b:%02x:%02x", link, end);
        }
    }
}
