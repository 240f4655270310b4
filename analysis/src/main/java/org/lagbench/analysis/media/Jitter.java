package org.lagbench.analysis.media;

import java.util.List;
import java.util.function.LongConsumer;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.series.Series;
import org.lagbench.core.failure.LagbenchException;

/**
 * Interarrival jitter (RFC 3550 §6.4.1). For packets i − 1 and i in the order of arrival, whatever their sequence
 * numbers, with S the time sent and R the time received,
 *
 * <pre>
 *   D(i−1, i) = (R(i) − R(i−1)) − (S(i) − S(i−1))
 *   J(i) = J(i−1) + (|D(i−1, i)| − J(i−1)) / 16,   J of the first packet = 0
 * </pre>
 *
 * <p>S is the stamp before the send call, where RTP uses the sampling instant. J is computed without rounding, on the
 * first copy of each packet.
 *
 * @param lastNs J after the last packet in ns, as in a receiver report; the mean over several runs; NaN if nothing
 *     arrived
 * @param meanNs mean of J over all arrivals in ns: the sum of J divided by their number, the first of each run (J = 0)
 *     included; RFC 3550 defines no mean; NaN if nothing arrived
 * @param maximumNs greatest J in ns; NaN if nothing arrived
 */
public record Jitter(double lastNs, double meanNs, double maximumNs) {
    private static final double GAIN = 1.0 / 16;

    static Jitter of(List<JoinedRun> runs) throws LagbenchException {
        JitterSum sum = new JitterSum();
        double last = 0;
        int runsWithArrivals = 0;
        for (JoinedRun run : runs) {
            sum.isFirst = true;
            Series.TRANSMIT_LAG.forEach(run, sum);
            if (!sum.isFirst) {
                last += sum.jitter;
                runsWithArrivals++;
            }
        }
        return sum.arrivals == 0
                ? new Jitter(Double.NaN, Double.NaN, Double.NaN)
                : new Jitter(last / runsWithArrivals, sum.sum / sum.arrivals, sum.maximum);
    }

    /** Accepts lags R − S: the difference of two is D, and no absolute stamp becomes a double. */
    private static final class JitterSum implements LongConsumer {
        private boolean isFirst;
        private long previousNs;
        private double jitter;
        private long arrivals;
        private double sum;
        private double maximum;

        @Override
        public void accept(long lagNs) {
            jitter = isFirst ? 0 : jitter + (Math.abs((double) (lagNs - previousNs)) - jitter) * GAIN;
            isFirst = false;
            previousNs = lagNs;
            sum += jitter;
            maximum = Math.max(maximum, jitter);
            arrivals++;
        }
    }
}
