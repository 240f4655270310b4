package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.RunFixture;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.cause.LostPacket;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.DeparturesCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.run.DropFacts;
import org.lagbench.core.run.RunRecord.LabRecord;
import org.lagbench.core.run.RunRecord.LabRecord.Station;

class ExplanationTableTest {
    private static final LabRecord LAB = new LabRecord(
            "net",
            "{loss: 1%}",
            0,
            null,
            List.of(
                    new Station("queue of sender", Map.of("drops", 3L)),
                    new Station("relay forward", Map.of("lost", 4L, "queueFull", 1L))));

    @TempDir
    private Path directory;

    @Test
    void namesPlacesWhereEmulatedNetworkLostPackets() throws Exception {
        Path run = lost().lab(LAB)
                .metadata(Map.of(), Map.of("dropTimes", DropFacts.OBSERVER, "dropTimesLost", 0))
                .write();
        try (GrowingCapture left = DeparturesCapture.create(run.resolve(DeparturesCapture.FILE_NAME))) {
            left.append(1, SessionFixture.EPOCH_NS + 1_500);
        }

        assertThat(sentence(run))
                .isEqualTo("r: packet 1 did not arrive. It left the sender's host. The receiving kernel did not drop"
                        + " it. The emulated network lost 3 at the queue of sender, 5 by the relay forward, warm-up"
                        + " included; its counters do not name the packets.");
    }

    @Test
    void namesWhoCountsLossesOfRealNetwork() throws Exception {
        assertThat(sentence(lost().write()))
                .isEqualTo("r: packet 1 did not arrive. Whether the receiving kernel dropped it was not recorded"
                        + " (observe: drops). Only the devices of a network count what it loses (ip -s link,"
                        + " ethtool -S).");
    }

    private RunFixture lost() throws Exception {
        return new SessionFixture(directory.resolve("session"))
                .run("r", "udp", 24)
                .sent(0, 1_000)
                .received(new long[] {0, 100});
    }

    private static String sentence(Path run) throws Exception {
        try (JoinedRun joined = JoinedRun.open(run)) {
            assertThat(LostPacket.of(joined, 0)).as("it arrived").isNull();
            return ExplanationTable.lost("r", Objects.requireNonNull(LostPacket.of(joined, 1)));
        }
    }
}
