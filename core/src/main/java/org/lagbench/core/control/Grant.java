package org.lagbench.core.control;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.core.model.TextEnum;

/** What a host with a key may request of a receiver. */
public enum Grant implements TextEnum {
    /** Sending packets to this host. */
    RUN,
    /** Packets from this host to the requesting one. */
    SEND_TO_ME,
    /** Packets from this host to a third one. */
    SEND_TO_OTHERS;

    /** What a key grants unless the user of the receiver selects. */
    public static final Set<Grant> DEFAULT = Set.of(RUN, SEND_TO_ME);

    /**
     * Parses the value of {@code --allow}: names separated by commas.
     *
     * @throws IllegalArgumentException with a sentence, if one is unknown
     */
    public static Set<Grant> parse(String names) {
        return Arrays.stream(names.split(",", -1))
                .map(name -> TextEnum.parse(Grant.class, "--allow", name))
                .collect(Collectors.toUnmodifiableSet());
    }
}
