package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Checks what the JVMs of the sender and the receiver of a run log about classes and compilation. */
@Isolated
class PacketCompilationTest {
    /** In a warm-up of this length, the compiler compiles any loop with one iteration per 16 packets. */
    private static final String LONG_WARM_UP =
            """
            name: long-warm-up
            observe: none
            transports: [udp]
            packet-bytes: 100
            packets: 20000
            warm-up-packets: 150000
            pace: {mode: flood}
            drain: 100ms
            """;

    /** The parser of options, and the symbols of a date's format: a side needs neither, and both take time to load. */
    private static final String[] UNNEEDED = {" picocli.CommandLine ", " java.text.DateFormatSymbols "};

    /** The classes that Java makes for the archive. */
    private static final List<String> GENERATED = Stream.of(
                    "DirectMethodHandle", "DelegatingMethodHandle", "Invokers", "LambdaForm")
            .map(form -> " java.lang.invoke." + form + "$Holder ")
            .toList();

    @TempDir
    static Path directory;

    /** The logs of both sides. */
    private static List<String> sides = List.of();

    @BeforeAll
    static void run() throws Exception {
        Path logs = Files.createDirectory(directory.resolve("logs"));
        String logged = "JDK_JAVA_OPTIONS=-XX:StartFlightRecording -Xlog:jit+compilation=debug,class+load:file=" + logs
                + "/%p.log";
        Files.writeString(directory.resolve("experiment.yaml"), LONG_WARM_UP);
        try (LagbenchProcess sweep =
                LagbenchProcess.startBy(List.of("env", logged), directory, "sweep", "experiment.yaml")) {
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }
        try (Stream<Path> files = Files.list(logs)) {
            sides = files.map(PacketCompilationTest::text)
                    .filter(log -> log.contains(" org.lagbench.sender.Sender ")
                            || log.contains(" org.lagbench.receiver.Receiver "))
                    .toList();
        }
    }

    @Test
    void excludesOutermostLoopsFromCompilation() {
        assertThat(String.join("", sides))
                .contains("SendLoop::sendSome ", "ReceiveLoop::receiveSome ")
                .doesNotContain("SendLoop::send ", "ReceiveLoop::receiveAll ", "Phases::endOfPhase ");
    }

    @Test
    void loadsNoParserOfOptionsAndNoFormatOfDates() {
        assertThat(sides).hasSize(2).allSatisfy(log -> assertThat(log).doesNotContain(UNNEEDED));
    }

    /** Java 17 crashes when it loads a class that it made for the archive while a Flight Recorder runs. */
    @Test
    void loadsGeneratedClassesBeforeFlightRecorder() {
        assertThat(sides).hasSize(2).allSatisfy(log -> {
            int recorder = log.indexOf(" jdk.jfr.internal.JVM ");
            assertThat(GENERATED)
                    .allSatisfy(name -> assertThat(log.indexOf(name)).isBetween(0, recorder));
        });
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
