package org.lagbench.core.live;

import org.lagbench.core.file.StrictJson;

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
 * @param stamps sequence numbers and receive stamps, of some of the packets if there are many; see {@link StampSample}
 */
public record ReceivedInterval(
        long durationNs, long received, long expected, long lost, long late, boolean last, String stamps) {
    /** Returns the interval as JSON in one line. */
    public String text() {
        return StrictJson.line(this);
    }

    /**
     * Reads an interval from JSON.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static ReceivedInterval parse(String text) {
        return StrictJson.read(text, ReceivedInterval.class);
    }
}
