package org.lagbench.cli;

import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.Collectors;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Endpoint;
import picocli.CommandLine.Option;

/** Which of the addresses of a host to use; all in order unless given. */
final class AddressFamilyOptions {
    @Option(names = "-4", description = "Use an IPv4 address of the host.")
    private boolean ipv4;

    @Option(names = "-6", description = "Use an IPv6 address of the host.")
    private boolean ipv6;

    /**
     * Returns the first address of the host that has the requested family; the host itself if none is requested.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE}, naming the addresses, if the host has none of the family
     */
    Endpoint choose(Endpoint host) throws LagbenchException {
        if (ipv4 == ipv6) {
            return host;
        }
        List<InetSocketAddress> addresses = host.resolveAll();
        return addresses.stream()
                .filter(address -> address.getAddress() instanceof Inet4Address == ipv4)
                .findFirst()
                .map(Endpoint::of)
                .orElseThrow(() -> ExitCode.USAGE.failure(host.host() + " has no " + (ipv4 ? "IPv4" : "IPv6")
                        + " address; it has "
                        + addresses.stream()
                                .map(address -> Endpoint.format(address.getAddress()))
                                .collect(Collectors.joining(", "))
                        + "."));
    }
}
