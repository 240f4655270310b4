package org.lagbench.analysis.curve;

import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/** The curves that there are of one run. Each is made in one pass over the captures. */
public enum RunCurve {
    /** Inter-packet delay at the sender in ns over the number of the later packet. */
    SEND_DELAY {
        @Override
        public void forEach(JoinedRun run, PointConsumer consumer) throws LagbenchException {
            if (run.sent() > 0) {
                long previous = run.sentNs(0);
                for (long i = 1; i < run.sent(); i++) {
                    long next = run.sentNs(i);
                    consumer.accept(i, next - previous);
                    previous = next;
                }
            }
        }
    },

    /**
     * Inter-packet delay at the receiver in ns over the number of the later packet: between one arrival and the next,
     * copies and overtaking packets included.
     */
    RECEIVE_DELAY {
        @Override
        public void forEach(JoinedRun run, PointConsumer consumer) throws LagbenchException {
            if (run.received() > 0) {
                long previous = run.receivedNs(0);
                for (long i = 1; i < run.received(); i++) {
                    long next = run.receivedNs(i);
                    consumer.accept(run.packetOf(i), next - previous);
                    previous = next;
                }
            }
        }
    },

    /** Transmit lag in ns over packet number. */
    LAG {
        @Override
        public void forEach(JoinedRun run, PointConsumer consumer) throws LagbenchException {
            for (long i = 0; i < run.received(); i++) {
                if (run.isFirstCopy(i)) {
                    long packet = run.packetOf(i);
                    consumer.accept(packet, run.receivedNs(i) - run.sentNs(packet));
                }
            }
        }
    },

    /** Transmit lag in ns over the time of sending in ns since the first packet was sent. */
    LAG_OVER_TIME {
        @Override
        public void forEach(JoinedRun run, PointConsumer consumer) throws LagbenchException {
            long beginNs = run.sent() == 0 ? 0 : run.sentNs(0);
            for (long i = 0; i < run.received(); i++) {
                if (run.isFirstCopy(i)) {
                    long sentNs = run.sentNs(run.packetOf(i));
                    consumer.accept(sentNs - beginNs, run.receivedNs(i) - sentNs);
                }
            }
        }

        @Override
        public long greatestX(JoinedRun run) throws LagbenchException {
            return run.sent() == 0 ? 0 : Math.max(0, run.sentNs(run.sent() - 1) - run.sentNs(0));
        }
    };

    /**
     * Hands every point to the consumer, in the order of sending or of arrival.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public abstract void forEach(JoinedRun run, PointConsumer consumer) throws LagbenchException;

    /** The x of the last packet sent; that of the first is 0. Nothing is beyond it unless a clock was set. */
    public long greatestX(JoinedRun run) throws LagbenchException {
        return Math.max(0, run.sent() - 1);
    }

    /**
     * The whole curve.
     *
     * @param columns how many, as of {@link Thinning}
     * @throws LagbenchException if the captures cannot be read
     */
    public Curve of(JoinedRun run, int columns) throws LagbenchException {
        return of(run, 0, greatestX(run), columns);
    }

    /**
     * The stretch of the curve from one x to another, both included.
     *
     * @throws LagbenchException if the captures cannot be read
     */
    public Curve of(JoinedRun run, long fromX, long toX, int columns) throws LagbenchException {
        Thinning thinning = new Thinning(fromX, toX, columns);
        forEach(run, thinning);
        return thinning.curve();
    }
}
