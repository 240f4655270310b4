package org.lagbench.core.run;

import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;

/** What to check if no packet of a run arrived, and no counter says where they were lost. */
public final class ArrivalQuestion {
    /** The question if the packets go over a bus. */
    public static final String ON_BUS = "Are both ports on one bus?";

    /** The UDP payload in an IPv4 packet of 576 bytes, which every host accepts (RFC 791, section 3.1). */
    private static final int IPV4_BYTES = 576 - 20 - 8;

    /** The UDP payload in an IPv6 packet of 1,280 bytes, which every link carries (RFC 8200, section 5). */
    private static final int IPV6_BYTES = 1_280 - 40 - 8;

    private ArrivalQuestion() {}

    /**
     * Returns a sentence or two. If the sides could connect at the port of the packets, no firewall blocks it. The MTU
     * is named only if a datagram with a packet is larger than those that pass on every path, or passed on this one.
     *
     * @param point of the run
     * @param isIpv6 whether the packets go over IPv6; false if that is not known
     */
    public static String of(Point point, boolean isIpv6) {
        Transport transport = Transports.load().find(point.transport()).orElse(null);
        if (transport != null && !transport.wire().isOverIp()) {
            return ON_BUS;
        }
        Engine engine = Engines.load().find(point.program().engine()).orElse(null);
        long datagramBytes =
                engine == null ? 0 : engine.datagramBytes(point.packetBytes(), point.allSettings()); // 0 if not known
        long passingBytes = Math.max(isIpv6 ? IPV6_BYTES : IPV4_BYTES, engine == null ? 0 : engine.openingBytes());
        boolean isLarge = Math.max(point.packetBytes(), datagramBytes) > passingBytes;
        boolean isConnected = transport != null && engine != null && engine.opensConnection(transport);
        if (isConnected) {
            return isLarge
                    ? "Smaller messages passed at the same port: packets of " + point.packetBytes()
                            + " bytes may not fit the path's MTU. Check: lagbench doctor HOST --size; or try a smaller"
                            + " --size."
                    : "Other messages passed at the same port, and packets of " + point.packetBytes()
                            + " bytes fit the path's MTU. Does a firewall drop the packets after those?";
        }
        return isLarge
                ? "Does a firewall block the packets, or do they not fit the path's MTU (lagbench doctor HOST --size)?"
                : "Does a firewall block the packets?";
    }
}
