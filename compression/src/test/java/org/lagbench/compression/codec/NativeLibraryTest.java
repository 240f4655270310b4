package org.lagbench.compression.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.model.Codecs;

class NativeLibraryTest {
    /** A process that is killed deletes nothing. */
    @ParameterizedTest
    @CsvSource({"zstd-3, libzstd-jni", "snappy, libsnappyjava"})
    void leavesNoFileOfLoadedLibrary(String codec, String library) throws Exception {
        Codecs.openDecoder(Codecs.load().choice(codec).orElseThrow().codec());

        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            assertThat(maps.filter(line -> line.contains(library))).isNotEmpty().allSatisfy(line -> assertThat(line)
                    .contains("/lagbench-codec-")
                    .endsWith(" (deleted)"));
        }
    }
}
