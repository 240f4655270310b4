package org.lagbench.packetio.jvm;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.cause.PacketThread;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.engine.ThreadCpuTime;
import org.lagbench.packetio.pace.Pacer;
import org.lagbench.packetio.transport.PacketSender;

/** Sends packets from the calling thread, each when its pacer returns. Allocates nothing per packet. */
public final class SendLoop implements SendEngine {
    private static final int PACKETS_PER_ROUND = 16;

    private final PacketSender sender;
    private final SenderCapture capture;
    private volatile @Nullable Pacer pacing;
    private volatile boolean stopped;
    private final AtomicLong lastSequence = new AtomicLong(Long.MIN_VALUE);
    private long pushEvery;
    private long untilPush;
    private long cpuBeforeNs = ThreadCpuTime.currentNs();
    private long cpuNs = ThreadCpuTime.UNKNOWN;

    public SendLoop(PacketSender sender, SenderCapture capture) {
        this.sender = sender;
        this.capture = capture;
    }

    @Override
    public Map<String, String> announce() {
        return sender.announce();
    }

    @Override
    public void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        sender.connect(receiverAnnounced);
    }

    @Override
    public @Nullable PacketThread thread() {
        return PacketThread.current();
    }

    @Override
    public void send(long first, long end, Pace pace) throws IOException {
        Pacer pacer = Pacer.of(pace);
        pushEvery = pace.mode() == Pace.Mode.FLOOD ? Long.MAX_VALUE : pace.burst();
        untilPush = pushEvery;
        pacing = pacer;
        try {
            pacer.start();
            for (long from = first; from < end; ) {
                if (stopped) {
                    throw new InterruptedIOException("stopped");
                }
                if (from == 0) {
                    sender.push(); // no batch has both warm-up and recorded packets
                    cpuBeforeNs = ThreadCpuTime.currentNs();
                }
                long to = Math.min(from + PACKETS_PER_ROUND, from < 0 ? Math.min(0, end) : end);
                sendSome(from, to, first, pacer);
                from = to;
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("stopped");
        }
        sender.push();
        long cpuAfterNs = ThreadCpuTime.currentNs();
        if (end > 0 && cpuAfterNs != ThreadCpuTime.UNKNOWN) {
            cpuNs = cpuAfterNs - cpuBeforeNs;
        }
        sender.flush();
    }

    /**
     * Sends packets of one kind, warm-up or recorded. This separate method is called often, so that it is already
     * compiled at the highest tier when recording begins. No branch in it, or in what it calls, is taken by recorded
     * packets alone: the first of them would cause a recompilation. {@link #send} has such a branch; the JVM options
     * exclude it from compilation.
     */
    private void sendSome(long from, long to, long first, Pacer pacer) throws IOException, InterruptedException {
        for (long sequence = from; sequence < to; sequence++) {
            long scheduledNs = pacer.await(sequence - first);
            sender.send(sequence, scheduledNs, capture);
            untilPush--;
            if (untilPush == 0) {
                sender.push();
                untilPush = pushEvery;
            }
            lastSequence.setOpaque(sequence);
        }
    }

    @Override
    public void stop() {
        stopped = true;
        Pacer pacer = pacing;
        if (pacer != null) {
            pacer.stop();
        }
    }

    @Override
    public long lastSequence() {
        return lastSequence.getOpaque();
    }

    @Override
    public void endStages() throws IOException {
        sender.endStages();
    }

    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new HashMap<>(sender.metadata());
        Pacer pacer = pacing;
        if (pacer != null) {
            metadata.putAll(pacer.metadata());
        }
        if (cpuNs != ThreadCpuTime.UNKNOWN) {
            metadata.put(ThreadCpuTime.METADATA_NAME, cpuNs);
        }
        return metadata;
    }

    @Override
    public void close() {
        sender.close();
    }
}
