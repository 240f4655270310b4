package org.lagbench.analysis.capacity;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.lagbench.analysis.capacity.TransferForecast.Transfer;
import org.lagbench.analysis.statistics.Interval;

/**
 * The rate that TCP achieves over a path, estimated from the probes of that path.
 *
 * @param rate payload in bits per second
 * @param forecast forecasts the duration of transfers of other sizes
 */
public record PathEstimate(Interval rate, TransferForecast forecast) {
    /**
     * Returns the estimate from the last probe that filled the path.
     *
     * @param verdicts of all probes
     * @param elapsedNs the duration of each probe, until its answer was received
     * @return empty if no probe filled the path
     */
    public static Optional<PathEstimate> of(List<ProbeVerdict> verdicts, List<Double> elapsedNs) {
        return verdicts.stream()
                .filter(verdict -> verdict.verdict() == Verdict.NETWORK)
                .reduce((former, latter) -> latter)
                .map(filling -> of(filling, verdicts, elapsedNs));
    }

    private static PathEstimate of(ProbeVerdict filling, List<ProbeVerdict> verdicts, List<Double> elapsedNs) {
        Interval rate = new Interval(filling.bitsPerS(), filling.lowBitsPerS(), filling.highBitsPerS());
        SlowStart slowStart = new SlowStart(filling.initialWindow(), SlowStart.DOUBLING);
        double roundTripNs = verdicts.stream()
                .mapToDouble(ProbeVerdict::minRttNs)
                .filter(ns -> ns > 0)
                .min()
                .orElseThrow();
        List<Transfer> transfers = IntStream.range(0, verdicts.size())
                .mapToObj(i -> new Transfer(verdicts.get(i).bytes(), elapsedNs.get(i)))
                .filter(transfer -> transfer.bytes() > 0)
                .toList();
        return new PathEstimate(
                rate, new TransferForecast(slowStart, filling.segmentBytes(), roundTripNs, rate, transfers));
    }
}
