package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.transport.SideConfig;

/**
 * An IPv4 or IPv6 address and port, and how a receiver announces it. Sockets are opened for the address's family, so
 * that IPv4 never uses an IPv6 socket.
 */
public record DataPort(InetSocketAddress address) {
    /** The key of a receiver's address, announced if it differs from that of the control connection. */
    public static final String HOST = "host";

    /** The key of a port: the receiver's, or the sender's if the receiver connects. */
    public static final String PORT = "port";

    /** The key of a sender's address for packets, announced if it differs from that of the control connection. */
    private static final String SOURCE = "source";

    /** The key of the address that a receiver has itself; a NAT gives its connection another one. */
    private static final String OWN = "own";

    /** The setting of a transport that names where its packets are sent instead of to the receiver. */
    public static final String VIA = "via";

    /** The setting of a transport that names the port at which the receiver receives. */
    public static final String RECEIVE_PORT = "receive-port";

    /** The settings that this class applies, for every program and interface to sockets. */
    public static final Set<String> SETTINGS = Set.of(VIA, RECEIVE_PORT);

    private static final Pattern NUMERIC = Pattern.compile("[0-9.]{7,15}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(?:%\\w+)?");

    /** Any port; datagrams to it are never sent (RFC 863). */
    private static final int DISCARD_PORT = 9;

    /** Returns whether a sender has announced that it waits for the receiver to connect. */
    public static boolean isAnnounced(Map<String, String> announcement) {
        return announcement.containsKey(PORT);
    }

    /** Returns an address of this machine with port 0, so that the kernel chooses a free port. */
    public static DataPort ephemeral(String host) throws LagbenchException {
        return new DataPort(new InetSocketAddress(resolve(host), 0));
    }

    /** Returns where a receiver listens, or a sender whose receiver connects. */
    public static DataPort listening(SideConfig run) throws LagbenchException {
        String host = run.listensAt();
        int port = run.local().dataPort();
        return new DataPort(new InetSocketAddress(
                resolve(host == null ? run.host() : host),
                port == 0 && host == null ? receivePort(run.settings()) : port));
    }

    /** Returns the port that the settings name for the receiver; 0 for any. */
    private static int receivePort(Settings settings) {
        String port = settings.asText().getOrDefault(RECEIVE_PORT, Parameter.AUTO);
        return port.equals(Parameter.AUTO) ? 0 : Integer.parseInt(port);
    }

    /** Returns the gateway or tunnel that settings name as destination; null if there is none. */
    public static @Nullable Endpoint via(Settings settings) {
        String via = settings.asText().getOrDefault(VIA, Parameter.NONE);
        return via.equals(Parameter.NONE) ? null : Endpoint.parse(via);
    }

    /**
     * Returns where a sender sends: to the port that its receiver announced, or to a gateway or tunnel that passes
     * packets on.
     *
     * @throws LagbenchException if the announcement is not accepted, or there is no such host
     */
    public static DataPort destination(SideConfig run, Map<String, String> receiverAnnounced) throws LagbenchException {
        Endpoint via = via(run.settings());
        if (via == null) {
            return announced(run.host(), receiverAnnounced);
        }
        if (run.isAnswered()) {
            throw ExitCode.USAGE.failure(run.transport().name() + "." + VIA + ": " + via
                    + " passes packets one way only, so that no reply would arrive; leave it out with round trips.");
        }
        return new DataPort(via.resolve());
    }

    /** Returns the address and port from which a side connects; null if the kernel selects them. */
    public static @Nullable InetSocketAddress connecting(SideConfig run) throws LagbenchException {
        if (run.local().isUnbound()) {
            return null;
        }
        InetAddress peer = resolve(run.host());
        InetAddress local = run.local().addressTo(peer);
        InetAddress any = resolve(peer instanceof Inet6Address ? "::" : "0.0.0.0");
        return new InetSocketAddress(local == null ? any : local, run.local().dataPort());
    }

    /**
     * Returns the port that a receiver announced, at the address that this side expects. A receiver cannot have packets
     * sent to another host or a multicast group.
     *
     * @param expectedHost the receiver's address on the control connection, or what the user named instead
     * @throws LagbenchException if it announced another address
     */
    public static DataPort announced(String expectedHost, Map<String, String> announcement) throws LagbenchException {
        InetAddress expected = resolve(expectedHost);
        String host = announcement.get(HOST);
        if (host != null && !host.equals(expectedHost) && !isAddress(host, expected)) {
            String named = UntrustedText.line(host, 60);
            throw ExitCode.PEER.failure(
                    "The receiver announces \"" + named + "\" as its address for packets, but this host sends them"
                            + " only to " + expectedHost
                            + (NUMERIC.matcher(host).matches()
                                    ? ". If it is correct, set data-host: " + named
                                            + " in the experiment, or --data-host " + named + " for the sender."
                                    : ", and \"" + named + "\" is not an address."));
        }
        String port = announcement.getOrDefault(PORT, "none");
        return new DataPort(new InetSocketAddress(expected, parsePort("The receiver on " + expectedHost, port)));
    }

    /**
     * Returns the port that a sender announced, at a numeric address.
     *
     * @throws LagbenchException if one of them is invalid
     */
    public static DataPort numeric(String host, String port) throws LagbenchException {
        return new DataPort(new InetSocketAddress(parseAddress(host), parsePort("The sender on " + host, port)));
    }

    private static InetAddress parseAddress(String announced) throws LagbenchException {
        if (!NUMERIC.matcher(announced).matches()) {
            throw ExitCode.PEER.failure(
                    "The sender announced an invalid address: \"" + UntrustedText.line(announced, 60) + "\".");
        }
        return resolve(announced);
    }

    /**
     * Returns the announcement of a sender with its address for packets, if the receiver does not know it from the
     * control connection.
     *
     * @param controlHost the sender's address there
     * @throws LagbenchException if no packet can be sent to the receiver
     */
    public static Map<String, String> withSource(Map<String, String> announcement, SideConfig run, String controlHost)
            throws LagbenchException {
        if (!run.transport().wire().isOverIp() || via(run.settings()) != null) {
            return announcement;
        }
        InetAddress receiver = resolve(run.host());
        InetAddress named = run.local().addressTo(receiver);
        try {
            InetAddress source = named == null ? localAddressTo(new InetSocketAddress(receiver, DISCARD_PORT)) : named;
            if (isAddress(Endpoint.withoutZone(controlHost), source)) {
                return announcement;
            }
            Map<String, String> both = new HashMap<>(announcement);
            both.put(SOURCE, Endpoint.withoutZone(Endpoint.format(source)));
            return both;
        } catch (IOException e) {
            throw ExitCode.PEER.failure("Cannot send packets to " + run.host() + ": " + IoErrors.reason(e) + ".", e);
        }
    }

    /**
     * Returns the addresses from which a sender's packets come: that of the control connection, and the announced one.
     *
     * @throws LagbenchException if the announced one is invalid
     */
    public static Set<InetAddress> sources(InetAddress ofConnection, Map<String, String> senderAnnounced)
            throws LagbenchException {
        String source = senderAnnounced.get(SOURCE);
        return source == null ? Set.of(ofConnection) : Set.copyOf(List.of(ofConnection, parseAddress(source)));
    }

    /** Returns the address of this machine from which packets to an address leave. Sends none. */
    public static InetAddress localAddressTo(InetSocketAddress address) throws IOException {
        try (DatagramChannel probe = DatagramChannel.open(new DataPort(address).family())) {
            probe.connect(new InetSocketAddress(address.getAddress(), DISCARD_PORT));
            return boundTo(probe).getAddress();
        }
    }

    private static int parsePort(String announcer, String port) throws LagbenchException {
        if (!port.matches("[1-9][0-9]{0,4}") || Integer.parseInt(port) > 65_535) {
            throw ExitCode.PEER.failure(announcer + " announced an invalid port: \"" + UntrustedText.line(port, 60)
                    + "\"; it must be 1 to 65535.");
        }
        return Integer.parseInt(port);
    }

    /** Returns a receiver's announcement with the address that it has itself. */
    public static Map<String, String> withOwn(Map<String, String> announcement, String host) {
        Map<String, String> both = new HashMap<>(announcement);
        both.put(OWN, host);
        return both;
    }

    /**
     * Returns the address that a receiver has itself, if it connects from another one, which is then a NAT's; else
     * null.
     *
     * @param connected the address of its control connection
     */
    public static @Nullable String translated(Map<String, String> announcement, String connected)
            throws LagbenchException {
        String own = announcement.get(OWN);
        return own == null || !NUMERIC.matcher(own).matches() || isAddress(own, resolve(connected)) ? null : own;
    }

    private static boolean isAddress(String host, InetAddress expected) {
        try {
            return NUMERIC.matcher(host).matches()
                    && InetAddress.getByName(Endpoint.withoutZone(host))
                            .equals(InetAddress.getByAddress(expected.getAddress()));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Returns the address and port of a bound socket. */
    public static InetSocketAddress boundTo(NetworkChannel bound) throws IOException {
        if (bound.getLocalAddress() instanceof InetSocketAddress local) {
            return local;
        }
        throw new IOException("the socket is not bound to a port");
    }

    /** Returns the announcement of a receiver bound to an address. */
    public static Map<String, String> announce(InetSocketAddress bound) {
        return Map.of(PORT, Integer.toString(bound.getPort()));
    }

    /** Returns the protocol family of the address. */
    public ProtocolFamily family() {
        return address.getAddress() instanceof Inet6Address
                ? StandardProtocolFamily.INET6
                : StandardProtocolFamily.INET;
    }

    /** Formats an address as "127.0.0.1:4711" or "[::1]:4711", without a looked-up name. */
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

    /**
     * Returns the address of a host.
     *
     * @throws LagbenchException if it has none
     */
    public static InetAddress resolve(String host) throws LagbenchException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw ExitCode.USAGE.failure("\"" + host + "\" is not an address of a host.", e);
        }
    }
}
