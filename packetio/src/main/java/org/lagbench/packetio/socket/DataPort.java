package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import java.util.regex.Pattern;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * An address and port, of IPv4 or IPv6, and how both sides of a run tell each other of it. Sockets are opened for the
 * address's own family, so that IPv4 never goes through an IPv6 socket.
 */
public final class DataPort {
    /**
     * The name under which a receiver announces its address, where it is another than that of the control connection.
     */
    public static final String HOST = "host";

    /** The name under which a receiver announces its port. */
    private static final String PORT = "port";

    /** An address that no name service is asked for. */
    private static final Pattern NUMERIC = Pattern.compile("[0-9.]{7,15}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%\\w+)?");

    private final InetSocketAddress address;

    private DataPort(InetSocketAddress address) {
        this.address = address;
    }

    /** Any free port of an address of this machine. */
    public static DataPort ephemeral(String host) throws LagbenchException {
        return new DataPort(new InetSocketAddress(resolve(host), 0));
    }

    /**
     * The port that a receiver announced, at its address.
     *
     * @param controlHost its address, unless it announced another
     */
    public static DataPort announced(String controlHost, Map<String, String> announcement) throws LagbenchException {
        String host = announcement.getOrDefault(HOST, controlHost);
        if (!NUMERIC.matcher(host).matches() && !host.equals(controlHost)) {
            throw new LagbenchException(
                    ExitCode.PEER,
                    "The receiver on " + controlHost + " announced an address that is none: " + host + ".");
        }
        String port = announcement.getOrDefault(PORT, "none");
        if (!port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > 65_535) {
            throw new LagbenchException(
                    ExitCode.PEER,
                    "The receiver on " + host + " announced the port " + port + ", which is not from 1 to 65535.");
        }
        return new DataPort(new InetSocketAddress(resolve(host), Integer.parseInt(port)));
    }

    /** What a receiver announces whose socket is bound. */
    public static Map<String, String> announce(NetworkChannel bound) throws IOException {
        if (bound.getLocalAddress() instanceof InetSocketAddress local) {
            return announce(local);
        }
        throw new IOException("the socket is not bound to a port");
    }

    /** What a receiver announces that is bound to that address. */
    public static Map<String, String> announce(InetSocketAddress bound) {
        return Map.of(PORT, Integer.toString(bound.getPort()));
    }

    /** The address for the socket calls. */
    public InetSocketAddress address() {
        return address;
    }

    /** The family of which the socket must be. */
    public ProtocolFamily family() {
        return address.getAddress() instanceof Inet6Address
                ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET;
    }

    /** "127.0.0.1:4711" or "[::1]:4711", without a name that nobody gave. */
    public static String text(SocketAddress address) {
        if (address instanceof InetSocketAddress internet) {
            return Endpoint.of(internet).toString();
        }
        return String.valueOf(address);
    }

    @Override
    public String toString() {
        return text(address);
    }

    private static InetAddress resolve(String host) throws LagbenchException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new LagbenchException(ExitCode.USAGE, "\"" + host + "\" is not an address of a host.", e);
        }
    }
}
