package org.lagbench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.control.HandshakeInput;

/** Each target refuses damaged inputs as it documents. Another seed gives other inputs; a failure prints its input. */
@Tag("one-java")
class TargetTest {
    private static final int INPUTS =
            Integer.getInteger("lagbench.fuzz.inputs", Boolean.getBoolean("lagbench.thorough") ? 2_000 : 400);
    private static final long SEED = Long.getLong("lagbench.fuzz.seed", 1);

    /** Texts at the edges of what readers accept. */
    private static final List<String> EDGES = List.of(
            "-1",
            "0",
            "9223372036854775807",
            "-9223372036854775808",
            "1e308",
            "NaN",
            "null",
            "{}",
            "[]",
            "\"",
            "'",
            ":",
            "\u001b[2J",
            "\u0000",
            "é",
            "../",
            "*",
            "&a",
            "<<",
            "1e-400",
            "4294967296",
            "~",
            "!!binary",
            "%d");

    @ParameterizedTest
    @EnumSource(Target.class)
    void acceptsItsSeeds(Target target) throws Exception {
        for (byte[] seed : Seeds.of(target)) {
            if (!target.accepts(seed) && target == Target.MESSAGE) {
                fail("refused: %s", new String(seed, StandardCharsets.UTF_8));
            }
        }
        assertThat(Seeds.of(target)).anyMatch(target::accepts);
    }

    @Test
    void acceptsHandshakeOnlyOfPeerWithKey() {
        assertThat(HandshakeInput.seeds())
                .extracting(Target.HANDSHAKE::accepts)
                .containsExactly(false, true, false, true);
    }

    @ParameterizedTest
    @EnumSource(Target.class)
    void refusesDamagedInputsAsDocumented(Target target) throws Exception {
        List<byte[]> seeds = Seeds.of(target);
        SplittableRandom random = new SplittableRandom(SEED);
        int refused = 0;
        int inputs = target == Target.RUN ? INPUTS / 4 : INPUTS; // each is a whole analysis
        for (int number = 0; number < inputs; number++) {
            byte[] input = damage(seeds, random);
            try {
                refused += target.accepts(input) ? 0 : 1;
            } catch (AssertionError finding) {
                throw new AssertionError("input " + HexFormat.of().formatHex(input), finding);
            }
        }
        assertThat(refused).as("refused of %d", inputs).isPositive();
    }

    private static byte[] damage(List<byte[]> seeds, SplittableRandom random) {
        byte[] input = seeds.get(random.nextInt(seeds.size())).clone();
        for (int damages = 1 + random.nextInt(4); damages > 0; damages--) {
            input = damageOnce(input, seeds, random);
        }
        return input;
    }

    private static byte[] damageOnce(byte[] input, List<byte[]> seeds, SplittableRandom random) {
        if (input.length < 2) {
            return new byte[] {(byte) random.nextInt(), (byte) random.nextInt()};
        }
        int from = random.nextInt(input.length);
        int until = Math.min(input.length, from + 1 + random.nextInt(16));
        switch (random.nextInt(7)) {
            case 0 -> input[from] = (byte) random.nextInt();
            case 1 -> input[from] ^= (byte) (1 << random.nextInt(8));
            case 2 -> {
                return Arrays.copyOf(input, from);
            }
            case 3 -> {
                return join(Arrays.copyOf(input, from), Arrays.copyOfRange(input, until, input.length));
            }
            case 4 -> {
                byte[] edge = EDGES.get(random.nextInt(EDGES.size())).getBytes(StandardCharsets.UTF_8);
                return join(Arrays.copyOf(input, from), edge, Arrays.copyOfRange(input, until, input.length));
            }
            case 5 -> {
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                return join(
                        Arrays.copyOf(input, from),
                        Arrays.copyOfRange(other, random.nextInt(other.length), other.length));
            }
            default ->
                Arrays.fill(input, from, Math.min(input.length, from + 8), (byte) (random.nextBoolean() ? 0x7f : -1));
        }
        return input;
    }

    private static byte[] join(byte[]... parts) {
        byte[] joined =
                new byte[Arrays.stream(parts).mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, joined, at, part.length);
            at += part.length;
        }
        return joined;
    }
}
