package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FramingTest {
    private static final Framing WITH_HEADERS = new Framing(32, 32);

    @ParameterizedTest
    @CsvSource({
        "true, 100, 0, 0",
        "true, 100, 100, 1",
        "true, 100, 300, 3",
        "true, 100, 350, 0",
        "false, 100, 160, 1",
        "false, 100, 480, 3",
        "false, 100, 512, 3", // three packets and the header of the next one
        "false, 100, 132, 0",
        "false, 96, 256, 2",
        "false, 96, 255, 0"
    })
    void countsWholePackets(boolean isPlain, int packetBytes, long bytes, long packets) {
        assertThat((isPlain ? Framing.NONE : WITH_HEADERS).packets(bytes, packetBytes))
                .isEqualTo(packets);
    }

    @ParameterizedTest
    @CsvSource({"99, 0", "100, 1", "108, 1", "128, 1", "300, 1"})
    void countsOnePacketAfterAHeaderOfAnySize(long bytes, long packets) {
        assertThat(Framing.LAST.packets(bytes, 100)).isEqualTo(packets);
    }
}
