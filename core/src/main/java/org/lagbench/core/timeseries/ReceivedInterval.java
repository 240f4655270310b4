package org.lagbench.core.timeseries;

import java.util.List;
import org.lagbench.core.file.Within;

/**
 * What the receiver's capture shows of one interval of a run, about a second. A packet is <em>lost</em> in the interval
 * in which a packet with a greater sequence number arrives first. If it arrives in a later interval it is <em>late</em>
 * there, so that the sum of all {@code lost} less that of all {@code late} is the loss of the run. The last interval
 * expects all packets that were sent.
 *
 * @param durationNs length of the interval; the first begins with the first packet
 * @param received packets received, copies included
 * @param expected packets up to the highest sequence number that arrived, less those of the intervals before
 * @param lost how many of the expected packets did not arrive by the end of the interval
 * @param late packets that arrived in this interval and were lost in an earlier one
 * @param last whether the run is over
 * @param stamps sequence number and receive stamp, CLOCK_REALTIME in ns, in the order of arrival, of the first copies
 *     of packets, or of some if there are many; each number is the difference from that of the packet before
 */
public record ReceivedInterval(
        @Within(max = Within.LATEST_NS) long durationNs,
        @Within long received,
        @Within long expected,
        long lost,
        long late,
        boolean last,
        List<Long> stamps) {
    public ReceivedInterval {
        stamps = List.copyOf(stamps);
        if (stamps.size() % 2 != 0) {
            throw new IllegalArgumentException("stamps: the last sequence number has no stamp");
        }
    }

    /** Returns the number of packets that arrived for the first time. */
    public long firstCopies() {
        return expected - lost + late;
    }
}
