package org.lagbench.analysis.series;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Thinning.Curve;

/** Packet 4 is lost, packet 2 overtakes packet 1, packet 3 arrives twice, packet 5 arrives before it was sent. */
class RunCurveTest {
    private Path directory;

    @BeforeEach
    void makeRun(@TempDir Path session) throws Exception {
        directory = new SessionFixture(session)
                .run("0001-udp-24-r1", "udp", 24)
                .sent(0, 105, 210, 300, 420, 501)
                .received(
                        new long[] {0, 40},
                        new long[] {2, 230},
                        new long[] {1, 235},
                        new long[] {3, 360},
                        new long[] {3, 365},
                        new long[] {5, 491})
                .write();
    }

    @Test
    void plotsSendDelayAtTheLaterPacket() throws Exception {
        assertThat(points(RunCurve.SEND_DELAY)).containsExactly("1 105", "2 105", "3 90", "4 120", "5 81");
    }

    @Test
    void plotsReceiveDelayAtTheLaterArrival() throws Exception {
        // arrivals 0 2 1 3 3 5, in the order of x
        assertThat(points(RunCurve.RECEIVE_DELAY)).containsExactly("1 5", "2 190", "3 125", "3 5", "5 126");
    }

    @Test
    void plotsLagOfFirstCopies() throws Exception {
        assertThat(points(RunCurve.LAG)).containsExactly("0 40", "1 130", "2 20", "3 60", "5 -10");
    }

    @Test
    void plotsLagAtTheTimeOfSending() throws Exception {
        assertThat(points(RunCurve.LAG_OVER_TIME)).containsExactly("0 40", "105 130", "210 20", "300 60", "501 -10");
    }

    @Test
    void limitsACurveToARangeOfPackets() throws Exception {
        try (JoinedRun run = JoinedRun.open(directory)) {
            Curve curve = RunCurve.LAG.of(run, 2, 3, 10);
            assertThat(curve.size()).isEqualTo(2);
            assertThat(curve.x(0)).isEqualTo(2);
            assertThat(curve.y(1)).isEqualTo(60);
        }
    }

    @Test
    void plotsNothingOfAnEmptyRun(@TempDir Path session) throws Exception {
        Path empty =
                new SessionFixture(session).run("0001-udp-24-r1", "udp", 24).write();
        try (JoinedRun run = JoinedRun.open(empty)) {
            for (RunCurve curve : RunCurve.values()) {
                assertThat(curve.of(run, 100).size()).isZero();
            }
        }
    }

    private List<String> points(RunCurve which) throws Exception {
        try (JoinedRun run = JoinedRun.open(directory)) {
            Curve curve = which.of(run, 1_000);
            List<String> points = new ArrayList<>();
            for (int i = 0; i < curve.size(); i++) {
                points.add(curve.x(i) + " " + curve.y(i));
            }
            return points;
        }
    }
}
