package org.lagbench.core.bandwidth;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Key;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Section;

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
        @Key("count") boolean isReceiver,
        long rateBitsPerS,
        int overheadBytes,
        String counters,
        String agent,
        String community) {
    /** The sender's environment variable with the bottleneck, as text for {@link #parse}. */
    public static final String VARIABLE = "LAGBENCH_BOTTLENECK";

    private static final String SENT = "sent";
    private static final String RECEIVED = "received";

    /** Preamble, frame check sequence and interpacket gap (IEEE 802.3). */
    private static final int ETHERNET_BYTES = 24;

    private static final Section<Bottleneck> SECTION = Section.of(
            Bottleneck.class,
            Parameter.text("device", Pattern.compile(".+"), "the name of an interface"),
            Parameter.choice("count", List.of(SENT, RECEIVED))
                    .map(RECEIVED::equals, isReceiver -> isReceiver ? RECEIVED : SENT)
                    .byDefault(false),
            Parameter.number("rate", 1, Long.MAX_VALUE),
            Parameter.integer("overhead", 0, Integer.MAX_VALUE).byDefault(ETHERNET_BYTES),
            Parameter.text("counters", "a path").byDefault("/proc/net/dev"),
            Parameter.text("agent", "a host").byDefault(""),
            Parameter.text("community", "a name").byDefault("public"));

    /**
     * Reads a text such as {@code device=eth0,rate=100000000,agent=192.0.2.1}. The device and the rate in bit/s are
     * required.
     *
     * @throws LagbenchException if the text is invalid
     */
    public static Bottleneck parse(String text) throws LagbenchException {
        try {
            Map<String, String> given = new LinkedHashMap<>();
            for (String part : text.split(",", -1)) {
                String[] pair = part.split("=", 2);
                given.put(pair[0].strip(), pair.length < 2 ? "" : pair[1].strip());
            }
            List<Object> values = new ArrayList<>();
            for (Parameter<?> parameter : SECTION.parameters()) {
                String value = given.remove(parameter.name());
                values.add(parameter.parse(value == null ? parameter.absentText() : value));
            }
            if (!given.isEmpty()) {
                throw new IllegalArgumentException("there are no keys " + given.keySet());
            }
            return SECTION.create(values);
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(
                    "The bottleneck \"" + text + "\" is not accepted; it takes device=NAME,rate=BITS_PER_S and"
                            + " optionally count=sent or received, overhead=BYTES, counters=FILE, agent=HOST and"
                            + " community=NAME, separated by commas.",
                    e);
        }
    }

    /** Returns the text that {@link #parse} reads. */
    public String text() {
        List<Object> values = SECTION.values(this);
        return IntStream.range(0, values.size())
                .mapToObj(i -> SECTION.names().get(i) + "="
                        + format(SECTION.parameters().get(i), values.get(i)))
                .collect(Collectors.joining(","));
    }

    @SuppressWarnings("unchecked") // a section returns values of its parameters' types
    private static <T> String format(Parameter<T> parameter, Object value) {
        return parameter.format((T) value);
    }
}
