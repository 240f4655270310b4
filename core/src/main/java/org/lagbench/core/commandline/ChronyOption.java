package org.lagbench.core.commandline;

import org.lagbench.core.address.Endpoint;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.ClockPolicy;
import picocli.CommandLine.Option;

/** What a program is told of the time daemon that keeps this host's clock; a mixin. */
public final class ChronyOption {
    private static final String NAME = "--chrony";

    @Option(
            names = NAME,
            paramLabel = "HOST:PORT",
            description = "Where this host's chronyd answers its command protocol (default: ${DEFAULT-VALUE}).")
    private String endpoint = ClockPolicy.DEFAULT.chrony().toString();

    /** What asks it. */
    public ChronyClient client() throws LagbenchException {
        return new ChronyClient(Endpoint.ofOption(NAME, endpoint).resolve());
    }
}
