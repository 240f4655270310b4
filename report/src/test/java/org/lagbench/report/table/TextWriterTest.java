package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.cause.Budget;
import org.lagbench.report.table.ExplanationTable.PacketBudget;

/** Tests wide tables with the 80 columns that the build sets for tests. */
class TextWriterTest {
    private static final String RUN = "0002-ieee1394-992-engine-java-nio-pace-r3";

    @Test
    void repeatsRunPacketAndLargestPartInEachContinuation() {
        List<PacketBudget> packets = Stream.of(4_711L, 4_712L)
                .map(packet -> new PacketBudget(RUN, new Budget(packet, 1_234_567_891, 12_345, List.of())))
                .toList();
        List<String> lines = ExplanationTable.slowest(packets)
                .text(TableFormat.TEXT)
                .lines()
                .filter(line -> line.startsWith(RUN))
                .toList();
        assertThat(lines).hasSizeGreaterThan(2).allSatisfy(line -> assertThat(line)
                .containsPattern("r3 +4,71[12] +Unexplained")
                .hasSizeLessThanOrEqualTo(80));
    }
}
