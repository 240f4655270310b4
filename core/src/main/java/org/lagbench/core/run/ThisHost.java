package org.lagbench.core.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.lagbench.core.clock.BootId;

/** What this process can say of the host that it runs on. */
public final class ThisHost {
    private ThisHost() {}

    /** The host's name, or its address where it has none. */
    public static String name() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
    }

    /** This side of a run, with what the transport tells. */
    public static RunRecord.Side side(Map<String, Object> metadata) {
        return new RunRecord.Side(name(), BootId.current(), Runtime.version().toString(), Map.copyOf(metadata));
    }
}
