package org.lagbench.sender;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Wire;
import org.lagbench.core.recorder.Recorder;
import org.lagbench.core.run.RunRecord;
import org.lagbench.packetio.socket.UdpCounters;

/** Counts the datagrams that a queue of this host's network interfaces dropped: {@link RunRecord.Side#QUEUE_DROPS}. */
final class QueueDrops implements Recorder {
    private final boolean isWanted;
    private @Nullable UdpCounters before;
    private long drops;

    /** @param wire of the packets */
    QueueDrops(Wire wire) {
        this.isWanted = !wire.isStream();
    }

    @Override
    public String name() {
        return RunRecord.Side.QUEUE_DROPS;
    }

    @Override
    public void begin() {
        before = isWanted ? UdpCounters.read() : null;
    }

    @Override
    public void write() {
        drops = before == null ? 0 : UdpCounters.read().since(before).queueDrops();
    }

    @Override
    public Map<String, Object> metadata() {
        return drops > 0 ? Map.of(RunRecord.Side.QUEUE_DROPS, drops) : Map.of();
    }
}
