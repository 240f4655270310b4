package org.lagbench.core.control;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a receiver accepts. Immutable.
 *
 * @param permissions one for each key, or a single one without a key
 */
public record Access(List<Permission> permissions) {
    /**
     * What a key grants.
     *
     * @param key null if anyone may connect
     * @param keyFile its file; null if it is a variable, or there is no key
     */
    public record Permission(@Nullable SharedKey key, @Nullable Path keyFile, Set<Grant> grants) {
        public Permission {
            grants = Set.copyOf(grants);
        }
    }

    public Access {
        permissions = List.copyOf(permissions);
        if (permissions.isEmpty()
                || (permissions.size() > 1 && permissions.stream().anyMatch(one -> one.key == null))) {
            throw new IllegalArgumentException("either keys or none");
        }
    }

    /** Returns the access by one key, or by anyone if it is null, to whatever is granted. */
    public static Access of(@Nullable SharedKey key, Set<Grant> grants) {
        return new Access(List.of(new Permission(key, null, grants)));
    }

    /** Returns whether a peer must prove a key. */
    public boolean needsKey() {
        return permissions.get(0).key != null;
    }
}
