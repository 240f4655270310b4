package org.lagbench.analysis.summary;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.run.PacketError;

class LossPlacesTest {
    /** Of five lost packets the error explains two, an unknown link address and the host's queues one each. */
    @ParameterizedTest
    @EnumSource
    void fullQueueIsTheOnlyErrorThatIsNotOfTheCall(PacketError error, @TempDir Path directory) throws Exception {
        SessionFixture session = new SessionFixture(directory);
        session.run("0001-udp-100-r1", "udp", 100)
                .sent(0, 10, 20, 30, 40, 50)
                .received(new long[] {0, 5})
                .metadata(
                        Map.of("failedSends", Map.of(error.name(), 2), "queueDrops", 1, "unresolvedDrops", 1), Map.of())
                .write();

        LossPlaces places = Summaries.of(Session.open(directory), SummaryOptions.DEFAULT)
                .points()
                .get(0)
                .pooled()
                .require(MetricGroup.LOSS_PLACES);

        boolean isQueue = error == PacketError.ENOBUFS; // the counter has the packets that the error has
        assertThat(places)
                .isEqualTo(new LossPlaces(isQueue ? 1 : 3, isQueue ? 2 : 1, isQueue ? 2 : 1, 0, 0, 0, 0, 0, 0));
    }
}
