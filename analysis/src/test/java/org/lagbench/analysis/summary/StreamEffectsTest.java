package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.statistics.PairedRatio;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord.State;

class StreamEffectsTest {
    private final SessionFixture session;

    StreamEffectsTest(@TempDir Path directory) throws IOException {
        session = new SessionFixture(directory.resolve("session"));
    }

    @Test
    void comparesPacketsSentWhileAllStreamsWereActive() throws Exception {
        for (int repeat = 1; repeat <= 2; repeat++) {
            // stream a alone has lags of 100 and 200 ns; together three and six times as much, until b ends after 40 ns
            lags("a-alone", repeat, 0, 100L * repeat, 100L * repeat).stream("a").write();
            lags("b-alone", repeat, 0, 50, 50).stream("b").write();
            lags("a-together", repeat, 0, 300L * repeat * repeat, 100L * repeat).stream("a", "b")
                    .write();
            session
                    .run("b-together-r" + repeat, "udp", 24)
                    .sent(0, 10, 20, 30, 40)
                    .received(new long[] {0, 50}, new long[] {1, 60}, new long[] {2, 70}, new long[] {4, 90})
                    .stream("b", "a")
                    .write();
        }

        List<StreamEffect> effects = effects();

        assertThat(effects).extracting(effect -> effect.point().streamName()).containsExactly("a", "b");
        StreamEffect a = effects.get(0);
        assertThat(a.repeats()).isEqualTo(2);
        assertThat(a.sharedPart()).isEqualTo(0.5);
        assertThat(a.lostPartTogether()).isZero();
        PairedRatio median = Objects.requireNonNull(a.median());
        assertThat(median.aloneNs()).isCloseTo(Math.sqrt(100 * 200), within(1e-6));
        assertThat(median.ratio()).isCloseTo(Math.sqrt(3 * 6), within(1e-6));
        assertThat(effects.get(1).lostPartTogether()).isCloseTo(0.2, within(1e-9));
        assertThat(effects.get(1).sharedPart()).isEqualTo(1);
    }

    @Test
    void skipsRepeatWithoutAllStreams() throws Exception {
        lags("a-alone", 1, 0, 100, 100).stream("a").write();
        lags("a-together", 1, 0, 100, 100).stream("a", "b").write();
        lags("b-together", 1, 0, 100, 100).stream("b", "a")
                .ended(State.BROKEN, "The receiver vanished.")
                .write();

        assertThat(effects()).isEmpty();
    }

    /** Ten packets, one every 10 ns; the first five have the first lag, the other five the other lag. */
    private RunFixture lags(String name, int repeat, long startNs, long firstLagNs, long otherLagNs)
            throws IOException {
        long[] sent = new long[10];
        long[][] received = new long[10][];
        for (int i = 0; i < sent.length; i++) {
            sent[i] = startNs + 10L * i;
            received[i] = new long[] {i, sent[i] + (i < 5 ? firstLagNs : otherLagNs)};
        }
        return session.run(name + "-r" + repeat, "udp", 24).sent(sent).received(received);
    }

    private List<StreamEffect> effects() throws LagbenchException {
        return StreamEffect.of(Session.open(session.path()).runs());
    }
}
