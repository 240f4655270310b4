package org.lagbench.core.run;

import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;

/** What to check if no packet of a run arrived, and no counter says where they were lost. */
public final class ArrivalQuestion {
    /** The question if the packets go over a bus. */
    public static final String ON_BUS = "Are both ports on one bus?";

    private ArrivalQuestion() {}

    /**
     * Returns a sentence or two. If the sides could connect at the port of the packets, no firewall blocks it: then
     * only large packets are lost.
     *
     * @param transport of the run
     * @param engine of the run
     * @param packetBytes the size of its packets
     */
    public static String of(String transport, String engine, int packetBytes) {
        Transport known = Transports.load().find(transport).orElse(null);
        if (known != null && !known.wire().isOverIp()) {
            return ON_BUS;
        }
        boolean isConnected = known != null
                && Engines.load()
                        .find(engine)
                        .map(found -> found.opensConnection(known))
                        .orElse(false);
        return isConnected
                ? "Small messages passed at the same port: packets of " + packetBytes
                        + " bytes may not fit the path's MTU. Check: lagbench doctor HOST --size; or try a smaller"
                        + " --size."
                : "Does a firewall block the packets, or do they not fit the path's MTU (lagbench doctor HOST --size)?";
    }
}
