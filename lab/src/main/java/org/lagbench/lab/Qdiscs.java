package org.lagbench.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.lagbench.core.model.LinkDirection;
import org.lagbench.core.model.Network;

/** Builds the tc commands for rates, queues and impairments. */
final class Qdiscs {
    /**
     * The minimum size of the bucket in bytes: a full frame with an MTU of 1500, and a reserve. A frame larger than the
     * bucket would never leave it.
     */
    private static final long MAXIMUM_FRAME_BYTES = 1_600;

    /**
     * The delay of the kernel's timer, in s, up to which the link's rate is not reduced. The timer wakes tbf when there
     * are tokens for the next packet. If it is late, tokens beyond the bucket's size are lost. Therefore the bucket
     * holds the bytes of this time. After a pause, they leave tbf at once, and wait for the wire.
     */
    private static final double TIMER_DELAY_S = 400e-6;

    /**
     * The rate of tbf as a share of the wire's rate. The wire is slightly faster, so that it drains the bytes that left
     * tbf at once. Packets should wait in tbf's queue, where they still occupy the socket's send buffer.
     */
    private static final double SHARE_OF_WIRE = 0.9995;

    /** LinkDirection.Queue limit of netem: more packets than any link's rate and delay require. */
    private static final int NETEM_PACKETS = 1_000_000;

    private static final double PPM_PER_PERCENT = 10_000;

    private Qdiscs() {}

    /**
     * Returns the lines for `tc -batch` that shape the output of a device; empty if its rate is unlimited.
     *
     * @param hasWire whether the packets then pass a wire of this rate
     */
    static List<String> shaping(String device, LinkDirection direction, Network.Framing framing, boolean hasWire) {
        List<String> lines = new ArrayList<>();
        long rate = direction.rateBitsPerS();
        if (rate > 0) {
            LinkDirection.Queue queue = direction.queue();
            boolean packets = queue.unit() == LinkDirection.Queue.Unit.PACKETS;
            long min = framing.minBytes(direction);
            int overhead = framing.overheadBytes();
            long burst = Math.max(MAXIMUM_FRAME_BYTES, min) + Math.round(rate / 8.0 * TIMER_DELAY_S);
            lines.add("qdisc add dev " + device + " root handle 1: tbf rate "
                    + (hasWire ? Math.round(rate * SHARE_OF_WIRE) : rate) + "bit burst " + burst + " limit "
                    + (packets ? LinkDirection.Queue.MAXIMUM_BYTES : queue.bytes(rate))
                    + (min > 0 ? " mpu " + min : "")
                    + (overhead > 0 ? " overhead " + overhead : ""));
            if (packets) {
                lines.add("qdisc add dev " + device + " parent 1: handle 2: pfifo limit " + queue.amount());
            }
        }
        return lines;
    }

    /**
     * Returns the line for `tc -batch` that impairs the output of a device. netem is also the wire: unlike tbf, it
     * delivers each packet when its last bit has passed. It has no minimum time per packet.
     */
    static String impairing(String device, LinkDirection direction, Network.Framing framing) {
        return "qdisc add dev " + device + " root handle 1: netem limit " + NETEM_PACKETS + " delay "
                + microseconds(direction.delayNs())
                + (direction.jitterNs() > 0 ? " " + microseconds(direction.jitterNs()) : "")
                + percentage("loss", direction.lossPpm())
                + percentage("duplicate", direction.duplicationPpm())
                + percentage("reorder", direction.reorderingPpm())
                + (direction.rateBitsPerS() > 0
                        ? " rate " + direction.rateBitsPerS() + "bit " + framing.overheadBytes()
                        : "");
    }

    private static String microseconds(long ns) {
        return String.format(Locale.ROOT, "%.3fus", ns / 1e3);
    }

    private static String percentage(String keyword, int ppm) {
        return ppm > 0 ? String.format(Locale.ROOT, " %s %.4f%%", keyword, ppm / PPM_PER_PERCENT) : "";
    }
}
