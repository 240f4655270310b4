package org.lagbench.core.model;

import java.util.Set;

/**
 * A further host of a dumbbell, and its link to a router.
 *
 * @param name of the host, none of {@link #TAKEN}
 * @param link the properties of both directions
 */
public record SiteLink(String name, Router router, LinkDirection link) {
    /** The maximum number of sites of a network. */
    public static final int MAXIMUM_SITES = 200;

    /** The names of the other hosts and routers, and of the control connection's addresses. */
    public static final Set<String> TAKEN = Set.of(
            "sender",
            "receiver",
            "rival-sender",
            "rival-receiver",
            "left",
            "right",
            "wire",
            "control",
            "control-sender");

    /** The router of a dumbbell to which a host is linked. */
    public enum Router implements TextEnum {
        /** The sender's. */
        LEFT,
        /** The receiver's. */
        RIGHT
    }
}
