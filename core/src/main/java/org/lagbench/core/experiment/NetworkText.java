package org.lagbench.core.experiment;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.lab.CompetingFlow;
import org.lagbench.core.lab.LinkDirection;
import org.lagbench.core.lab.Network;
import org.lagbench.core.lab.Queue;
import org.lagbench.core.time.Intervals;

/** The values of a network as users write them. Parsers throw IllegalArgumentException for what is not accepted. */
public final class NetworkText {
    static final String UNLIMITED = "unlimited";
    static final String RATES = "a rate from 8kbit to 100gbit, or " + UNLIMITED;
    static final String FLOW_RATES = "a rate from 8kbit to 100gbit";
    static final String SHARES = "a share from 0% to 100%, to four digits";
    static final String QUEUES = "a number of packets up to " + Queue.MAXIMUM_PACKETS + " (100 packets), of bytes from "
            + Queue.MINIMUM_BYTES + " to " + Queue.MAXIMUM_BYTES + " (64KiB, 64kB), or a length of time (50ms)";

    private static final long PPM_PER_PERCENT = 10_000;
    private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)\\s*(k|m|g)bit(?:/s)?");
    private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,4})?)\\s*%");
    private static final Pattern PACKETS = Pattern.compile("(\\d{1,9})(?:\\s*packets?)?");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,10})\\s*(B|kB|KiB|MB|MiB)");

    private NetworkText() {}

    /** Bit/s of a rate, 0 for unlimited. */
    static long rateOrUnlimited(String text) {
        return text.equals(UNLIMITED) ? 0 : rate(text);
    }

    /** Bit/s of a rate. */
    static long rate(String text) {
        Matcher matcher = RATE.matcher(text.toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " is not a rate");
        }
        long unit =
                switch (matcher.group(2)) {
                    case "k" -> 1_000L;
                    case "m" -> 1_000_000L;
                    default -> 1_000_000_000L;
                };
        return within(
                whole(new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit))),
                Network.MINIMUM_RATE_BITS_PER_S,
                Network.MAXIMUM_RATE_BITS_PER_S);
    }

    /** A rate as one would write it. */
    public static String rate(long bitsPerS) {
        if (bitsPerS == 0) {
            return UNLIMITED;
        }
        long unit = bitsPerS % 1_000_000_000 == 0 ? 1_000_000_000 : bitsPerS % 1_000_000 == 0 ? 1_000_000 : 1_000;
        String name = unit == 1_000 ? "kbit" : unit == 1_000_000 ? "mbit" : "gbit";
        return BigDecimal.valueOf(bitsPerS)
                        .divide(BigDecimal.valueOf(unit))
                        .stripTrailingZeros()
                        .toPlainString()
                + name;
    }

    /** Millionths of a share in per cent. */
    static int share(String text) {
        Matcher matcher = SHARE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " is not a share");
        }
        return (int) within(
                whole(new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(PPM_PER_PERCENT))),
                0,
                100 * PPM_PER_PERCENT);
    }

    /** A share in per cent. */
    public static String share(int ppm) {
        return BigDecimal.valueOf(ppm)
                        .divide(BigDecimal.valueOf(PPM_PER_PERCENT))
                        .stripTrailingZeros()
                        .toPlainString()
                + "%";
    }

    /** A queue. */
    static Queue queue(String text) {
        Matcher packets = PACKETS.matcher(text);
        if (packets.matches()) {
            return new Queue(Queue.Unit.PACKETS, within(Long.parseLong(packets.group(1)), 1, Queue.MAXIMUM_PACKETS));
        }
        Matcher bytes = BYTES.matcher(text);
        if (bytes.matches()) {
            long unit =
                    switch (bytes.group(2)) {
                        case "B" -> 1L;
                        case "kB" -> 1_000L;
                        case "KiB" -> 1L << 10;
                        case "MB" -> 1_000_000L;
                        default -> 1L << 20;
                    };
            return new Queue(
                    Queue.Unit.BYTES,
                    within(Long.parseLong(bytes.group(1)) * unit, Queue.MINIMUM_BYTES, Queue.MAXIMUM_BYTES));
        }
        return new Queue(Queue.Unit.NANOSECONDS, within(Intervals.parseNs(text), 1, Queue.MAXIMUM_NS));
    }

    /** A queue as one would write it. */
    public static String queue(Queue queue) {
        return switch (queue.unit()) {
            case PACKETS -> queue.amount() + " packets";
            case BYTES -> queue.amount() + "B";
            case NANOSECONDS -> Intervals.format(queue.amount());
        };
    }

    /** The least time of a packet in ns. */
    static long packetNs(String text) {
        return within(Intervals.parseNs(text), 0, LinkDirection.MAXIMUM_PACKET_NS);
    }

    /** Delay or jitter in ns. */
    static long delayNs(String text) {
        return within(Intervals.parseNs(text), 0, Network.MAXIMUM_DELAY_NS);
    }

    /** When a flow starts or stops, in ns. */
    static long flowTimeNs(String text) {
        return within(Intervals.parseNs(text), 0, CompetingFlow.MAXIMUM_NS);
    }

    /** A network in one line of YAML, everything written out; {@link NetworkReader} reads it as the same network. */
    public static String yaml(Network network) {
        StringBuilder yaml = new StringBuilder("{name: ")
                .append(network.name())
                .append(", topology: ")
                .append(network.topology().text())
                .append(", framing: ")
                .append(network.framing().text())
                .append(", means: ")
                .append(network.means().text())
                .append(", seed: ")
                .append(network.seed());
        if (network.edgeRateBitsPerS() != null) {
            yaml.append(", edge-rate: ").append(rate(network.edgeRateBitsPerS()));
        }
        yaml.append(", there: ").append(yaml(network.there()));
        yaml.append(", back: ").append(yaml(network.back()));
        yaml.append(", flows: [");
        String between = "";
        for (CompetingFlow flow : network.flows()) {
            yaml.append(between).append(yaml(flow));
            between = ", ";
        }
        return yaml.append("]}").toString();
    }

    private static String yaml(LinkDirection direction) {
        return "{rate: " + rate(direction.rateBitsPerS())
                + ", packet-time: " + Intervals.format(direction.packetNs())
                + ", queue: " + queue(direction.queue())
                + ", delay: " + Intervals.format(direction.delayNs())
                + ", jitter: " + Intervals.format(direction.jitterNs())
                + ", loss: " + share(direction.lossPpm())
                + ", duplication: " + share(direction.duplicationPpm())
                + ", reordering: " + share(direction.reorderingPpm()) + "}";
    }

    private static String yaml(CompetingFlow flow) {
        return "{rate: " + rate(flow.rateBitsPerS())
                + ", packet-bytes: " + flow.packetBytes()
                + ", start: " + Intervals.format(flow.startNs())
                + (flow.stopNs() == CompetingFlow.RUN_END ? "" : ", stop: " + Intervals.format(flow.stopNs()))
                + ", direction: " + flow.direction().text() + "}";
    }

    private static long whole(BigDecimal number) {
        try {
            return number.longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(number + " is too great or too fine", e);
        }
    }

    private static long within(long number, long minimum, long maximum) {
        if (number < minimum || number > maximum) {
            throw new IllegalArgumentException(number + " is not from " + minimum + " to " + maximum);
        }
        return number;
    }
}
