package org.lagbench.commandline;

import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.text.Endpoint;
import picocli.CommandLine.Option;

/** The option {@code --chrony}; a picocli mixin. */
public final class ChronyOption {
    private static final String NAME = "--chrony";

    @Option(
            names = NAME,
            paramLabel = "HOST:PORT",
            description = "Address of this host's chronyd for its command protocol (default: ${DEFAULT-VALUE}).")
    private String endpoint = ClockPolicy.DEFAULT.chrony().toString();

    /** Returns the address. */
    public Endpoint endpoint() throws LagbenchException {
        return Endpoint.ofOption(NAME, endpoint);
    }

    /** Returns a client of the chronyd that the option names. */
    public ChronyClient client() throws LagbenchException {
        return new ChronyClient(endpoint().resolve());
    }
}
