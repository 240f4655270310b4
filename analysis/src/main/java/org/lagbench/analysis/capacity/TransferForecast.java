package org.lagbench.analysis.capacity;

import java.util.List;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.text.Units;

/**
 * Forecasts the duration of a transfer of any size over a path, from the probes of that path.
 *
 * @param slowStart the initial window and its growth
 * @param segmentBytes payload of a segment
 * @param roundTripNs the least round trip
 * @param rate the path's, in payload bits per second
 * @param transfers the probes
 */
public record TransferForecast(
        SlowStart slowStart, int segmentBytes, double roundTripNs, Interval rate, List<Transfer> transfers) {

    public TransferForecast {
        transfers = List.copyOf(transfers);
    }

    /**
     * A measured transfer.
     *
     * @param elapsedNs from the first piece until the answer
     */
    public record Transfer(long bytes, double elapsedNs) {}

    /**
     * Returns the duration of a transfer in ns, from its first piece until its answer. The ends of the interval follow
     * from the ends of the rate's interval. Each end is then moved outward by the greatest forecast error of a probe in
     * that direction. The error of a smaller or equal probe counts in full, because a host delays a transfer only once.
     * The error of a larger probe counts in proportion to the duration. Because a further transfer also differs from an
     * equal one, both ends are moved by the greatest difference between probes of the same size.
     */
    public Interval timeNs(long bytes) {
        double low = timeNs(bytes, rate.high());
        double high = timeNs(bytes, rate.low());
        double before = 0;
        double after = 0;
        for (Transfer transfer : transfers) {
            double exactNs = timeNs(transfer.bytes(), rate.value());
            double errorNs = transfer.elapsedNs() - exactNs;
            before = Math.max(before, transfer.bytes() <= bytes ? -errorNs : -errorNs / exactNs * low);
            after = Math.max(after, transfer.bytes() <= bytes ? errorNs : errorNs / exactNs * high);
        }
        double differenceNs = greatestDifferenceNs();
        return new Interval(
                timeNs(bytes, rate.value()), Math.max(0, low - before - differenceNs), high + after + differenceNs);
    }

    private double greatestDifferenceNs() {
        double greatestNs = 0;
        for (Transfer transfer : transfers) {
            for (Transfer other : transfers) {
                if (transfer.bytes() == other.bytes()) {
                    greatestNs = Math.max(greatestNs, transfer.elapsedNs() - other.elapsedNs());
                }
            }
        }
        return greatestNs;
    }

    private double timeNs(long bytes, double bitsPerS) {
        return slowStart.transferNs(bytes, segmentBytes, roundTripNs, bitsPerS / Units.BITS_PER_BYTE);
    }
}
