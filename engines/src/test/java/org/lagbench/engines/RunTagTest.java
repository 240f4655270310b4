package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The tag of a run is a secret, with which anyone can forge packets. */
class RunTagTest {
    @TempDir
    private Path directory;

    /** Every user of a host can read the arguments of all processes. */
    @ParameterizedTest
    @CsvSource({"c, tcp", "onc-rpc, tcp", "libsrt, srt", "librist, rist"})
    void isNoArgumentOfProgram(String engine, String transport) throws Exception {
        try (InterfaceRun run = new InterfacesTest.Case(engine, transport, Map.of())
                .open(directory, 100, 1)
                .connect()) {
            List<String> programs = ProcessHandle.current()
                    .descendants()
                    .map(RunTagTest::arguments)
                    .filter(arguments -> arguments.contains(run.sentFile.toString())
                            || arguments.contains(run.receivedFile.toString()))
                    .toList();

            assertThat(programs).hasSize(2).allSatisfy(arguments -> assertThat(arguments)
                    .doesNotContainIgnoringCase(HexFormat.of().toHexDigits(InterfaceRun.TAG))
                    .doesNotContain(Long.toString(InterfaceRun.TAG)));
        }
    }

    private static String arguments(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // the process has ended
        }
    }
}
