package org.lagbench.sender;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Wire;
import org.lagbench.core.recorder.Recorder;
import org.lagbench.core.run.QueueDropFacts;
import org.lagbench.packetio.socket.UdpCounters;

/** Counts the datagrams that a queue of this host's network interfaces dropped. */
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
        return "queueDrops";
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
    public List<QueueDropFacts> metadata() {
        return drops > 0 ? List.of(new QueueDropFacts(drops)) : List.of();
    }
}
