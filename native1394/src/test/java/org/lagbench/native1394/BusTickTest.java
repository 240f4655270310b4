package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Buses with a tick, through the real libraw1394, in a process of its own for each. */
@Timeout(180)
class BusTickTest {
    private static final long TICK_NS = 1_000_000;

    @Test
    void aTickLosesNothingAndEveryPacketKeepsItsCycle(@TempDir Path directory) throws Exception {
        int packets = 2000;
        try (VirtualBus bus = VirtualBus.create(TICK_NS)) {
            Process child = ChildJvm.start(
                    bus.environment(), List.of(), "tick", "1ms", directory.toString(), Integer.toString(packets));

            assertThat(output(child)).contains("ticks 1000000 1000000");
            assertThat(child.waitFor()).isZero();
        }
        List<long[]> sent = StreamRun.records(directory.resolve("sender.npy"));
        List<long[]> received = StreamRun.records(directory.resolve("receiver.npy"));
        assertThat(received).hasSize(packets);
        for (int i = 0; i < packets; i++) {
            assertThat(received.get(i)[0]).as("sequence").isEqualTo(i);
            assertThat(received.get(i)[2]).as("cycle").isEqualTo(sent.get(i)[4]);
            assertThat(received.get(i)[1]).as("received").isGreaterThan(sent.get(i)[2]);
        }
        for (int i = 1; i < packets; i++) {
            long step = Math.floorMod(received.get(i)[2] - received.get(i - 1)[2], 1_024_000L);
            assertThat(step).as("a cycle has one packet").isPositive();
        }
    }

    @Test
    void aBusWithAnotherTickIsRefusedWithBothTicks() throws Exception {
        try (VirtualBus bus = VirtualBus.create(TICK_NS)) {
            Process child = ChildJvm.start(bus.environment(), List.of(), "open", "400");

            assertThat(output(child))
                    .contains("tick: 125us is asked for")
                    .contains(bus.directory().toString())
                    .contains("a tick of 1ms");
            assertThat(child.waitFor()).isEqualTo(ExitCode.UNAVAILABLE.code());
        }
    }

    @Test
    void aBusOfTheKernelHasNoTick() {
        assertThatCode(() -> BusTick.require(BusTick.MINIMUM_NS, 0, null)).doesNotThrowAnyException();
        assertThatThrownBy(() -> BusTick.require(TICK_NS, 0, null))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("tick: 1ms")
                .hasMessageContaining("/dev/fw*")
                .hasMessageContaining("leave tick out");
    }

    @Test
    void theTestsOwnBusPlaysEachCycleAtItsTime() throws Exception {
        assertThat(BusTick.ofThisBusNs()).isEqualTo(BusTick.MINIMUM_NS);
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
