package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.settings.Settings;

class Ieee1394SettingsTest {
    @ParameterizedTest
    @CsvSource({"4096,24,170", "4096,396,10", "4096,992,4", "4096,4096,1", "24,992,1", "65536,24,512"})
    void anInputBufferIsAnInterruptIntervalOfAsManyPacketsAsFit(String bytes, int packetBytes, int interval)
            throws LagbenchException {
        Ieee1394Settings settings = Ieee1394Settings.of(StreamRun.run(packetBytes, Map.of("input-buffer", bytes)));

        assertThat(settings.interruptInterval()).isEqualTo(interval);
    }

    @Test
    void everyPacketInterruptsUnlessAsked() throws LagbenchException {
        assertThat(Ieee1394Settings.of(StreamRun.run(24, Map.of())).interruptInterval())
                .isEqualTo(1);
        assertThat(Ieee1394Settings.of(StreamRun.run(24, Map.of("interrupt-interval", "512")))
                        .interruptInterval())
                .isEqualTo(512);
    }

    @Test
    void anInputBufferAndAnInterruptIntervalTogetherAreRefused() {
        Map<String, String> both = Map.of("input-buffer", "4096", "interrupt-interval", "4");

        assertThatThrownBy(() -> Ieee1394Settings.of(StreamRun.run(24, both)))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("interrupt-interval and input-buffer")
                .hasMessageContaining("auto");
    }

    @Test
    void aReceiveQueueThatCannotHoldTwoIntervalsIsRefused() {
        Map<String, String> few = Map.of("receive-queue-packets", "64", "interrupt-interval", "33");

        assertThatThrownBy(() -> Ieee1394Settings.of(StreamRun.run(24, few)))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("receive-queue-packets: 64");
    }

    @ParameterizedTest
    @CsvSource({"1.125ms,16,64,queue-packets of 18", "64ms,1024,1023,receive-queue-packets of 1024"})
    void aTickWithoutRoomForTwiceItsCyclesIsRefused(String tick, String queue, String receiveQueue, String needed) {
        Map<String, String> few = Map.of("tick", tick, "queue-packets", queue, "receive-queue-packets", receiveQueue);

        assertThatThrownBy(() -> Ieee1394Settings.of(StreamRun.run(24, few)))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("needs " + needed + " or more");
    }

    @ParameterizedTest
    @CsvSource({"125us,2,125000", "1ms,16,1000000", "64ms,1024,64000000"})
    void aTickIsAMultipleOfACycleUpToWhatTheQueueHolds(String tick, String queue, long tickNs)
            throws LagbenchException {
        Map<String, String> settings = Map.of("tick", tick, "queue-packets", queue);

        assertThat(Ieee1394Settings.of(StreamRun.run(24, settings)).tickNs()).isEqualTo(tickNs);
    }

    @Test
    void streamsOfOneBusHaveOneTick() {
        Ieee1394Transport transport = new Ieee1394Transport();
        Settings one = StreamRun.run(24, Map.of()).settings();
        Settings other = StreamRun.run(24, Map.of("tick", "1ms")).settings();

        assertThatCode(() -> transport.checkTogether(other, other)).doesNotThrowAnyException();
        assertThatThrownBy(() -> transport.checkTogether(one, other))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining("1ms and 125us")
                .hasMessageContaining("the same");
    }

    @ParameterizedTest
    @CsvSource({"100,1024", "200,2048", "400,4096", "800,8192"})
    void theSpeedLimitsThePacket(String speed, int largest) {
        Ieee1394Transport transport = new Ieee1394Transport();
        Settings settings = Settings.of(transport.settings(), Map.of("speed", speed));

        assertThat(transport.maximumPacketBytes(settings)).isEqualTo(largest);
        assertThatThrownBy(() -> transport.openSender(StreamRun.run(largest + 1, Map.of("speed", speed))))
                .isInstanceOf(LagbenchException.class)
                .hasMessageContaining((largest + 1) + " bytes")
                .hasMessageContaining("largest is " + largest);
    }
}
