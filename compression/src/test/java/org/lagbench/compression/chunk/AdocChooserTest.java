package org.lagbench.compression.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;

/** Tests AdOC's rule with queues whose compression levels this test's author computed by hand. */
class AdocChooserTest {
    private static final int PACKET_BYTES = 8_192;

    /** The queues are in packets. The first queue of 40 packets sets level 10, the highest. */
    @ParameterizedTest
    @CsvSource({
        // The level remains while a short queue grows, and halves otherwise. An empty queue resets it.
        "40 5 6 9 9 8 3,      10 5 5 5 2 1 0",
        "40 0 9,              10 0 0",
        // From 10 packets, the level follows the queue.
        "5 10 12 19 19 18 10, 0 1 2 3 3 2 1",
        // From 20 packets, the level rises by 2 and falls by 1.
        "9 20 29 29 28 20,    0 2 4 4 3 2",
        // From 30 packets, the level is the highest.
        "29 30 30 29 30,      2 10 10 9 10",
        // The level does not leave its range.
        "40 25 24 26 27 10 11 12, 10 9 8 10 10 9 10 10",
        "12 11 10,            1 0 0",
    })
    void followsTheQueue(String queues, String levels) throws Exception {
        ChunkChooser chooser = ChunkChooser.of(new CompressionSpec("adoc", "text"), Codecs.load());
        SocketState state = new SocketState();
        chooser.connected(0);

        List<Long> chosen = numbers(queues)
                .map(queue -> {
                    state.read(0, queue * PACKET_BYTES + PACKET_BYTES - 1, 0, 0);
                    chooser.progress(state);
                    return (long) chooser.choose(ByteBuffer.allocate(1));
                })
                .boxed()
                .toList();

        assertThat(chosen).isEqualTo(numbers(levels).boxed().toList());
    }

    private static LongStream numbers(String text) {
        return Stream.of(text.split(" ", -1)).mapToLong(Long::parseLong);
    }
}
