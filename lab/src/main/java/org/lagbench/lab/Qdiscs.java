package org.lagbench.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.lagbench.core.lab.LinkDirection;
import org.lagbench.core.lab.Network;
import org.lagbench.core.lab.Queue;

/** Builds the tc commands for rates, queues and impairments. */
final class Qdiscs {
    /** Preamble 8, frame check sequence 4, gap 12 bytes; the kernel counts the Ethernet header. */
    private static final int FRAMING_BYTES = 24;

    /** The minimum frame of 64 bytes, with preamble and gap. */
    private static final int MINIMUM_FRAME_BYTES = 84;

    /** A frame of an MTU of 1500 with framing and a reserve: a smaller bucket would never pass one. */
    private static final long MAXIMUM_FRAME_BYTES = 1_600;

    /**
     * Delay of the kernel's timer, in s, that does not reduce the rate of the link. The timer notifies tbf of tokens
     * for the next packet; tokens that meanwhile exceed the bucket are lost. In return, after a pause of this length
     * that many bytes are sent without waiting for the rate.
     */
    private static final double TIMER_DELAY_S = 400e-6;

    /** Queue limit of netem: more packets than any link's rate and delay require. */
    private static final int NETEM_PACKETS = 1_000_000;

    private static final double PPM_PER_PERCENT = 10_000;

    private Qdiscs() {}

    /** Returns the lines for `tc -batch` that shape the output of a device; empty if its rate is unlimited. */
    static List<String> shaping(String device, LinkDirection direction, Network.Framing framing) {
        List<String> lines = new ArrayList<>();
        long rate = direction.rateBitsPerS();
        if (rate > 0) {
            Queue queue = direction.queue();
            boolean packets = queue.unit() == Queue.Unit.PACKETS;
            boolean ethernet = framing == Network.Framing.ETHERNET;
            long least = Math.max(ethernet ? MINIMUM_FRAME_BYTES : 0, direction.leastPacketBytes());
            long burst = Math.max(MAXIMUM_FRAME_BYTES, least) + Math.round(rate / 8.0 * TIMER_DELAY_S);
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

    /** Returns the line for `tc -batch` that impairs the output of a device. */
    static String impairing(String device, LinkDirection direction) {
        return "qdisc add dev " + device + " root handle 1: netem limit " + NETEM_PACKETS + " delay "
                + microseconds(direction.delayNs())
                + (direction.jitterNs() > 0 ? " " + microseconds(direction.jitterNs()) : "")
                + percentage("loss", direction.lossPpm())
                + percentage("duplicate", direction.duplicationPpm())
                + percentage("reorder", direction.reorderingPpm());
    }

    private static String microseconds(long ns) {
        return String.format(Locale.ROOT, "%.3fus", ns / 1e3);
    }

    private static String percentage(String keyword, int ppm) {
        return ppm > 0 ? String.format(Locale.ROOT, " %s %.4f%%", keyword, ppm / PPM_PER_PERCENT) : "";
    }
}
