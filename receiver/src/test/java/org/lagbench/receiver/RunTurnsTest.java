package org.lagbench.receiver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.StreamRole.Direction;

class RunTurnsTest {
    private static final StreamRole FORWARD = RunTurns.turn(Direction.FORWARD, null);

    private final RunTurns turns = new RunTurns(() -> false);

    @Test
    void beginsOneRunInEachDirectionWithOneHost() {
        assertThat(turns.begin(FORWARD, "a")).isTrue();
        assertThat(turns.begin(FORWARD, "a")).isFalse();
        StreamRole backward = RunTurns.turn(Direction.BACKWARD, null);
        assertThat(turns.begin(backward, "b")).isFalse();
        assertThat(turns.begin(backward, "a")).isTrue();
        turns.end(FORWARD);
        assertThat(turns.begin(FORWARD, "a")).isTrue();
    }

    @Test
    void beginsStreamsOfOneRun() {
        List<StreamRole> streams = StreamRole.parallel(List.of(Direction.FORWARD), 3);
        for (StreamRole stream : streams) {
            assertThat(turns.begin(stream, "a")).as(stream.name()).isTrue();
        }
        assertThat(turns.begin(streams.get(0), "a")).as("the same stream again").isFalse();
        assertThat(turns.begin(FORWARD, "a")).as("a run that is no stream").isFalse();
        StreamRole claimed = new StreamRole("4", Direction.FORWARD, List.of("1", "2", "3"));
        assertThat(turns.begin(claimed, "a"))
                .as("a stream that others do not name")
                .isFalse();
    }
}
