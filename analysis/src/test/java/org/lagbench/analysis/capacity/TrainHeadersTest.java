package org.lagbench.analysis.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.run.RunRecord;

@Tag("one-java")
class TrainHeadersTest {
    /** Sizes of RFC 791 (20), RFC 8200 (40) and RFC 768 (8). */
    @ParameterizedTest
    @CsvSource({"127.0.0.1:5000, 28", "[::1]:5000, 48", ", 28"})
    void countsHeadersOfTheAddressFamily(String address, int headerBytes, @TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory);
        session.run("train", "udp", 1_200)
                .sent(0, 1_000_000)
                .received(new long[] {0, 10}, new long[] {1, 1_000_010})
                .metadata(address == null ? Map.of() : Map.of("localAddress", address), Map.of())
                .write();
        Path run = directory.resolve("runs/train");
        int found = PacketTrain.ipHeaderBytes(RunRecord.read(run));
        assertThat(found).isEqualTo(headerBytes);
        assertThat(PacketTrain.read(run, 1_200, found).receivedBitsPerS()).isEqualTo(8_000.0 * (1_200 + headerBytes));
    }
}
