package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;

class Ieee1394SettingsTest {
    @ParameterizedTest
    @CsvSource({"4096,24,170", "4096,396,10", "4096,992,4", "4096,4096,1", "24,992,1", "65536,24,512"})
    void convertsAnInputBufferToAnInterruptInterval(String bytes, int packetBytes, int interval)
            throws LagbenchException {
        Ieee1394Settings settings = Ieee1394Settings.of(StreamRun.run(packetBytes, Map.of("input-buffer", bytes)));

        assertThat(settings.interruptInterval()).isEqualTo(interval);
    }

    @Test
    void interruptsForEachPacketByDefault() throws LagbenchException {
        assertThat(Ieee1394Settings.of(StreamRun.run(24, Map.of())).interruptInterval())
                .isEqualTo(1);
        assertThat(Ieee1394Settings.of(StreamRun.run(24, Map.of("interrupt-interval", "512")))
                        .interruptInterval())
                .isEqualTo(512);
    }

    @Test
    void rejectsInputBufferWithInterruptInterval() {
        Map<String, String> both = Map.of("input-buffer", "4096", "interrupt-interval", "4");

        assertThatThrownBy(() -> Ieee1394Settings.of(StreamRun.run(24, both)))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("interrupt-interval and input-buffer")
                .hasMessageContaining("auto");
    }

    @Test
    void rejectsAReceiveQueueBelowTwoIntervals() {
        Map<String, String> few = Map.of("receive-queue-packets", "64", "interrupt-interval", "33");

        assertThatThrownBy(() -> Ieee1394Settings.of(StreamRun.run(24, few)))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("receive-queue-packets: 64");
    }

    @ParameterizedTest
    @CsvSource({"100,1024", "200,2048", "400,4096", "800,8192"})
    void limitsThePacketSizeBySpeed(String speed, int largest) {
        Ieee1394Transport transport = new Ieee1394Transport();
        Settings settings = Settings.of(transport.settings(), Map.of("speed", speed));

        assertThat(transport.maximumPacketBytes(settings)).isEqualTo(largest);
        assertThatThrownBy(() -> transport.openSender(StreamRun.run(largest + 1, Map.of("speed", speed))))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining((largest + 1) + " bytes")
                .hasMessageContaining("maximum is " + largest);
    }
}
