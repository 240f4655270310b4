package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.lagbench.core.run.Pace;

@Isolated("it reads the memory of this process, to which other tests add drivers of Aeron that still start")
class SharedMemoryTest {
    /** One of a process that was killed before its first packet. Nobody holds its lock. */
    @Test
    void deletesMemoryOfKilledProcess(@TempDir Path directory) throws Exception {
        Path memory = Path.of("/dev/shm");
        Path left = Files.createTempDirectory(memory, "lagbench-aeron-1-");
        Files.createFile(left.resolve("owner"));
        Files.write(Files.createDirectory(left.resolve("driver")).resolve("cnc.dat"), new byte[1_000]);
        InterfaceRun.open(directory, "aeron", "udp", Map.of(), 100, 10, 2, 5).close();

        assertThat(left).doesNotExist();
    }

    /** A killed process deletes nothing: the memory of Aeron's driver must have no name while packets flow. */
    @Test
    void mapsOnlyUnnamedSharedMemory(@TempDir Path directory) throws Exception {
        try (InterfaceRun run = InterfaceRun.open(directory, "aeron", "udp", Map.of(), 100, 10, 2, 5)) {
            run.connect().sender.send(0, 10, Pace.flood());
            run.receiver.drain(10_000);
            assertThat(run.receiver.counts().received()).isEqualTo(10);
            // another thread of the receiver deletes them, after the first packet
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                List<String> mapped = Files.readAllLines(Path.of("/proc/self/maps")).stream()
                        .filter(line -> line.contains(" /dev/shm/"))
                        .toList();
                assertThat(mapped).isNotEmpty().allMatch(line -> line.endsWith(" (deleted)"));
            });
        }
    }
}
