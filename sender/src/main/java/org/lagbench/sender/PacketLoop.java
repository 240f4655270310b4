package org.lagbench.sender;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.pace.Pacer;
import org.lagbench.core.time.ThreadCpuTime;
import org.lagbench.core.transport.PacketSender;

/**
 * Sends packets one after the other, each when its pacer says so. One thread sends; another may look at
 * {@link #lastSequence()} and may {@link #stop()}. Allocates nothing a packet.
 */
final class PacketLoop {
    private final PacketSender sender;
    private final SenderCapture capture;
    private volatile @Nullable Pacer pacing;
    private volatile boolean stopped;
    private final AtomicLong lastSequence = new AtomicLong(Long.MIN_VALUE);
    private long cpuBeforeNs = ThreadCpuTime.currentNs();
    private long cpuNs = ThreadCpuTime.UNKNOWN;

    PacketLoop(PacketSender sender, SenderCapture capture) {
        this.sender = sender;
        this.capture = capture;
    }

    /**
     * Sends the packets numbered from {@code first} to {@code end}, {@code end} not included.
     *
     * @param flood whether packets may be handed over several at once
     * @throws InterruptedIOException if it was stopped before the last packet
     */
    void send(long first, long end, Pacer pacer, boolean flood) throws IOException {
        pacing = pacer;
        try {
            pacer.start();
            for (long sequence = first; sequence < end; sequence++) {
                if (stopped) {
                    throw new InterruptedIOException("stopped");
                }
                if (sequence == 0) {
                    cpuBeforeNs = ThreadCpuTime.currentNs();
                }
                long scheduledNs = pacer.await(sequence - first);
                sender.send(sequence, scheduledNs, capture);
                if (!flood) {
                    sender.push();
                }
                lastSequence.setOpaque(sequence);
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("stopped");
        }
        sender.push();
        long cpuAfterNs = ThreadCpuTime.currentNs();
        if (end > 0 && cpuAfterNs != ThreadCpuTime.UNKNOWN) {
            cpuNs = cpuAfterNs - cpuBeforeNs;
        }
    }

    /** What the recorded packets cost, waiting for their time included; for {@code run.json}, when all are sent. */
    Map<String, Object> facts() {
        return cpuNs == ThreadCpuTime.UNKNOWN ? Map.of() : Map.of(ThreadCpuTime.FACT, cpuNs);
    }

    /** Makes {@link #send} end soon, now and later. From any thread. */
    void stop() {
        stopped = true;
        Pacer pacer = pacing;
        if (pacer != null) {
            pacer.stop();
        }
    }

    /** The number of the packet sent last. From any thread. */
    long lastSequence() {
        return lastSequence.getOpaque();
    }
}
