package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.lagbench.core.capture.TransferFiles;

/**
 * Compares the verdicts on recorded transfers over emulated links with the known payload rate of the link: 1448 of 1538
 * bytes. Each line of a file is a state of the connection; times begin at 0.
 */
class RecordedProbeTest {
    private static final double PAYLOAD_SHARE = 1_448.0 / 1_538;

    /**
     * 4 MiB by bbr over a link of 1 Gb/s without delay, on busy hosts. The bytes were acknowledged at 287 Mb/s,
     * steadily for 30 ms, and bbr had left startup.
     */
    @Test
    void doesNotBlameNetworkForBusyHosts() throws IOException {
        ProbeVerdict verdict = ProbeVerdict.of(recorded("busy-hosts-bbr.csv"));
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.UNCERTAIN);
    }

    /** 256 KiB by bbr over a link of 20 Mb/s with a round trip of 10 ms. */
    @Test
    void recognizesSaturatedLinkWithBbr() throws IOException {
        ProbeVerdict verdict = ProbeVerdict.of(recorded("full-path-bbr.csv"));
        assertThat(verdict.verdict()).isEqualTo(TransferLimit.NETWORK);
        assertThat(verdict.bitsPerS()).isCloseTo(20e6 * PAYLOAD_SHARE, within(0.02 * 20e6));
    }

    private static ProbeCurve recorded(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(RecordedProbeTest.class.getResourceAsStream(file), file)) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            assertThat(lines.get(0)).isEqualTo(String.join(",", TransferFiles.TCP_FIELDS));
            return ProbeCurves.of(lines.stream()
                    .skip(1)
                    .map(line -> Arrays.stream(line.split(","))
                            .mapToLong(Long::parseLong)
                            .toArray())
                    .toList());
        }
    }
}
