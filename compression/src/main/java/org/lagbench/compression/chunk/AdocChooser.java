package org.lagbench.compression.chunk;

import java.nio.ByteBuffer;
import java.util.List;
import org.lagbench.core.model.Codec;

/**
 * Chooses by the queue rule of AdOC (Jeannot, Knutsson and Björkman, "Adaptive Online Data Compression", 2002): a
 * longer send queue allows a higher level. The socket has no queue of packets, so the queue length is the number of
 * unacknowledged bytes, in packets of 8 KiB. From 30 packets, the level is the highest: this program's own choice.
 */
final class AdocChooser implements ChunkChooser {
    private static final int PACKET_BYTES = 1 << 13;
    private static final int SHORT = 10;
    private static final int MEDIUM = 20;
    private static final int LONG = 30;

    private final List<Codec.Choice> codecs;
    private long previous;
    private long queue;
    private int level;

    /** @param codecs one for each level, from no compression to the slowest codec */
    AdocChooser(List<Codec.Choice> codecs) {
        this.codecs = codecs;
    }

    @Override
    public List<Codec.Choice> codecs() {
        return codecs;
    }

    @Override
    public int choose(ByteBuffer chunk) {
        long growth = queue - previous;
        previous = queue;
        int next = level;
        if (queue == 0) {
            next = 0;
        } else if (queue < SHORT) {
            next = growth > 0 ? level : level / 2;
        } else if (queue < MEDIUM) {
            next = level + Long.signum(growth);
        } else if (queue < LONG) {
            next = growth > 0 ? level + 2 : growth < 0 ? level - 1 : level;
        } else {
            next = codecs.size() - 1;
        }
        level = Math.max(0, Math.min(codecs.size() - 1, next));
        return level;
    }

    @Override
    public void progress(SocketState state) {
        queue = state.occupancyBytes() / PACKET_BYTES;
    }

    @Override
    public void connected(long previousBytes) {
        queue = 0;
        previous = 0;
        level = 0;
    }
}
