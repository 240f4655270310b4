package org.lagbench.control;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.text.Endpoint;

/**
 * The keys that a receiver accepts, and the hosts to which it sends for {@link Grant#SEND_TO_OTHERS}. Immutable.
 *
 * @param permissions one for each key, or a single one without a key
 * @param sites where the receivers of other hosts listen, as the user wrote them
 */
public record Access(List<Permission> permissions, Set<Endpoint> sites) {
    /**
     * What a key grants.
     *
     * @param key null if anyone may connect
     */
    public record Permission(@Nullable SharedKey key, Set<Grant> grants) {
        public Permission {
            grants = Set.copyOf(grants);
        }
    }

    public Access {
        permissions = List.copyOf(permissions);
        sites = Set.copyOf(sites);
        if (permissions.isEmpty()
                || (permissions.size() > 1 && permissions.stream().anyMatch(one -> one.key == null))) {
            throw new IllegalArgumentException(
                    "an access needs one permission without a key, or a key for each permission");
        }
    }

    /** Returns an access with these grants for one key, or for anyone if the key is null. */
    public static Access of(@Nullable SharedKey key, Set<Grant> grants) {
        return new Access(List.of(new Permission(key, grants)), Set.of());
    }

    /** Returns whether a peer must prove a key. */
    public boolean needsKey() {
        return permissions.get(0).key != null;
    }

    /** What a host with a key may request of a receiver. */
    public enum Grant implements TextEnum {
        /** Sending packets to this host. */
        RUN,
        /** Packets from this host to the requesting one. */
        SEND_TO_ME,
        /** Packets from this host to one of the {@link Access#sites}. */
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
}
