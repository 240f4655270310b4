package org.lagbench.core.bandwidth;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The link whose available bandwidth is estimated, and where the counters of its interface are.
 *
 * @param device name of the interface at one end of the link
 * @param isReceiver whether that interface receives from the link; else it sends to the link
 * @param rateBitsPerS rate of the link, framing included
 * @param overheadBytes bytes that a packet takes on the link besides those that the interface counts
 * @param counters the kernel's counters, a file in the form of /proc/net/dev
 * @param agent host or host:port of the SNMP agent; empty if there is none
 * @param community name of the agent's community that may read
 */
public record Bottleneck(
        String device,
        boolean isReceiver,
        long rateBitsPerS,
        int overheadBytes,
        String counters,
        String agent,
        String community) {
    /** The environment variable of a sender with the bottleneck's text. */
    public static final String VARIABLE = "LAGBENCH_BOTTLENECK";

    private static final String DEVICE = "device";
    private static final String RATE = "rate";
    private static final String COUNT = "count";
    private static final String SENT = "sent";
    private static final String RECEIVED = "received";
    private static final String OVERHEAD = "overhead";
    private static final String COUNTERS = "counters";
    private static final String AGENT = "agent";
    private static final String COMMUNITY = "community";

    /** Preamble, check sequence and gap of a frame (IEEE 802.3). */
    private static final int ETHERNET_BYTES = 24;

    /**
     * Reads a text such as {@code device=eth0,rate=100000000,agent=192.0.2.1}. The device and the rate in bit/s are
     * required.
     *
     * @throws LagbenchException if the text is in another form
     */
    public static Bottleneck parse(String text) throws LagbenchException {
        Map<String, String> values = new LinkedHashMap<>(Map.of(
                DEVICE,
                "",
                COUNT,
                SENT,
                RATE,
                "",
                OVERHEAD,
                Integer.toString(ETHERNET_BYTES),
                COUNTERS,
                "/proc/net/dev",
                AGENT,
                "",
                COMMUNITY,
                "public"));
        try {
            for (String part : text.split(",", -1)) {
                String[] pair = part.split("=", 2);
                if (pair.length < 2 || values.put(pair[0].strip(), pair[1].strip()) == null) {
                    throw refusal(text);
                }
            }
            long rate = Long.parseLong(String.valueOf(values.get(RATE)));
            int overhead = Integer.parseInt(String.valueOf(values.get(OVERHEAD)));
            String device = String.valueOf(values.get(DEVICE));
            String count = String.valueOf(values.get(COUNT));
            boolean isReceiver = count.equals(RECEIVED);
            if (device.isEmpty() || rate < 1 || overhead < 0 || !(isReceiver || count.equals(SENT))) {
                throw refusal(text);
            }
            return new Bottleneck(
                    device,
                    isReceiver,
                    rate,
                    overhead,
                    String.valueOf(values.get(COUNTERS)),
                    String.valueOf(values.get(AGENT)),
                    String.valueOf(values.get(COMMUNITY)));
        } catch (NumberFormatException e) {
            throw refusal(text);
        }
    }

    private static LagbenchException refusal(String text) {
        return new LagbenchException(
                ExitCode.USAGE,
                "The bottleneck \"" + text + "\" is not accepted; it takes device=NAME,rate=BITS_PER_S and optionally"
                        + " count=sent or received, overhead=BYTES, counters=FILE, agent=HOST and"
                        + " community=NAME, separated by commas.");
    }

    /** Returns the text that {@link #parse} reads. */
    public String text() {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(DEVICE, device);
        values.put(COUNT, isReceiver ? RECEIVED : SENT);
        values.put(RATE, Long.toString(rateBitsPerS));
        values.put(OVERHEAD, Integer.toString(overheadBytes));
        values.put(COUNTERS, counters);
        values.put(AGENT, agent);
        values.put(COMMUNITY, community);
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }
}
