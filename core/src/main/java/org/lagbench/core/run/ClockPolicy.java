package org.lagbench.core.run;

import java.time.Duration;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.ChronyClient;

/**
 * What an experiment demands of the two hosts' clocks.
 *
 * @param maximumError a run is not begun while the clock bound is greater
 * @param chrony where each host's chronyd answers its command protocol, as seen from that host
 */
public record ClockPolicy(Duration maximumError, Endpoint chrony) {
    /** A millisecond, and chronyd's usual port. */
    public static final ClockPolicy DEFAULT =
            new ClockPolicy(Duration.ofMillis(1), new Endpoint("127.0.0.1", ChronyClient.DEFAULT_PORT));
}
