package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import org.lagbench.report.table.Document;
import org.lagbench.report.table.TableFormat;

class LabCountersTest {
    @Test
    void printsCountersOfEqualPlacesSideBySide() {
        List<Station> stations = List.of(
                new Station(
                        "relay forward", Map.of("queueFull", 1_234_567L, "lateOver10us", 3L, "latenessSumNs", 2_000L)),
                new Station("relay reverse", Map.of("queueFull", 0L, "lateOver10us", 12L, "latenessSumNs", 0L)),
                new Station("queue of sender", Map.of("packets", 20_000L)));
        assertThat(TableFormat.TEXT.text(new Document(LabCounters.tables(stations), List.of())))
                .isEqualTo(
                        """
                        Counters since the lab was created

                                            relay    relay
                        Counter           forward  reverse

                        late over 10us          3       12
                        lateness sum      2.00 µs     0 ns
                        queue full      1,234,567        0

                        Counters since the lab was created

                                  queue
                                     of
                        Counter  sender

                        packets  20,000

                        """);
    }
}
