package org.lagbench.core.bandwidth;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The link whose available bandwidth is estimated, and the places of its interface's counters.
 *
 * @param device name of the interface at one end of the link
 * @param isReceiver true if the interface receives from the link; false if it sends to the link
 * @param rateBitsPerS rate of the link, framing included
 * @param overheadBytes bytes of each packet on the link that the interface does not count
 * @param counters file with the kernel's counters, in the format of /proc/net/dev
 * @param agent host or host:port of the SNMP agent; empty if there is none
 * @param community the agent's SNMP community with read access
 */
public record Bottleneck(
        String device,
        boolean isReceiver,
        long rateBitsPerS,
        int overheadBytes,
        String counters,
        String agent,
        String community) {
    /** The sender's environment variable with the bottleneck, as text for {@link #parse}. */
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

    /** Preamble, frame check sequence and interpacket gap (IEEE 802.3). */
    private static final int ETHERNET_BYTES = 24;

    /**
     * Reads a text such as {@code device=eth0,rate=100000000,agent=192.0.2.1}. The device and the rate in bit/s are
     * required.
     *
     * @throws LagbenchException if the text is invalid
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
