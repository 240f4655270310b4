package org.lagbench.core.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.run.StreamRole.Direction;

class StreamRoleTest {
    @Test
    void givesEqualStreamsOneRole() {
        StreamRole backward =
                StreamRole.parallel(List.of(Direction.BACKWARD), 3).get(1);
        assertThat(backward.equalStreams()).isEqualTo(3);
        assertThat(backward.ofAllStreams()).isEqualTo(new StreamRole("backward", Direction.BACKWARD, List.of()));
        List<StreamRole> both = StreamRole.parallel(List.of(Direction.FORWARD, Direction.BACKWARD), 2);
        assertThat(both.get(3).equalStreams()).isEqualTo(2);
        assertThat(both.get(0).ofAllStreams())
                .isEqualTo(new StreamRole("forward", Direction.FORWARD, List.of("backward")));
    }
}
