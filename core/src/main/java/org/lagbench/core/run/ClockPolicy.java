package org.lagbench.core.run;

import java.time.Duration;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.model.Key;
import org.lagbench.core.text.Endpoint;

/**
 * An experiment's requirements of the two hosts' clocks.
 *
 * @param maximumError the largest clock bound with which a run starts
 * @param chrony the address of each host's chronyd for its command protocol, as seen from that host
 */
public record ClockPolicy(@Key("max-error") Duration maximumError, Endpoint chrony) {
    /** The default: a clock bound of a millisecond, and chronyd's usual port. */
    public static final ClockPolicy DEFAULT =
            new ClockPolicy(Duration.ofMillis(1), new Endpoint("127.0.0.1", ChronyClient.DEFAULT_PORT));
}
