package org.lagbench.sender;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.cause.Cause;
import org.lagbench.core.cause.EventCounter;
import org.lagbench.core.cause.RetransmissionTrace;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.recorder.Recorder;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.core.run.RetransmissionFacts;
import org.lagbench.core.run.SideFacts;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.transport.Retransmissions;

/**
 * Counts what the kernel retransmits during a run, and finds when; also when a full receive window stopped it. A loss
 * delays packets from the moment when the first unacknowledged segment was sent until it was retransmitted. That time
 * is a round trip before the acknowledgments stopped, or when the connection was last idle.
 *
 * <p>One thread calls the recorder; another one uses the counters.
 */
final class RetransmissionMonitor implements Recorder {
    private static final String BY_COUNT = "TCP_INFO, every ms";

    private final SendEngine sender;
    private final boolean isObserved;
    private final FullWindows fullWindows = new FullWindows();
    private @Nullable Retransmissions before;
    private @Nullable RetransmissionTrace trace;
    private volatile String times = BY_COUNT;

    private @Nullable Retransmissions counted;
    private long ackedBytes = -1;
    private long idleNs;
    private long waitingSinceNs;
    private long startNs;

    /** @param isObserved whether to find the times too, by a trace if this machine can */
    RetransmissionMonitor(SendEngine sender, boolean isObserved) {
        this.sender = sender;
        this.isObserved = isObserved;
    }

    @Override
    public String name() {
        return "retransmissions";
    }

    @Override
    public void connected() {
        Retransmissions now = sender.retransmissions();
        if (now == null) {
            return;
        }
        ackedBytes = now.ackedBytes();
        idleNs = now.atNs();
        waitingSinceNs = now.atNs();
        ConnectionFacts connection = SideFacts.read(sender.metadata(), ConnectionFacts.class);
        String local = connection == null ? null : connection.localAddress();
        String remote = connection == null ? null : connection.remoteAddress();
        if (isObserved && local != null && remote != null) {
            try {
                trace = RetransmissionTrace.start(Endpoint.parse(local).port(), Endpoint.parse(remote));
                times = trace == null ? times : "tcp:tcp_retransmit_skb";
            } catch (IOException e) {
                times = BY_COUNT + ", because the kernel cannot be traced: " + IoErrors.reason(e);
            }
        }
    }

    @Override
    public void begin() {
        before = sender.retransmissions();
    }

    /** Returns the counters for a recorder of causes; empty if not observed, or without retransmissions. */
    List<EventCounter> counters() {
        return !isObserved || sender.retransmissions() == null
                ? List.of()
                : List.of(
                        EventCounter.ofSpans(Cause.RETRANSMISSION, this::count, () -> startNs, this::timesNs),
                        EventCounter.ofSpans(
                                Cause.RECEIVE_WINDOW, this::windows, fullWindows::startNs, fullWindows::endsNs));
    }

    private long count() {
        Retransmissions now = sender.recentRetransmissions();
        counted = now;
        if (now == null) {
            return -1;
        }
        startNs = waitingSinceNs;
        if (now.unackedSegments() == 0) {
            idleNs = now.atNs();
            waitingSinceNs = idleNs;
        } else if (now.ackedBytes() != ackedBytes) {
            waitingSinceNs = Math.max(idleNs, now.atNs() - now.rttNs());
        }
        ackedBytes = now.ackedBytes();
        return now.segments();
    }

    /** Counts full windows by the last reading of {@link #count}. */
    private long windows() {
        Retransmissions now = counted;
        return now == null ? -1 : fullWindows.count(now);
    }

    private long[] timesNs() {
        try {
            return trace == null ? new long[0] : trace.timesNs();
        } catch (IOException e) {
            times = BY_COUNT + ", because the trace cannot be read: " + IoErrors.reason(e);
            return new long[0];
        }
    }

    @Override
    public List<RetransmissionFacts> metadata() {
        Retransmissions since = before;
        Retransmissions now = sender.retransmissions();
        if (since == null || now == null) {
            return List.of();
        }
        long segments = now.segments() - since.segments();
        return List.of(
                now.bytes() < 0
                        ? new RetransmissionFacts(segments, null, null, null, times)
                        : new RetransmissionFacts(
                                segments,
                                now.bytes() - since.bytes(),
                                now.needless() - since.needless(),
                                now.reorderings() - since.reorderings(),
                                times));
    }

    @Override
    public void close() throws IOException {
        if (trace != null) {
            trace.close();
        }
    }
}
