package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.run.RunRecord.State;

class StreamSumTest {
    private final SessionFixture session;

    StreamSumTest(@TempDir Path directory) throws IOException {
        session = new SessionFixture(directory.resolve("session"));
    }

    @Test
    void countsArrivalsWhileAllStreamsArrive() throws Exception {
        // stream 1 arrives from 0 to 40 µs, stream 2 from 10 to 70 µs: 3 and 2 of their packets after 10 until 40 µs
        arriving("1", 0, 10, 20, 30, 40).stream("1", "2").write();
        arriving("2", 10, 25, 40, 55, 70).stream("2", "1").write();
        StreamSum sum = sums().get(0);
        assertThat(sums()).hasSize(1);
        assertThat(sum.streams()).isEqualTo(2);
        assertThat(sum.repeats()).isEqualTo(1);
        assertThat(sum.point().stream()).isNull();
        assertThat(sum.received().packetsPerS()).isCloseTo(5 / 30e-6, within(1e-6));
        assertThat(sum.received().mbitPerS()).isCloseTo(5 * 24 * 8 / 30.0, within(1e-9));
    }

    @Test
    void hasNoSumIfAStreamIsMissingOrDifferent() throws Exception {
        arriving("1", 0, 10).stream("1", "2", "3").write();
        arriving("2", 0, 10).stream("2", "1", "3").write();
        arriving("3", 0, 10).stream("3", "1", "2")
                .ended(State.BROKEN, "The receiver vanished.")
                .write();
        assertThat(sums()).isEmpty();
    }

    @Test
    void hasNoSumOfBothDirections() throws Exception {
        arriving("forward", 0, 10).stream("forward", "backward").write();
        arriving("backward", 0, 10).stream("backward", "forward").write();
        assertThat(sums()).isEmpty();
    }

    /** Returns a run of packets that arrive at these times in µs. */
    private RunFixture arriving(String name, long... us) {
        long[][] received = new long[us.length][];
        for (int i = 0; i < us.length; i++) {
            received[i] = new long[] {i, us[i] * 1_000};
        }
        return session.run(name + "-r1", "udp", 24).sent(new long[us.length]).received(received);
    }

    private List<StreamSum> sums() throws Exception {
        return Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT)
                .sums();
    }
}
