package org.lagbench.analysis.media;

import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
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
 * <p>S is the stamp before the send call, where RTP has the sampling instant. J is computed without rounding, on the
 * first copy of each packet.
 *
 * @param lastNs J after the last packet in ns, which is what a receiver report tells; of several runs the mean; NaN if
 *     nothing came
 * @param meanNs mean of J over all arrivals in ns; NaN if nothing came
 * @param maximumNs greatest J in ns; NaN if nothing came
 */
public record Jitter(double lastNs, double meanNs, double maximumNs) {
    private static final double GAIN = 1.0 / 16;

    static Jitter of(List<JoinedRun> runs) throws LagbenchException {
        long arrivals = 0;
        double sum = 0;
        double maximum = 0;
        double finals = 0;
        int runsWithArrivals = 0;
        for (JoinedRun run : runs) {
            double jitter = 0;
            long previousNs = 0;
            boolean isFirst = true;
            for (long i = 0; i < run.received(); i++) {
                if (run.isFirstCopy(i)) {
                    // R − S: the difference of two of these is D, and no stamp's absolute size enters a double
                    long transitNs = run.receivedNs(i) - run.sentNs(run.packetOf(i));
                    if (!isFirst) {
                        jitter += (Math.abs((double) (transitNs - previousNs)) - jitter) * GAIN;
                    }
                    isFirst = false;
                    previousNs = transitNs;
                    sum += jitter;
                    maximum = Math.max(maximum, jitter);
                    arrivals++;
                }
            }
            if (!isFirst) {
                finals += jitter;
                runsWithArrivals++;
            }
        }
        return arrivals == 0
                ? new Jitter(Double.NaN, Double.NaN, Double.NaN)
                : new Jitter(finals / runsWithArrivals, sum / arrivals, maximum);
    }
}
