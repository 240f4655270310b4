package org.lagbench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.experiment.NetworkReader;

/** Creates labs with real namespaces, which need root, and sends packets with a separate program. */
@Tag("one-java")
class LabTest extends LabFixture {
    private static final Path NAMESPACES = Path.of("/run/netns");

    @Test
    void isolatesLabsFromEachOther() throws Exception {
        try (Lab first = Lab.persistent(network("rate: 1mbit"), name("first"));
                Lab second = Lab.forThisProcess(network("rate: 2mbit"))) {
            assertThat(first.addresses()).isEqualTo(second.addresses());
            assertThat(first.namespaces().values())
                    .doesNotContainAnyElementsOf(second.namespaces().values());
            assertThat(send(first, 20, 50)).hasSize(20);
            assertThat(station(second, "queue of sender to receiver").counts().get("packets"))
                    .isZero();
            assertThatExceptionOfType(LagbenchException.class)
                    .isThrownBy(() -> Lab.persistent(network("rate: 1mbit"), first.name()))
                    .withMessageContaining("There is a lab " + first.name() + " already");
        }
        assertThat(Lab.all()).extracting(Lab::name).doesNotContain(name("first"), "sweep-" + pid());
    }

    @Test
    void connectsHostsOfDumbbell() throws Exception {
        try (Lab lab = Lab.persistent(NetworkReader.named("dumbbell"), name("dumbbell"))) {
            assertThat(send(lab, 20, 50)).hasSize(20);
            assertThat(station(lab, "queue of left to right").counts().get("packets"))
                    .isGreaterThanOrEqualTo(20L);
        }
    }

    @Test
    void removesLabOfKilledOwner() throws Exception {
        Process owner = new ProcessBuilder("sleep", "600").start();
        LabState state;
        try {
            try (Lab lab = Lab.persistent(network("delay: 1ms\nbackend: relay"), name("orphan"))) {
                state = LabDirectory.named(lab.name()).orElseThrow();
                LabState.ProcessId relay = state.relays().get(0);
                assertThat(relay.isRunning()).isTrue();
                LabState owned = new LabState(
                        state.format(),
                        state.name(),
                        LabState.ProcessId.of(owner.pid()),
                        state.network(),
                        state.plan(),
                        state.relays());
                LabDirectory.write(owned);
                assertThat(Lab.all()).extracting(Lab::name).contains(lab.name());

                owner.destroyForcibly().waitFor();
                assertThat(Lab.all()).extracting(Lab::name).doesNotContain(lab.name());
                assertThat(relay.isRunning()).isFalse();
                for (String namespace : state.namespaces().values()) {
                    assertThat(NAMESPACES.resolve(namespace)).doesNotExist();
                }
                assertThat(LabDirectory.file(lab.name(), ".json")).doesNotExist();
                assertThat(LabDirectory.file(lab.name(), ".relay1")).doesNotExist();
            }
        } finally {
            owner.destroyForcibly();
        }
    }

    /** Its PID is that of another process here, or of none. */
    @Test
    void keepsLabWhoseOwnerIsInAnotherPidNamespace() {
        long here = LabState.ProcessId.own().namespace();
        LabState ofOther = ownedBy(new LabState.ProcessId(here + 1, Long.MAX_VALUE, 1));
        assertThat(ofOther.isAbandoned()).isFalse();
        assertThat(ofOther.owner()).isNotNull().matches(owner -> !owner.isRunning());
        assertThat(ownedBy(new LabState.ProcessId(here, Long.MAX_VALUE, 1)).isAbandoned())
                .isTrue();
        assertThat(ownedBy(LabState.ProcessId.own()).isAbandoned()).isFalse();
    }

    private static LabState ownedBy(LabState.ProcessId owner) {
        return new LabState(LabState.FORMAT, "a", owner, "", null, List.of());
    }

    /** The second relay cannot open its socket; the first one runs then. */
    @Test
    void endsRelaysOfLabThatCannotBeCreated() throws Exception {
        String name = name("broken");
        Network network = network("{like: dumbbell, rate: 10mbit, edge-rate: 100mbit}");
        LabDirectory.locked(() -> Files.createFile(LabDirectory.file(name, LabState.socket(1))));
        try {
            assertThatExceptionOfType(LagbenchException.class)
                    .isThrownBy(() -> Lab.persistent(network, name))
                    .withMessageContaining("relay did not start");
            assertThat(relays(name)).isEmpty();
            assertThat(NAMESPACES.resolve(LabState.namespace(name, "sender"))).doesNotExist();
            assertThat(Lab.all()).extracting(Lab::name).doesNotContain(name);
        } finally {
            relays(name).forEach(ProcessHandle::destroy);
        }
    }

    @Test
    void createsLabAlthoughProbeOfKilledProcessIsLeft() throws Exception {
        String name = name("probed");
        String probe = LabState.namespace(name, "probe");
        NetworkTools.run("ip netns add " + probe);
        try (Lab lab = Lab.persistent(network("delay: 1ms"), name)) {
            assertThat(lab.isWhole()).isTrue();
            assertThat(NAMESPACES.resolve(probe)).doesNotExist();
        } finally {
            NetworkTools.attempt(List.of("ip", "netns", "delete", probe), "");
        }
    }

    private static List<ProcessHandle> relays(String lab) {
        String namespace = LabState.namespace(lab, "sender") + "/";
        return ProcessHandle.allProcesses()
                .filter(process -> process.info().commandLine().orElse("").contains(" " + namespace))
                .toList();
    }
}
