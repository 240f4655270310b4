package org.lagbench.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.LinkDirection.Queue;
import org.lagbench.core.model.Network;
import org.lagbench.experiment.NetworkReader;

class LabPlanTest {
    @Test
    void plansOneShapedLinkForCable() throws Exception {
        LabPlan plan = LabPlan.of(NetworkReader.named("ethernet-100"), false);

        assertThat(plan.nodes()).containsExactly("sender", "receiver");
        assertThat(plan.links()).singleElement().satisfies(link -> {
            assertThat(link.kind()).isEqualTo(LabPlan.Kind.RELAY);
            assertThat(Objects.requireNonNull(link.near().shaped()).rateBitsPerS())
                    .isEqualTo(100_000_000);
            assertThat(Objects.requireNonNull(link.far().shaped()).rateBitsPerS())
                    .isEqualTo(100_000_000);
        });
        assertThat(plan.control().near().shaped()).isNull();
        assertThat(plan.routes("sender")).isEmpty();
    }

    @Test
    void plansWireIfTransmissionTimeIsNoticeable() throws Exception {
        assertThat(hasRelay(LabPlan.of(NetworkReader.named("gigabit"), false))).isFalse();
        assertThat(LabPlan.of(NetworkReader.named("dumbbell"), false).links())
                .hasSize(5)
                .allMatch(link -> link.kind() == LabPlan.Kind.RELAY);
    }

    @Test
    void plansRelayOrNetemForImpairments() throws Exception {
        Network network = NetworkReader.named("long-fat");

        assertThat(hasRelay(LabPlan.of(network, false))).isTrue();
        LabPlan netem = LabPlan.of(network, true);
        assertThat(hasRelay(netem)).isFalse();
        assertThat(netem.nodes()).containsExactly("sender", "wire", "receiver");
        assertThat(netem.links().get(0).near().shaped()).isEqualTo(network.forward());
        assertThat(netem.links().get(1).near().impaired()).isEqualTo(network.forward());
        assertThat(netem.links().get(1).far().shaped()).isEqualTo(network.reverse());
        assertThat(netem.links().get(0).far().impaired()).isEqualTo(network.reverse());
    }

    @Test
    void routesBetweenAllNodesOfDumbbell() throws Exception {
        LabPlan plan = LabPlan.of(NetworkReader.named("dumbbell"), false);

        assertThat(plan.nodes())
                .containsExactly("sender", "left", "right", "receiver", "rival-sender", "rival-receiver");
        for (String from : plan.nodes()) {
            for (String to : List.of("sender", "receiver", "rival-sender", "rival-receiver")) {
                assertThat(arrives(plan, from, plan.address(to)))
                        .as(from + " to " + to)
                        .isTrue();
            }
        }
    }

    @Test
    void linksSitesToRouters() throws Exception {
        Network network = NetworkReader.read(Path.of("../configs/networks/yousaf-sites.yaml"));
        LabPlan plan = LabPlan.of(network, false);

        List<String> sites =
                network.sites().stream().map(Network.SiteLink::name).toList();
        assertThat(sites).containsExactly("altix", "dps", "jku", "sbg", "fhv");
        for (String from : sites) {
            for (String to : sites) {
                assertThat(arrives(plan, from, plan.address(to)))
                        .as(from + " to " + to)
                        .isTrue();
            }
        }
        assertThat(sites.stream().map(plan::address))
                .containsExactly("10.139.5.2", "10.139.6.2", "10.139.7.2", "10.139.8.2", "10.139.9.2");
        LabPlan.Link jku = plan.links().get(7);
        assertThat(jku.isAt("left")).isTrue();
        assertThat(Objects.requireNonNull(jku.endAt("jku").shaped()).delayNs()).isEqualTo(5_000_000);
    }

    private static boolean hasRelay(LabPlan plan) {
        return plan.links().stream().anyMatch(link -> link.kind() == LabPlan.Kind.RELAY);
    }

    /** Returns whether the routes lead from a node to an address. */
    private static boolean arrives(LabPlan plan, String from, String address) {
        String network = address.substring(0, address.lastIndexOf('.'));
        String at = from;
        for (int hops = 0; hops < plan.nodes().size(); hops++) {
            String here = at;
            if (plan.links().stream()
                    .anyMatch(link -> link.network().equals(network)
                            && List.of(link.near().node(), link.far().node()).contains(here))) {
                return true;
            }
            String next = plan.routes(at).get(network);
            at = plan.links().stream()
                    .flatMap(link -> List.of(link.near(), link.far()).stream())
                    .filter(end -> end.address().equals(next))
                    .findFirst()
                    .orElseThrow()
                    .node();
        }
        return false;
    }

    @Test
    void buildsTcCommands() {
        LinkDirection packets = LinkDirection.of(100_000_000, new Queue(Queue.Unit.PACKETS, 50));
        LinkDirection slow = new LinkDirection(
                100_000_000, 200_000, new Queue(Queue.Unit.PACKETS, 50), 0, 0, 0, 0, 0, 0, 0, null, List.of());
        LinkDirection time = LinkDirection.of(1_000_000_000, new Queue(Queue.Unit.NANOSECONDS, 10_000_000));
        LinkDirection impaired = new LinkDirection(
                0, 0, new Queue(Queue.Unit.PACKETS, 50), 5_000_000, 0, 20_000, 1, 1_000_000, 0, 0, null, List.of());

        assertThat(Qdiscs.shaping("path1", packets, Network.Framing.ETHERNET, false))
                .containsExactly(
                        "qdisc add dev path1 root handle 1: tbf rate 100000000bit burst 6600 limit 1000000000"
                                + " mpu 84 overhead 24",
                        "qdisc add dev path1 parent 1: handle 2: pfifo limit 50");
        assertThat(Qdiscs.shaping("path1", slow, Network.Framing.ETHERNET, true).get(0))
                .contains(" rate 99950000bit burst 7500 ")
                .endsWith(" mpu 2500 overhead 24");
        assertThat(Qdiscs.shaping("path1", time, Network.Framing.NONE, false))
                .containsExactly("qdisc add dev path1 root handle 1: tbf rate 1000000000bit burst 51600 limit 1250000");
        assertThat(Qdiscs.shaping("path1", impaired, Network.Framing.NONE, true))
                .isEmpty();
        assertThat(Qdiscs.impairing("path1", packets, Network.Framing.ETHERNET)).endsWith(" rate 100000000bit 24");
        assertThat(Qdiscs.impairing("path1", impaired, Network.Framing.NONE))
                .isEqualTo("qdisc add dev path1 root handle 1: netem limit 1000000 delay 5000.000us loss 2.0000%"
                        + " duplicate 0.0001% reorder 100.0000%");
    }
}
