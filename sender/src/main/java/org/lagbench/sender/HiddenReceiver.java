package org.lagbench.sender;

import java.util.Map;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.socket.DataPort;

/** A receiver behind a NAT that has requested packets: its own ports are not reachable from outside. */
final class HiddenReceiver {
    private HiddenReceiver() {}

    /**
     * Returns a failure to reach a receiver, with the NAT as its reason if there is one.
     *
     * @param announced what the receiver announced
     * @param connected the address of its control connection
     */
    static LagbenchException explain(LagbenchException failure, Map<String, String> announced, String connected)
            throws LagbenchException {
        String own = DataPort.translated(announced, connected);
        return own == null
                ? failure
                : failure.exitCode()
                        .failure(
                                failure.sentence() + " The receiver is behind a NAT: its own address is " + own
                                        + ", but it connects from " + connected + ". Use an engine whose receiver opens"
                                        + " the path (docs/how-to/two-hosts.md), or send from the host behind the NAT.",
                                failure);
    }
}
