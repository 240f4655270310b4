package org.lagbench.analysis.cause;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.Metric;

/**
 * The ledgers of usual packets and of the slow ones of one run or of several, summed part by part.
 *
 * @param tail which packets are slow, by the transmit lag of their run
 * @param median the packets whose lags are next to the median of their run
 * @param slow the slow packets
 */
public record LedgerMetrics(Tail tail, LedgerTotal median, LedgerTotal slow) {
    /** The metrics of ledgers. */
    public static final List<Metric<LedgerMetrics>> METRICS = Stream.of(
                    List.of(Metric.<LedgerMetrics>number(
                            "ledger.tail",
                            "Slow packets",
                            "Quantile",
                            Metric.PERCENT,
                            Combination.NOT_JUDGED,
                            metrics -> metrics.tail.percent())),
                    Metric.within(LedgerMetrics::median, LedgerTotal.metrics("median", "Ledger of the median packets")),
                    Metric.within(LedgerMetrics::slow, LedgerTotal.metrics("slow", "Ledger of the slow packets")))
            .flatMap(List::stream)
            .toList();

    /** Returns the sum of these metrics and others of the same tail. */
    public LedgerMetrics plus(LedgerMetrics other) {
        return new LedgerMetrics(tail, median.plus(other.median), slow.plus(other.slow));
    }

    /**
     * The sum of the ledgers of some packets.
     *
     * @param packets their number
     * @param lagNs the sum of their lags, in ns: the sum of the parts
     * @param partsNs the sum of each part, in ns
     * @param notExplainedNs the sum of what is not explained, in ns
     */
    public record LedgerTotal(long packets, long lagNs, Map<SideCause, Double> partsNs, long notExplainedNs) {
        static final LedgerTotal NONE = new LedgerTotal(0, 0, Map.of(), 0);

        static List<Metric<LedgerTotal>> metrics(String which, String title) {
            String id = "ledger." + which + ".";
            return List.of(
                    Metric.packets(id + "packets", title, "Packets", LedgerTotal::packets)
                            .higherIsBetter(),
                    Metric.time(id + "lag", title, "Sum of lags", Combination.SUM, LedgerTotal::lagNs),
                    Metric.<Double>time("", title, "Sum of a part", Combination.SUM, ns -> ns)
                            .<LedgerTotal>inFamily(
                                    id + "parts.*",
                                    total -> Metric.entries(id + "parts.", total.partsNs, SideCause::text, ""))
                            .zeroIfAbsent(),
                    Metric.time(
                            id + "notExplained", title, "Not explained", Combination.SUM, LedgerTotal::notExplainedNs));
        }

        public LedgerTotal {
            partsNs = Collections.unmodifiableMap(new TreeMap<>(partsNs));
        }

        static LedgerTotal of(Ledger ledger) {
            Parts parts = ledger.parts();
            Map<SideCause, Double> partsNs = new TreeMap<>();
            parts.byCause().forEach((cause, ns) -> partsNs.put(cause, (double) ns));
            return new LedgerTotal(1, ledger.lagNs(), partsNs, parts.unexplainedNs());
        }

        LedgerTotal plus(LedgerTotal other) {
            Map<SideCause, Double> sum = new TreeMap<>(partsNs);
            other.partsNs.forEach((cause, ns) -> sum.merge(cause, ns, Double::sum));
            return new LedgerTotal(
                    packets + other.packets, lagNs + other.lagNs, sum, notExplainedNs + other.notExplainedNs);
        }
    }
}
