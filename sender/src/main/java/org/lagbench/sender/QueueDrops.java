package org.lagbench.sender;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Wire;
import org.lagbench.core.recorder.Recorder;
import org.lagbench.core.run.QueueDropFacts;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.socket.UdpCounters;

/** Counts the packets that a queue of this host dropped without an error of the call. */
final class QueueDrops implements Recorder {
    private static final QueueDropFacts NONE = new QueueDropFacts(0, 0);

    private final boolean isWanted;
    private final SendEngine sender;
    private @Nullable UdpCounters before;
    private UdpCounters since = UdpCounters.NONE;

    /** @param wire of the packets */
    QueueDrops(Wire wire, SendEngine sender) {
        this.isWanted = !wire.isStream();
        this.sender = sender;
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
        since = before == null ? UdpCounters.NONE : UdpCounters.read().since(before);
    }

    @Override
    public List<QueueDropFacts> metadata() {
        double packets = sender.packetsPerDatagram();
        QueueDropFacts drops = new QueueDropFacts(
                Math.round(packets * since.queueDrops()), Math.round(packets * since.unresolvedDrops()));
        return drops.equals(NONE) ? List.of() : List.of(drops);
    }
}
