package org.lagbench.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.lagbench.core.lab.LinkDirection;
import org.lagbench.core.lab.Network;
import org.lagbench.core.lab.Queue;

/** How tc is told of rates, queues and impairments. */
final class Qdiscs {
    /** Preamble 8, frame check sequence 4, gap 12 bytes; the Ethernet header is counted by the kernel. */
    private static final int FRAMING_BYTES = 24;

    /** The shortest frame of 64 bytes, with preamble and gap. */
    private static final int SHORTEST_BYTES = 84;

    /** A full frame of an MTU of 1500 with framing, and room: with less in it the bucket never lets one pass. */
    private static final long LONGEST_BYTES = 1_600;

    /**
     * How late the kernel's timer may be and the link still be filled, in s. The timer tells tbf that there are tokens
     * for the next packet; those that found the bucket full meanwhile are lost. The price: after a pause as long as
     * this, so much goes without waiting for the rate.
     */
    private static final double CAUGHT_UP_S = 400e-6;

    /** What netem may hold, in packets: more than any link's rate and delay make of it. */
    private static final int NETEM_PACKETS = 1_000_000;

    private static final double PPM_PER_PERCENT = 10_000;

    private Qdiscs() {}

    /** The lines for `tc -batch` that shape what leaves a device; none if its rate is unlimited. */
    static List<String> shaping(String device, LinkDirection direction, Network.Framing framing) {
        List<String> lines = new ArrayList<>();
        long rate = direction.rateBitsPerS();
        if (rate > 0) {
            Queue queue = direction.queue();
            boolean packets = queue.unit() == Queue.Unit.PACKETS;
            boolean ethernet = framing == Network.Framing.ETHERNET;
            long least = Math.max(ethernet ? SHORTEST_BYTES : 0, direction.leastPacketBytes());
            long burst = Math.max(LONGEST_BYTES, least) + Math.round(rate / 8.0 * CAUGHT_UP_S);
            lines.add("qdisc add dev " + device + " root handle 1: tbf rate " + rate + "bit burst " + burst + " limit "
                    + (packets ? Queue.MAXIMUM_BYTES : queue.bytes(rate))
                    + (least > 0 ? " mpu " + least : "")
                    + (ethernet ? " overhead " + FRAMING_BYTES : ""));
            if (packets) {
                lines.add("qdisc add dev " + device + " parent 1: handle 2: pfifo limit " + queue.amount());
            }
        }
        return lines;
    }

    /** The line for `tc -batch` that impairs what leaves a device. */
    static String impairing(String device, LinkDirection direction) {
        StringBuilder line = new StringBuilder("qdisc add dev ")
                .append(device)
                .append(" root handle 1: netem limit ")
                .append(NETEM_PACKETS)
                .append(" delay ")
                .append(microseconds(direction.delayNs()));
        if (direction.jitterNs() > 0) {
            line.append(' ').append(microseconds(direction.jitterNs()));
        }
        share(line, "loss", direction.lossPpm());
        share(line, "duplicate", direction.duplicationPpm());
        share(line, "reorder", direction.reorderingPpm());
        return line.toString();
    }

    private static String microseconds(long ns) {
        return String.format(Locale.ROOT, "%.3fus", ns / 1e3);
    }

    private static void share(StringBuilder line, String word, int ppm) {
        if (ppm > 0) {
            line.append(' ')
                    .append(word)
                    .append(' ')
                    .append(String.format(Locale.ROOT, "%.4f%%", ppm / PPM_PER_PERCENT));
        }
    }
}
