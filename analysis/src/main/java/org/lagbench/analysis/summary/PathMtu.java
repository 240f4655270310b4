package org.lagbench.analysis.summary;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Combination;
import org.lagbench.core.run.ConnectionFacts;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.PathMtuFacts;
import org.lagbench.core.run.SideFacts;

/**
 * The MTU of the path at the end of runs, and in how many IP fragments it cut their packets.
 *
 * @param bytes the smallest MTU that the sending kernels knew; a kernel forgets the MTU of a path after some minutes
 * @param fragments IP packets per datagram; 1 if datagrams were not fragmented
 * @param isIpv6 whether they were sent over IPv6
 */
public record PathMtu(long bytes, long fragments, boolean isIpv6) {
    private static final int UDP_HEADER_BYTES = 8;
    private static final int IPV4_HEADER_BYTES = 20;
    private static final int IPV6_HEADER_BYTES = 40;
    private static final int IPV6_FRAGMENT_HEADER_BYTES = 8;
    private static final int UNIT_BYTES = 8; // unit of a fragment's offset (RFC 791)

    /** The metrics of the MTU. */
    static final List<Metric<PathMtu>> METRICS = List.of(
            Metric.size("pathMtu.bytes", "MTU of the path", "Min", Combination.MIN, PathMtu::bytes)
                    .higherIsBetter(),
            Metric.count(
                    "pathMtu.fragments",
                    "Fragments per packet",
                    "Count",
                    "fragments",
                    Combination.MAX,
                    PathMtu::fragments));

    /** Returns the MTU; null if no run recorded it. */
    static @Nullable PathMtu of(PooledRuns runs) {
        PathMtu smallest = null;
        for (Map<String, Object> sender : runs.senders()) {
            PathMtuFacts metadata = SideFacts.read(sender, PathMtuFacts.class);
            if (metadata != null && metadata.bytes() > 0) {
                ConnectionFacts connection = SideFacts.read(sender, ConnectionFacts.class);
                boolean isIpv6 = connection != null && connection.isIpv6();
                Long datagram = metadata.datagramBytes();
                PathMtu of =
                        of(metadata.bytes(), datagram == null ? runs.point().packetBytes() : datagram, isIpv6);
                smallest = smallest == null || of.bytes < smallest.bytes ? of : smallest;
            }
        }
        return smallest;
    }

    /** Returns the fragments of a UDP datagram (RFC 791 section 2.3, RFC 8200 section 4.5). */
    static PathMtu of(long mtuBytes, long datagramBytes, boolean isIpv6) {
        long header = isIpv6 ? IPV6_HEADER_BYTES : IPV4_HEADER_BYTES;
        long data = datagramBytes + UDP_HEADER_BYTES;
        if (data + header <= mtuBytes) {
            return new PathMtu(mtuBytes, 1, isIpv6);
        }
        long room = mtuBytes - header - (isIpv6 ? IPV6_FRAGMENT_HEADER_BYTES : 0);
        long perFragment = Math.max(UNIT_BYTES, room / UNIT_BYTES * UNIT_BYTES);
        return new PathMtu(mtuBytes, 1 + Math.max(0, data - room + perFragment - 1) / perFragment, isIpv6);
    }
}
