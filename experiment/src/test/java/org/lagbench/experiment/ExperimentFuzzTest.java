package org.lagbench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.LagbenchException;

/** Reading any mutated file gives an experiment that can be written and listed, or an error sentence. */
@Tag("one-java")
class ExperimentFuzzTest {
    private static final int MUTANTS =
            Integer.getInteger("lagbench.fuzz.inputs", Boolean.getBoolean("lagbench.thorough") ? 2_000 : 400);
    private static final byte[] VALID =
            """
            name: fuzz
            packets: 5000
            repeats: 2
            transports: [tcp, udp, bus]
            packet-bytes: [992, 24]
            pace:
              - {mode: spin, interval: 1.5ms}
              - flood
            seed: 12
            receiver: "[::1]:5001"
            key-file: 'a.key'   # a comment
            drain: 0s
            tcp: {no-delay: [true, false], send-buffer: 64KiB}
            udp:
              receive-buffer: |-
                auto
            """
                    .getBytes(StandardCharsets.UTF_8);
    private static final byte[] SPECIAL = "[]{}:,-?&*!|>'\"%@`#~<=    \t\n\r.\\0123456789abcsmuéµ\u0085\uFEFF\uFFFF\0/$"
            .getBytes(StandardCharsets.UTF_8);

    @Test
    void readsOrRefusesAnyMutation(@TempDir Path directory) throws Exception {
        ExperimentReader reader = new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL);
        SplittableRandom random = new SplittableRandom(1394);
        int read = 0;
        int refused = 0;
        for (int i = 0; i < MUTANTS; i++) {
            byte[] mutant = mutate(random);
            Path file = Files.write(directory.resolve("mutant.yaml"), mutant);
            try {
                Experiment experiment = reader.read(file);
                if (experiment.runCount() < 1_000) {
                    assertThat(experiment.runs(1)).hasSize((int) experiment.runCount());
                }
                Path copy = Files.writeString(directory.resolve("copy.yaml"), experiment.toYaml());
                assertThat(reader.read(copy)).isEqualTo(experiment);
                read++;
            } catch (LagbenchException e) {
                assertThat(e.sentence()).startsWith(directory.toString());
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("mutant " + i + ":\n" + new String(mutant, StandardCharsets.UTF_8), e);
            }
        }
        // Some mutated files are read and some refused: otherwise the mutations would be too wild or too tame.
        assertThat(read).isGreaterThan(MUTANTS / 50);
        assertThat(refused).isGreaterThan(MUTANTS / 50);
    }

    @Test
    void appliesOrRefusesAnyOverride(@TempDir Path directory) throws Exception {
        ExperimentReader reader = new ExperimentReader(FakeTransport.ALL, FakeEngine.ALL);
        Path file = Files.write(directory.resolve("valid.yaml"), VALID);
        List<String> keys = List.copyOf(reader.keys().keySet());
        SplittableRandom random = new SplittableRandom(2001);
        int refused = 0;
        for (int i = 0; i < MUTANTS / 4; i++) {
            byte[] value = new byte[random.nextInt(6)];
            for (int j = 0; j < value.length; j++) {
                value[j] = SPECIAL[random.nextInt(SPECIAL.length)];
            }
            String override = keys.get(random.nextInt(keys.size())) + "=" + new String(value, StandardCharsets.UTF_8);
            try {
                assertThat(reader.read(file, List.of(override)).toYaml()).isNotEmpty();
            } catch (LagbenchException e) {
                assertThat(e.sentence()).isNotEmpty();
                refused++;
            } catch (RuntimeException e) {
                throw new AssertionError("override " + override, e);
            }
        }
        assertThat(refused).isGreaterThan(MUTANTS / 50);
    }

    /** Removes, replaces, repeats or moves a few stretches of the valid file. */
    private static byte[] mutate(SplittableRandom random) {
        byte[] bytes = VALID.clone();
        int mutations = 1 + random.nextInt(3);
        for (int i = 0; i < mutations && bytes.length > 1; i++) {
            int from = random.nextInt(bytes.length);
            int to = Math.min(bytes.length, from + 1 + random.nextInt(8));
            bytes = switch (random.nextInt(4)) {
                case 0 -> join(bytes, from, new byte[0], to);
                case 1 -> join(bytes, from, new byte[] {SPECIAL[random.nextInt(SPECIAL.length)]}, from);
                case 2 -> join(bytes, to, Arrays.copyOfRange(bytes, from, to), to);
                default -> join(bytes, from, new byte[] {SPECIAL[random.nextInt(SPECIAL.length)]}, from + 1);
            };
        }
        return bytes;
    }

    private static byte[] join(byte[] bytes, int until, byte[] between, int from) {
        byte[] joined = Arrays.copyOf(bytes, until + between.length + bytes.length - from);
        System.arraycopy(between, 0, joined, until, between.length);
        System.arraycopy(bytes, from, joined, until + between.length, bytes.length - from);
        return joined;
    }
}
