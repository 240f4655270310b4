package org.lagbench.core.run;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.text.Endpoint;

/**
 * The addresses of a side's packets. Programs in C print them by these names.
 *
 * @param localAddress this side's address and port; null if they are not known yet
 * @param remoteAddress the other side's; null likewise, or if it has none
 */
public record ConnectionFacts(@Nullable String localAddress, @Nullable String remoteAddress) implements SideFacts {
    public static ConnectionFacts ofLocal(String address) {
        return new ConnectionFacts(address, null);
    }

    public static ConnectionFacts ofRemote(String address) {
        return new ConnectionFacts(null, address);
    }

    /** Returns whether the addresses are those of IPv6. */
    public boolean isIpv6() {
        return String.valueOf(localAddress).startsWith("[")
                || String.valueOf(remoteAddress).startsWith("[");
    }

    /** Returns whether the other side has a loopback address. */
    public boolean isToLoopback() {
        try {
            return remoteAddress != null && Endpoint.parse(remoteAddress).isLoopback();
        } catch (IllegalArgumentException e) {
            return false; // not of a network
        }
    }
}
