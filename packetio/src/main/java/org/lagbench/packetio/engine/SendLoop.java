package org.lagbench.packetio.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Pace;
import org.lagbench.packetio.transport.DatagramMarks;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.Phases;
import org.lagbench.packetio.transport.Retransmissions;
import org.lagbench.packetio.transport.SideConfig;

/** Sends packets from the calling thread, each when its pacer returns. Allocates nothing per packet. */
public final class SendLoop implements SendEngine {
    private static final int PACKETS_PER_ROUND = 16;

    private final PacketSender sender;
    private final SenderCapture capture;
    private final Phases phases;
    private final Replies replies;
    private volatile @Nullable Pacer pacing;
    private volatile boolean stopped;
    private final AtomicLong lastIndex = new AtomicLong(Long.MIN_VALUE);
    private long pushEvery;
    private long untilPush;
    private long cpuBeforeNs = ThreadCpuTime.currentNs();
    private long cpuNs = ThreadCpuTime.UNKNOWN;

    /** Creates the loop of a run, which also receives its replies if it has any. */
    SendLoop(PacketSender sender, SideConfig config, SenderCapture capture) {
        this.replies = Replies.of(config);
        this.sender = sender;
        this.capture = capture;
        this.phases = config.phases();
    }

    @Override
    public Map<String, String> announce() {
        return sender.announce();
    }

    @Override
    public void connect(Map<String, String> receiverAnnounced) throws LagbenchException {
        sender.connect(receiverAnnounced);
        try {
            replies.open(sender);
        } catch (IOException e) {
            throw ExitCode.UNAVAILABLE.failure("The sender cannot receive replies: " + IoErrors.reason(e) + ".", e);
        }
    }

    @Override
    public void send(long first, long end, Pace pace, long startNs) throws IOException {
        Pacer pacer = Pacer.of(pace);
        pushEvery = replies.sendsEach() ? 1 : pace.mode() == Pace.Mode.FLOOD ? Long.MAX_VALUE : pace.burst();
        untilPush = pushEvery;
        pacing = pacer;
        try {
            pacer.start(startNs);
            for (long from = first; from < end; ) {
                if (stopped) {
                    throw new InterruptedIOException("the run was stopped");
                }
                if (from == 0) {
                    sender.push(); // a batch has either recorded packets or others, never both
                    cpuBeforeNs = ThreadCpuTime.currentNs();
                } else if (from == phases.recorded()) {
                    sender.push();
                    noteCpu();
                }
                long to = Math.min(from + PACKETS_PER_ROUND, phases.endOfPhase(from, end));
                sendSome(from, to, first, pacer);
                from = to;
            }
        } catch (InterruptedException e) {
            throw new InterruptedIOException("the run was stopped");
        }
        sender.push();
        if (end > 0 && end <= phases.recorded()) {
            noteCpu();
        }
        sender.flush();
        if (end > phases.recorded()) {
            replies.drain();
        }
    }

    private void noteCpu() {
        long nowNs = ThreadCpuTime.currentNs();
        if (nowNs != ThreadCpuTime.UNKNOWN) {
            cpuNs = nowNs - cpuBeforeNs;
        }
    }

    /**
     * Sends packets of one phase: warm-up, recorded or lead-out. This separate method is called often, so that it is
     * already compiled at the highest tier when recording begins. No branch in it, or in what it calls, is taken by
     * recorded packets alone: the first of them would cause a recompilation. {@link #send} has such a branch; the JVM
     * options exclude it from compilation.
     */
    private void sendSome(long from, long to, long first, Pacer pacer) throws IOException, InterruptedException {
        for (long index = from; index < to; index++) {
            long scheduledNs = pacer.await(index - first);
            long sequence = phases.sequence(index);
            sender.send(sequence, scheduledNs, capture);
            untilPush--;
            if (untilPush == 0) {
                sender.push();
                untilPush = pushEvery;
            }
            replies.await(sequence);
            lastIndex.setOpaque(index);
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
    public long lastIndex() {
        return lastIndex.getOpaque();
    }

    @Override
    public @Nullable DatagramMarks datagramMarks() {
        return sender.datagramMarks();
    }

    @Override
    public double packetsPerDatagram() {
        return sender.packetsPerDatagram();
    }

    @Override
    public @Nullable Retransmissions retransmissions() {
        return sender.retransmissions();
    }

    @Override
    public void endSocketRecord() throws IOException {
        sender.endSocketRecord();
    }

    @Override
    public Map<String, Object> metadata() {
        Map<String, Object> metadata = new HashMap<>(sender.metadata());
        replies.putMetadata(metadata);
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
        replies.close();
    }
}
