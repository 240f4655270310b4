package org.lagbench.core.text;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * A host and a port as users write them: {@code host:port}, or {@code [IPv6 address]:port}.
 *
 * @param host a name or an address, without brackets
 * @param port from 0 (any free one, to listen on) to 65,535
 */
public record Endpoint(String host, int port) {
    /** The texts that {@link #parse} accepts, as part of a sentence. */
    public static final String ACCEPTED = "host:port, with an IPv6 address in brackets ([::1]:5001)";

    /** A receiver's default address. */
    public static final Endpoint DEFAULT_RECEIVER = new Endpoint("127.0.0.1", 5394);

    /** Two or more groups of zeros of an IPv6 address in full. */
    private static final Pattern ZERO_GROUPS = Pattern.compile("(?<![0-9a-f])0(?::0)+(?![0-9a-f])");

    /** A loopback address as RFC 5952 writes it, and the name of one. */
    private static final Pattern LOOPBACK = Pattern.compile("127(?:\\.[0-9]{1,3}){3}|::1|localhost");

    private static final int MAXIMUM_PORT = 65_535;
    private static final Pattern ENDPOINT = Pattern.compile(
            "(?:([A-Za-z0-9][A-Za-z0-9._-]{0,254})|\\[([0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9._-]{1,32})?)\\])"
                    + ":(\\d{1,5})");

    public Endpoint {
        if (port < 0 || port > MAXIMUM_PORT) {
            throw new IllegalArgumentException("port " + port + " is not within 0 to " + MAXIMUM_PORT);
        }
    }

    /**
     * Reads an endpoint without resolving the host.
     *
     * @throws IllegalArgumentException if the text is not accepted; the message says what is
     */
    public static Endpoint parse(String text) {
        Matcher matcher = ENDPOINT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + text + "\" is not " + ACCEPTED);
        }
        String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
        return new Endpoint(host, Integer.parseInt(matcher.group(3)));
    }

    /**
     * Reads the value of a command-line option.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE} if it is not an endpoint
     */
    public static Endpoint ofOption(String option, String text) throws LagbenchException {
        try {
            return parse(text);
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(option + ": " + e.getMessage() + ".", e);
        }
    }

    /**
     * Reads a host with or without a port: {@code host}, {@code host:port}, {@code [IPv6 address]:port}, or an IPv6
     * address without brackets and port.
     *
     * @param absentPort the port if none is given
     * @throws LagbenchException with {@link ExitCode#USAGE} if it is none of these
     */
    public static Endpoint ofOption(String option, String text, int absentPort) throws LagbenchException {
        String written = text.strip();
        boolean isBareIpv6 = written.indexOf(':') != written.lastIndexOf(':') && !written.startsWith("[");
        String host = isBareIpv6 ? "[" + written + "]" : written;
        return ofOption(option, ENDPOINT.matcher(host).matches() ? host : host + ":" + absentPort);
    }

    /** Returns the endpoint of an address; by its name only if the address is not resolved. */
    public static Endpoint of(InetSocketAddress address) {
        return new Endpoint(
                address.isUnresolved() ? address.getHostString() : format(address.getAddress()), address.getPort());
    }

    public InetSocketAddress resolve() throws LagbenchException {
        return resolveAll().get(0);
    }

    /** Returns all addresses of the host, in the order of the resolver; one or more. */
    public List<InetSocketAddress> resolveAll() throws LagbenchException {
        try {
            return Stream.of(InetAddress.getAllByName(host))
                    .map(address -> new InetSocketAddress(address, port))
                    .toList();
        } catch (UnknownHostException e) {
            throw ExitCode.PEER.failure("The host \"" + host + "\" is unknown.", e);
        }
    }

    /** Returns an address as RFC 5952 writes it, {@code fd00:bb::7}, with the zone of a link-local one. */
    public static String format(InetAddress address) {
        String full = address.getHostAddress();
        if (!(address instanceof Inet6Address)) {
            return full;
        }
        int zone = full.indexOf('%');
        String groups = zone < 0 ? full : full.substring(0, zone);
        String written = ZERO_GROUPS
                .matcher(groups)
                .results()
                .reduce((longest, run) -> run.group().length() > longest.group().length() ? run : longest)
                .map(run -> groups.substring(0, run.start()) + "::" + groups.substring(run.end()))
                .map(text -> text.replaceFirst(":{3,}", "::"))
                .orElse(groups);
        return zone < 0 ? written : written + full.substring(zone);
    }

    /**
     * Returns an address without the zone of a link-local one, which each host names by its own interface; an IPv6
     * address as RFC 5952 writes it. Returns the name of a host unchanged.
     */
    public static String withoutZone(String host) {
        int zone = host.indexOf('%');
        String address = zone < 0 ? host : host.substring(0, zone);
        try {
            return address.indexOf(':') < 0 ? address : format(InetAddress.getByName(address));
        } catch (UnknownHostException e) {
            return address;
        }
    }

    /** Returns whether the host is a loopback address, in any spelling, or {@code localhost}. Resolves no name. */
    public boolean isLoopback() {
        return LOOPBACK.matcher(withoutZone(host)).matches();
    }

    /** Returns the endpoint as {@link #parse} reads it. */
    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
