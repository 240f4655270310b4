package org.lagbench.runner.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.model.MatrixSpec;
import org.lagbench.core.model.Site;

class PairMeasurementTest {
    /** A bottleneck search computes the size of a transfer from a measured rate. */
    @Test
    void sendsWholePiecesOfAnySize() throws Exception {
        Site from = new Site("a", new Endpoint("192.0.2.7", 5394), null);
        Site to = new Site("b", new Endpoint("192.0.2.8", 5394), null);
        PairMeasurement pair = new PairMeasurement(
                new MatrixSpec("m", 200, 500, 4_000_000, 0, List.of(from, to), List.of()), from, to);

        assertThat(pair.transfer(1_000_001).runs(1))
                .singleElement()
                .extracting(run -> run.point().packets())
                .isEqualTo(61L); // of 16,384 bytes each
    }
}
