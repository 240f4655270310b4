package org.lagbench.core.run;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Map;
import org.lagbench.core.clock.KernelIdentity;

/** The host that this process runs on. */
public final class ThisHost {
    private ThisHost() {}

    /** Returns the host's name, or its address if it has none. */
    public static String name() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return InetAddress.getLoopbackAddress().getHostAddress();
        }
    }

    /** Returns this side of a run, with the transport's metadata. */
    public static RunRecord.Side side(Map<String, Object> metadata) {
        return new RunRecord.Side(
                name(), KernelIdentity.bootId(), Runtime.version().toString(), Map.copyOf(metadata));
    }
}
