package org.lagbench.core.transport.udp;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * How many datagrams Linux dropped at one bound UDP socket: the last column of its line in {@code /proc/net/udp} or
 * {@code udp6}, see proc(5). The line is told by the local address, which no other socket has.
 */
final class SocketDrops {
    /** Given where the platform does not tell. */
    static final long UNKNOWN = -1;

    private static final int LOCAL_ADDRESS_COLUMN = 1;

    private final Path table;
    private final String localAddress;

    SocketDrops(InetSocketAddress local) {
        this(
                Path.of(local.getAddress() instanceof Inet4Address ? "/proc/net/udp" : "/proc/net/udp6"),
                tableAddress(local));
    }

    SocketDrops(Path table, String localAddress) {
        this.table = table;
        this.localAddress = localAddress;
    }

    /** The drops up to now, or {@link #UNKNOWN}. */
    long count() {
        List<String> lines;
        try {
            lines = Files.readAllLines(table);
        } catch (IOException e) {
            return UNKNOWN; // not Linux, or /proc is hidden
        }
        for (String line : lines) {
            String[] columns = line.strip().split("\\s+", -1);
            if (columns.length > LOCAL_ADDRESS_COLUMN && columns[LOCAL_ADDRESS_COLUMN].equals(localAddress)) {
                return Long.parseLong(columns[columns.length - 1]);
            }
        }
        return UNKNOWN;
    }

    /** The address as the kernel prints it: its 32-bit words, read in the machine's byte order, in hexadecimal. */
    static String tableAddress(InetSocketAddress address) {
        ByteBuffer words = ByteBuffer.wrap(address.getAddress().getAddress()).order(ByteOrder.nativeOrder());
        StringBuilder text = new StringBuilder();
        while (words.hasRemaining()) {
            text.append(String.format(Locale.ROOT, "%08X", words.getInt()));
        }
        return text.append(String.format(Locale.ROOT, ":%04X", address.getPort()))
                .toString();
    }
}
