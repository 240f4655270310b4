package org.lagbench.analysis.series;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.statistics.Thinning;
import org.lagbench.analysis.statistics.Thinning.Curve;
import org.lagbench.core.failure.LagbenchException;

/** The curves of a run. Each takes one pass through the captures. */
public enum RunCurve {
    /** Inter-packet delay at the sender in ns over the number of the later packet. */
    SEND_DELAY {
        @Override
        public void forEach(JoinedRun run, PointConsumer points) throws LagbenchException {
            long[] packet = {0};
            PacketDelay.SEND_DELAY.forEach(run, delayNs -> points.accept(++packet[0], packet[0], delayNs));
        }
    },

    /** Inter-packet delay at the receiver in ns over the number of the later packet, in the order of arrival. */
    RECEIVE_DELAY {
        @Override
        public void forEach(JoinedRun run, PointConsumer points) throws LagbenchException {
            long previousNs = run.received() == 0 ? 0 : run.receivedNs(0);
            for (long i = 1; i < run.received(); i++) {
                long receivedNs = run.receivedNs(i);
                points.accept(run.packetOf(i), run.packetOf(i), receivedNs - previousNs);
                previousNs = receivedNs;
            }
        }
    },

    /** Transmit lag in ns over packet number. */
    LAG {
        @Override
        public void forEach(JoinedRun run, PointConsumer points) throws LagbenchException {
            run.forEachFirstCopy(
                    (arrival, packet) -> points.accept(packet, packet, run.receivedNs(arrival) - run.sentNs(packet)));
        }
    },

    /** Transmit lag in ns over the time of sending in ns since the first packet was sent. */
    LAG_OVER_TIME {
        @Override
        public void forEach(JoinedRun run, PointConsumer points) throws LagbenchException {
            long beginNs = run.sent() == 0 ? 0 : run.sentNs(0);
            run.forEachFirstCopy((arrival, packet) -> {
                long sentNs = run.sentNs(packet);
                points.accept(packet, sentNs - beginNs, run.receivedNs(arrival) - sentNs);
            });
        }

        @Override
        public long maxX(JoinedRun run) throws LagbenchException {
            return run.sent() == 0 ? 0 : Math.max(0, run.sentNs(run.sent() - 1) - run.sentNs(0));
        }
    };

    /** Accepts the points of a curve. */
    @FunctionalInterface
    public interface PointConsumer {
        /** Accepts the next point and the number of its packet. */
        void accept(long packet, long x, long y);
    }

    /** Passes every point to the consumer, in the order of sending or of arrival. */
    public abstract void forEach(JoinedRun run, PointConsumer points) throws LagbenchException;

    /** Returns the x of the last packet sent; that of the first is 0. Only a clock step puts points beyond it. */
    public long maxX(JoinedRun run) throws LagbenchException {
        return Math.max(0, run.sent() - 1);
    }

    /**
     * Returns the whole curve.
     *
     * @param columns the number of columns of {@link Thinning}
     */
    public Curve of(JoinedRun run, int columns) throws LagbenchException {
        return of(run, 0, maxX(run), columns);
    }

    /** Returns the curve from one x to another, inclusive. */
    public Curve of(JoinedRun run, long fromX, long toX, int columns) throws LagbenchException {
        Thinning thinning = new Thinning(fromX, toX, columns);
        forEach(run, thinning::accept);
        return thinning.curve();
    }
}
