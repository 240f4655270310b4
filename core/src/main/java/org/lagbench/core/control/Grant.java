package org.lagbench.core.control;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** What a host with a key may request of a receiver. */
public enum Grant {
    /** Sending packets to this host. */
    RUN,
    /** Packets from this host to the requesting one. */
    SEND_TO_ME,
    /** Packets from this host to a third one. */
    SEND_TO_OTHERS;

    /** What a key grants unless the user of the receiver selects. */
    public static final Set<Grant> DEFAULT = Set.of(RUN, SEND_TO_ME);

    /** Returns the name on the command line: "send-to-me". */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Parses names separated by commas.
     *
     * @throws IllegalArgumentException with the reason, if one is unknown
     */
    public static Set<Grant> parse(String names) {
        Set<Grant> grants = EnumSet.noneOf(Grant.class);
        for (String name : names.split(",", -1)) {
            grants.add(Arrays.stream(values())
                    .filter(grant -> grant.text().equals(name))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("\"" + name + "\" is none of "
                            + Arrays.stream(values()).map(Grant::text).collect(Collectors.joining(", ")))));
        }
        return grants;
    }
}
