package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * Kills a process of a run at a random moment: during the start, the warm-up, paced packets or floods. The property
 * lagbench.kills is the number of kills; lagbench.seed seeds the random numbers.
 */
@Tag("one-java")
@Execution(ExecutionMode.CONCURRENT)
@EnabledIfSystemProperty(named = "lagbench.kills", matches = "\\d+", disabledReason = "each kill takes some seconds")
class RandomKillTest {
    private static final long LONGEST_MS = 2_500;

    /** The first byte of a NumPy file. */
    private static final int FIRST_BYTE = 0x93;

    /** A run whose warm-up and packets take seconds each. */
    private static final String EXPERIMENT =
            """
            name: killed
            observe: none
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            packet-bytes: 100
            """;

    @TempDir
    private Path directory;

    static Stream<Kill> kills() {
        Random random = new Random(Long.getLong("lagbench.seed", 1));
        return IntStream.range(0, Integer.getInteger("lagbench.kills", 0)).mapToObj(i -> Kill.of(random));
    }

    /** One kill: a run, one of its processes, and when that is killed after it was found. */
    record Kill(String transport, String engine, String pace, long warmUpPackets, String victim, long afterMs) {
        static Kill of(Random random) {
            String transport = oneOf(random, "tcp", "udp", "ieee1394");
            boolean isNative = !transport.equals("ieee1394") && random.nextBoolean();
            boolean isFlood = random.nextBoolean();
            return new Kill(
                    transport,
                    isNative ? "c" : "java",
                    isFlood ? "flood" : "{mode: sleep, interval: 1ms}",
                    random.nextInt(3) > 0 ? 50 : isFlood ? 5_000_000 : 20_000,
                    isNative
                            ? oneOf(random, "receiver.Receiver", "sender.Sender", "lagbench-engine")
                            : oneOf(random, "receiver.Receiver", "sender.Sender"),
                    random.nextLong(LONGEST_MS));
        }

        private static String oneOf(Random random, String... words) {
            return words[random.nextInt(words.length)];
        }
    }

    @ParameterizedTest
    @MethodSource("kills")
    void keepsOnlyCompleteStamps(Kill kill) throws Exception {
        Sweeps sweeps = new Sweeps(directory);
        boolean isFlood = kill.pace().equals("flood");
        try (LagbenchProcess sweep = sweeps.startSetting(
                EXPERIMENT,
                "transports=" + kill.transport(),
                "engine=" + kill.engine(),
                "pace=" + kill.pace(),
                "warm-up-packets=" + kill.warmUpPackets(),
                "packets=" + (isFlood ? 5_000_000 : 40_000))) {
            ProcessHandle victim = sweep.awaitChild(kill.victim());
            List<ProcessHandle> children = sweep.children();
            TimeUnit.MILLISECONDS.sleep(kill.afterMs());
            if (victim.isAlive()) {
                LagbenchProcess.signal(victim, "KILL");
            }
            assertThat(sweep.exitCode())
                    .as(sweep.err())
                    .isIn(
                            ExitCode.OK.code(),
                            ExitCode.BROKEN.code(),
                            ExitCode.PEER.code(),
                            ExitCode.UNAVAILABLE.code());
            assertThat(sweep.err()).doesNotContain("\tat ").doesNotContain("Exception");
            await().atMost(Duration.ofSeconds(60)).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
        }
        for (Path run : Sweeps.runs(sweeps.session())) {
            checkFiles(run);
        }
    }

    private static void checkFiles(Path run) throws IOException, LagbenchException {
        try (Stream<Path> files = Files.list(run)) {
            assertThat(files.map(file -> file.getFileName().toString())).noneMatch(name -> name.endsWith(".partial"));
        }
        Path sender = run.resolve(SenderCapture.FILE_NAME);
        if (isCapture(sender)) {
            assertThat(tornRecords(sender, "sent_ns", true)).isZero();
        }
        Path receiver = run.resolve(ReceiverCapture.FILE_NAME);
        if (isCapture(receiver)) {
            assertThat(tornRecords(receiver, "received_ns", false)).isZero();
        }
    }

    /**
     * Returns whether a file is a capture. A process that was killed early may have left no file, or an incomplete one.
     */
    private static boolean isCapture(Path file) throws IOException {
        if (!Files.exists(file)) {
            return false;
        }
        try (InputStream bytes = Files.newInputStream(file)) {
            return bytes.read() == FIRST_BYTE;
        }
    }

    /** Counts the records that have no stamp, an unrecorded or repeated packet, or a wrong place. */
    private static long tornRecords(Path file, String stamp, boolean isInOrder) throws LagbenchException {
        BitSet seen = new BitSet();
        long torn = 0;
        try (CaptureReader capture = CaptureReader.open(file)) {
            int seqField = capture.field("seq");
            int stampField = capture.field(stamp);
            for (long i = 0; i < capture.records(); i++) {
                long seq = capture.value(i, seqField);
                boolean isWhole = capture.value(i, stampField) > 0
                        && seq >= 0
                        && (!isInOrder || seq == i)
                        && !seen.get(Math.toIntExact(seq));
                if (isWhole) {
                    seen.set(Math.toIntExact(seq));
                } else {
                    torn++;
                }
            }
        }
        return torn;
    }
}
