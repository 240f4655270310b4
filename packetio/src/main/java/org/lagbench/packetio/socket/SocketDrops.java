package org.lagbench.packetio.socket;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The number of datagrams that Linux dropped at one bound UDP socket: the last column of its line in
 * {@code /proc/net/udp} or {@code udp6}, see proc(5). The local address, which is unique, identifies the line.
 */
public final class SocketDrops {
    /** Returned if the platform does not count. */
    public static final long UNKNOWN = -1;

    private final Path table;

    /** A line's number ends in a colon; the remote address follows another column. */
    private final String numberEndAndLocalAddress;

    /** Creates the counter of the socket bound to an address. */
    public SocketDrops(InetSocketAddress local) {
        this(
                Path.of(local.getAddress() instanceof Inet4Address ? "/proc/net/udp" : "/proc/net/udp6"),
                tableAddress(local));
    }

    /** Creates the counter of the socket with an address in a table. */
    public SocketDrops(Path table, String localAddress) {
        this.table = table;
        this.numberEndAndLocalAddress = ": " + localAddress + " ";
    }

    /** Returns the present count, or {@link #UNKNOWN}. */
    public long count() {
        try (Stream<String> lines = Files.lines(table, StandardCharsets.US_ASCII)) {
            return lines.filter(line -> line.contains(numberEndAndLocalAddress))
                    .map(String::strip)
                    .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
                    .findFirst()
                    .orElse(UNKNOWN);
        } catch (IOException | UncheckedIOException e) {
            return UNKNOWN; // not Linux, or /proc is hidden
        }
    }

    /** Formats an address as the kernel does: its 32-bit words, in the machine's byte order, in hexadecimal. */
    private static String tableAddress(InetSocketAddress address) {
        ByteBuffer words = ByteBuffer.wrap(address.getAddress().getAddress()).order(ByteOrder.nativeOrder());
        StringBuilder text = new StringBuilder();
        while (words.hasRemaining()) {
            text.append(String.format(Locale.ROOT, "%08X", words.getInt()));
        }
        return text.append(String.format(Locale.ROOT, ":%04X", address.getPort()))
                .toString();
    }
}
