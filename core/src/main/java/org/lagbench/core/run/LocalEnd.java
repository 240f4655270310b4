package org.lagbench.core.run;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Section;
import org.lagbench.core.text.Endpoint;

/**
 * Where the packets of this host leave and arrive.
 *
 * @param bind an address of this host; null for the one that the kernel or the control connection selects
 * @param dataPort the port of the packets, of several streams the first; 0 for a free one
 * @param device the network interface of the packets (SO_BINDTODEVICE); null for the one of the route
 */
public record LocalEnd(@Nullable String bind, int dataPort, @Nullable String device) {
    /** The kernel selects all. */
    public static final LocalEnd ANY = new LocalEnd(null, 0, null);

    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:_%-]{1,255}");
    private static final Pattern DEVICE = Pattern.compile("[^\\s/:=]{1,15}");

    /** The parameters in an experiment. */
    public static final Section<LocalEnd> SECTION = Section.of(
            LocalEnd.class,
            Parameter.text("bind", HOST, "an address of this host")
                    .or(Parameter.AUTO)
                    .described("The address of this host for packets and the control connection."),
            Parameter.integer("data-port", 0, 65_535)
                    .byDefault(0)
                    .described("The port of this host for packets, with several streams the first one; 0 selects a"
                            + " free port."),
            Parameter.text("device", DEVICE, "the name of a network interface")
                    .or(Parameter.AUTO)
                    .described("The network interface of this host for packets (SO_BINDTODEVICE)."));

    /** Returns whether the kernel selects address and port. */
    public boolean isUnbound() {
        return bind == null && dataPort == 0;
    }

    /** Returns the end with the same port and interface, and the address of the control connection. */
    public LocalEnd onConnection() {
        return new LocalEnd(null, dataPort, device);
    }

    /** Returns the local end of one of several concurrent streams, which have successive ports. */
    public LocalEnd of(@Nullable StreamRole stream) {
        int port = dataPort == 0 || stream == null ? dataPort : Math.min(dataPort + stream.index(), 65_535);
        return new LocalEnd(bind, port, device);
    }

    /**
     * Returns this host's address for a connection to another one: the named one, or the interface's of the same
     * family; null if the kernel selects it.
     *
     * @throws LagbenchException if there is no such address or interface on this host
     */
    public @Nullable InetAddress addressTo(InetAddress peer) throws LagbenchException {
        try {
            if (bind != null) {
                InetAddress named = InetAddress.getByName(bind);
                if (!named.isAnyLocalAddress() && NetworkInterface.getByInetAddress(named) == null) {
                    throw ExitCode.USAGE.failure("--bind: " + bind + " is not an address of this host.");
                }
                if (named.getClass() != peer.getClass()) {
                    throw ExitCode.USAGE.failure("--bind: " + bind + " is not of the family of " + Endpoint.format(peer)
                            + "; name the other host by an address of the same family.");
                }
                return named;
            }
            return device == null ? null : ofDevice(device, peer);
        } catch (UnknownHostException | SocketException e) {
            throw ExitCode.USAGE.failure("--bind: " + bind + " is not an address of this host.", e);
        }
    }

    private static @Nullable InetAddress ofDevice(String device, InetAddress peer)
            throws SocketException, LagbenchException {
        NetworkInterface found = NetworkInterface.getByName(device);
        if (found == null) {
            throw ExitCode.USAGE.failure("--device: this host has no network interface " + device + ".");
        }
        return found.inetAddresses()
                .filter(address -> address.getClass() == peer.getClass()
                        && address.isLinkLocalAddress() == peer.isLinkLocalAddress())
                .findFirst()
                .orElse(null);
    }
}
