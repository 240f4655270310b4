package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Bursts;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.LinkDirection.Queue;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Outage;
import org.lagbench.core.model.Parameter;

class NetworkReaderTest {
    private static final Path REFERENCE = Path.of("..", "configs", "networks", "reference.yaml");

    @TempDir
    private Path directory;

    @Test
    void readsBuiltInNetworks() throws Exception {
        assertThat(NetworkReader.named("ethernet-10").forward().rateBitsPerS()).isEqualTo(10_000_000);
        assertThat(NetworkReader.named("gigabit").reverse().rateBitsPerS()).isEqualTo(1_000_000_000);
        Network ethernet = NetworkReader.named("ethernet-100");
        LinkDirection direction = LinkDirection.of(100_000_000, new Queue(Queue.Unit.PACKETS, 1_000));
        assertThat(ethernet.forward()).isEqualTo(direction).isEqualTo(ethernet.reverse());
        assertThat(ethernet.forward().isImpaired()).isFalse();
        Network fat = NetworkReader.named("long-fat");
        assertThat(fat.forward().delayNs())
                .isEqualTo(250_000_000)
                .isEqualTo(fat.reverse().delayNs());
        assertThat(fat.forward().queue().bytes(fat.forward().rateBitsPerS())).isEqualTo(625_000);
        assertThat(NetworkReader.named("wifi-like").forward().isImpaired()).isTrue();
        Network dumbbell = NetworkReader.named("dumbbell");
        assertThat(dumbbell.topology()).isEqualTo(Network.Topology.DUMBBELL);
        assertThat(dumbbell.flows())
                .containsExactly(new Network.CompetingFlow(
                        6_000_000,
                        1_000,
                        6_000_000_000L,
                        Network.CompetingFlow.RUN_END,
                        Network.CompetingFlow.Direction.FORWARD));
    }

    @Test
    void parsesFormattedNetworks() throws Exception {
        for (String name : NetworkReader.names()) {
            Network network = NetworkReader.named(name);
            assertThat(read(NetworkReader.format(network))).isEqualTo(network);
        }
        Network crooked = read(
                """
                like: long-fat
                seed: 7
                initial-window: 4
                forward: {rate: 1.5mbit, packet-time: 84us, queue: 64KiB, jitter: 1.25ms, damage: 2%}
                reverse: {loss: 0.0125%, duplication: 3%, reordering: 100%, reordering-delay: 4ms, bursts: none}
                bursts: {every: 2s, for: 20ms}
                outages: [{start: 1s, stop: 1.3s}, {start: 3s, stop: 4s}]
                flows: [{rate: 8kbit, stop: 90s, direction: reverse}]
                """);
        assertThat(crooked.forward().delayNs())
                .isEqualTo(250_000_000)
                .isEqualTo(crooked.reverse().delayNs());
        assertThat(crooked.forward().queue()).isEqualTo(new Queue(Queue.Unit.BYTES, 65_536));
        assertThat(crooked.forward().packetNs()).isEqualTo(84_000);
        assertThat(crooked.reverse().lossPpm()).isEqualTo(125);
        assertThat(crooked.forward().damagePpm()).isEqualTo(20_000);
        assertThat(crooked.reverse().reorderingDelayNs()).isEqualTo(4_000_000);
        assertThat(crooked.reverse().bursts()).isNull();
        assertThat(crooked.forward().bursts())
                .isEqualTo(new Bursts(2_000_000_000L, 20_000_000, Bursts.Lengths.EXPONENTIAL));
        assertThat(crooked.forward().outages())
                .isEqualTo(crooked.reverse().outages())
                .containsExactly(
                        new Outage(1_000_000_000L, 1_300_000_000L), new Outage(3_000_000_000L, 4_000_000_000L));
        assertThat(crooked.name()).isEqualTo("long-fat-altered");
        assertThat(crooked.initialWindow()).isEqualTo(4);
        assertThat(read(NetworkReader.format(crooked))).isEqualTo(crooked);
        Network sites =
                read("{topology: dumbbell, sites: [{name: a, rate: 1mbit, delay: 5ms}, {name: b, router: right}]}");
        assertThat(sites.sites())
                .extracting(Network.SiteLink::router)
                .containsExactly(Network.SiteLink.Router.LEFT, Network.SiteLink.Router.RIGHT);
        assertThat(sites.sites().get(0).link().delayNs()).isEqualTo(5_000_000);
        assertThat(read(NetworkReader.format(sites))).isEqualTo(sites);
    }

    @Test
    void documentsEveryKeyInReference() throws Exception {
        String text = Files.readString(REFERENCE);
        assertThat(NetworkReader.read(REFERENCE)).isEqualTo(read("name: reference"));
        String comments = text.replaceAll("\\s*\\n\\s*#", "").replaceAll("\\s+", " ");
        for (Map.Entry<String, Parameter<?>> key : NetworkReader.keys().entrySet()) {
            String last = key.getKey().substring(key.getKey().lastIndexOf('.') + 1);
            assertThat(text).as(key.getKey()).containsPattern("(?m)^#? *" + last + "[: ]");
            assertThat(comments)
                    .as(key.getKey())
                    .contains("Takes " + key.getValue().accepted());
        }
    }

    @Test
    void readsLabByNameFileOrDescription() throws Exception {
        Files.writeString(directory.resolve("mine.yaml"), "rate: 2mbit");
        assertThat(lab("none")).isNull();
        assertThat(lab("ethernet-10")).isEqualTo(NetworkReader.named("ethernet-10"));
        assertThat(lab("mine.yaml")).isEqualTo(NetworkReader.read(directory.resolve("mine.yaml")));
        assertThat(lab("{like: gigabit, delay: 3ms, name: far}").forward().delayNs())
                .isEqualTo(3_000_000);
        Path written = directory.resolve("written.yaml");
        Experiment experiment = experiment("dumbbell");
        Files.writeString(written, experiment.toYaml());
        assertThat(new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL).read(written))
                .isEqualTo(experiment);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
            ethernet-1000           | lab: there is no network "ethernet-1000"; did you mean ethernet-100?
            [ethernet-10, gigabit]  | lab: a list is not accepted; it takes none, a network
            {rat: 1mbit}            | lab.rat: there is no such key; did you mean lab.rate?
            {rate: 10}              | lab.rate: 10 is not accepted; it takes a rate from 8kbit to 100gbit, or unlimited.
            {rate: 1kbit}           | lab.rate: 1kbit is not accepted
            {loss: 2}               | lab.loss: 2 is not accepted; it takes a share from 0% to 100%
            {loss: 101%}            | lab.loss: "101%" is not accepted
            {delay: 11s}            | lab.delay: 11s is not accepted
            {delay: 1ms, jitter: 2ms} | lab.jitter: 2ms is more than the delay
            {rate: 10gbit, packet-time: 1ms} | lab.packet-time: the rate carries 1250000 bytes in 1ms; the kernel \
            takes up to
            {initial-window: 0}     | lab.initial-window: 0 is not accepted; it takes a whole number \
            from 1 to 1000, or auto.
            {queue: 0 packets}      | lab.queue: "0 packets" is not accepted
            {edge-rate: 1mbit}      | lab.edge-rate: a cable has no edges
            {flows: [{start: 1s}]}  | lab.flows.rate: it is missing; it takes a rate from 8kbit
            {flows: [{rate: 1mbit, start: 2s, stop: 1s}]} | lab.flows.stop: the flow must stop after it starts
            {bursts: {every: 1s, for: 1s}} | lab.bursts.for: a burst must be shorter than the time between two starts.
            {bursts: {every: 1s}}   | lab.bursts.for: it is missing; it takes a length of time from 1us
            {outages: [{start: 2s, stop: 1s}]} | lab.outages.stop: the outage must stop after it starts.
            {backend: netem, outages: [{start: 1s, stop: 2s}]} | lab.backend: netem has no bursts, no outages
            {backend: netem, reverse: {reordering-delay: 1ms}} | lab.backend: netem has no bursts, no outages
            {sites: [{name: a}]}    | lab.sites: a cable has no routers for them
            {topology: dumbbell, sites: [{name: left}]} | lab.sites.name: another host has the name left as well.
            {topology: dumbbell, sites: [{rate: 1mbit}]} | lab.sites.name: it is missing; \
            it takes up to 20 small letters
            {forward: 5ms}            | lab.forward: 5ms is not accepted; it takes any of rate, packet-time, queue
            {like: tokenring}       | lab.like: "tokenring" is not accepted; it takes the name of a network (
            """)
    void locatesMistakesInLab(String lab, String sentence) {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> lab(lab))
                .withMessageContaining("experiment.yaml:1:")
                .withMessageContaining(sentence);
    }

    @Test
    void refusesLabWithRemoteReceiver() {
        assertThatExceptionOfType(LagbenchException.class)
                .isThrownBy(() -> new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL)
                        .read(file("lab: gigabit"), List.of("receiver=192.0.2.7:5394")))
                .withMessageContaining("the receiver is elsewhere");
    }

    private Network lab(String lab) throws Exception {
        return experiment(lab).path().lab();
    }

    private Experiment experiment(String lab) throws Exception {
        return new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL).read(file("lab: " + lab));
    }

    private Path file(String text) throws Exception {
        return Files.writeString(directory.resolve("experiment.yaml"), text);
    }

    private Network read(String text) throws Exception {
        return NetworkReader.read(Files.writeString(directory.resolve("network.yaml"), text));
    }
}
