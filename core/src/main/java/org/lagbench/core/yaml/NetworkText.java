package org.lagbench.core.yaml;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Queue;

/** The values of a network as users write them. Parsers throw IllegalArgumentException for values not accepted. */
public final class NetworkText {
    static final String UNLIMITED = "unlimited";
    private static final String AUTO = "auto";
    static final String FLOW_RATES = "a rate from 8kbit to 100gbit";
    static final String RATES = FLOW_RATES + ", or " + UNLIMITED;
    static final String SHARES = "a share from 0% to 100%, to four digits";
    static final String INITIAL_WINDOWS = "a whole number from 1 to " + Network.MAXIMUM_INITIAL_WINDOW + ", or auto";
    static final String QUEUES = "a number of packets up to " + Queue.MAXIMUM_PACKETS + " (100 packets), of bytes from "
            + Queue.MINIMUM_BYTES + " to " + Queue.MAXIMUM_BYTES + " (64KiB, 64kB), or a length of time (50ms)";

    private static final long PPM_PER_PERCENT = 10_000;
    private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)\\s*(k|m|g)bit(?:/s)?");
    private static final Pattern SHARE = Pattern.compile("(\\d{1,3}(?:\\.\\d{1,4})?)\\s*%");
    private static final Pattern PACKETS = Pattern.compile("(\\d{1,9})(?:\\s*packets?)?");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,10})\\s*(B|kB|KiB|MB|MiB)");
    private static final Map<String, Long> BIT_UNITS = Map.of("k", 1_000L, "m", 1_000_000L, "g", 1_000_000_000L);
    private static final Map<String, Long> BYTE_UNITS =
            Map.of("B", 1L, "kB", 1_000L, "KiB", 1L << 10, "MB", 1_000_000L, "MiB", 1L << 20);

    private NetworkText() {}

    /** Returns the bit/s of a rate, 0 for unlimited. */
    static long rateOrUnlimited(String text) {
        return text.equals(UNLIMITED) ? 0 : rate(text);
    }

    /** Returns the bit/s of a rate. */
    static long rate(String text) {
        Matcher rate = match(RATE, text.toLowerCase(Locale.ROOT));
        return Key.within(
                scaled(rate.group(1), BIT_UNITS.getOrDefault(rate.group(2), 1L)),
                Network.MINIMUM_RATE_BITS_PER_S,
                Network.MAXIMUM_RATE_BITS_PER_S);
    }

    /** Returns a rate as a user would write it. */
    public static String rate(long bitsPerS) {
        if (bitsPerS == 0) {
            return UNLIMITED;
        }
        String unit = bitsPerS % 1_000_000_000 == 0 ? "g" : bitsPerS % 1_000_000 == 0 ? "m" : "k";
        return quotient(bitsPerS, BIT_UNITS.getOrDefault(unit, 1L)) + unit + "bit";
    }

    /** Returns the millionths of a share in percent. */
    static int share(String text) {
        return (int) Key.within(scaled(match(SHARE, text).group(1), PPM_PER_PERCENT), 0, 100 * PPM_PER_PERCENT);
    }

    /** Returns a share in percent. */
    public static String share(int ppm) {
        return quotient(ppm, PPM_PER_PERCENT) + "%";
    }

    /** Returns the segments of an initial window, {@link Network#AUTO_WINDOW} for auto. */
    static int initialWindow(String text) {
        return text.equals(AUTO) ? Network.AUTO_WINDOW : (int) Key.parseNumber(text, 1, Network.MAXIMUM_INITIAL_WINDOW);
    }

    /** Returns an initial window as a user would write it. */
    static String initialWindow(int segments) {
        return segments == Network.AUTO_WINDOW ? AUTO : Integer.toString(segments);
    }

    static Queue queue(String text) {
        Matcher packets = PACKETS.matcher(text);
        if (packets.matches()) {
            return new Queue(Queue.Unit.PACKETS, Key.parseNumber(packets.group(1), 1, Queue.MAXIMUM_PACKETS));
        }
        Matcher bytes = BYTES.matcher(text);
        if (bytes.matches()) {
            long amount = scaled(bytes.group(1), BYTE_UNITS.getOrDefault(bytes.group(2), 1L));
            return new Queue(Queue.Unit.BYTES, Key.within(amount, Queue.MINIMUM_BYTES, Queue.MAXIMUM_BYTES));
        }
        return new Queue(Queue.Unit.NANOSECONDS, Key.within(Intervals.parseNs(text), 1, Queue.MAXIMUM_NS));
    }

    /** Returns a queue as a user would write it. */
    public static String queue(Queue queue) {
        return switch (queue.unit()) {
            case PACKETS -> queue.amount() + " packets";
            case BYTES -> queue.amount() + "B";
            case NANOSECONDS -> Intervals.format(queue.amount());
        };
    }

    /** Returns a network as one line of YAML with every key; {@link NetworkReader} reads it as the same network. */
    public static String yaml(Network network) {
        return LabReader.yaml(network);
    }

    private static Matcher match(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(text + " does not match " + pattern);
        }
        return matcher;
    }

    private static long scaled(String number, long unit) {
        try {
            return new BigDecimal(number).multiply(BigDecimal.valueOf(unit)).longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(number + " is too large or has too many decimals", e);
        }
    }

    private static String quotient(long number, long unit) {
        return BigDecimal.valueOf(number)
                .divide(BigDecimal.valueOf(unit))
                .stripTrailingZeros()
                .toPlainString();
    }
}
