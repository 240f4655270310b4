package org.lagbench.packetio.socket;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The number of datagrams that Linux dropped at one bound UDP socket: the last column of its line in
 * {@code /proc/net/udp} or {@code udp6}, see proc(5). The local address, which is unique, identifies the line. A socket
 * of both families that is bound to an IPv4 address, such as the JDK opens by default, is listed in {@code udp6}.
 */
public final class SocketDrops {
    /** Returned if the platform does not count dropped datagrams. */
    public static final long UNKNOWN = -1;

    /** The prefix ::ffff:0:0/96 of an IPv4 address in a table of IPv6 addresses, as the kernel prints it. */
    private static final String MAPPED = words(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff});

    private static final int BUFFER_BYTES = 1 << 14;

    private final List<Line> lines;

    private byte[] text = new byte[BUFFER_BYTES];

    /** A table that may list the socket, and the text by which the socket's line is found. */
    private static final class Line {
        final Path table;

        /**
         * The local address, with the colon and space before it. The remote address is not preceded by these two
         * characters.
         */
        final byte[] begin;

        Line(Path table, String localAddress) {
            this.table = table;
            this.begin = (": " + localAddress + " ").getBytes(StandardCharsets.US_ASCII);
        }
    }

    /** Creates the counter of the socket bound to an address. */
    public SocketDrops(InetSocketAddress local) {
        Path table6 = Path.of("/proc/net/udp6");
        String address = tableAddress(local);
        this.lines = local.getAddress() instanceof Inet4Address
                ? List.of(new Line(Path.of("/proc/net/udp"), address), new Line(table6, MAPPED + address))
                : List.of(new Line(table6, address));
    }

    /** Creates the counter of the socket whose local address, as the kernel prints it, identifies a line of a table. */
    public SocketDrops(Path table, String localAddress) {
        this.lines = List.of(new Line(table, localAddress));
    }

    /**
     * Returns the current count of dropped datagrams, or {@link #UNKNOWN}. Allocates little, because it is called
     * frequently.
     */
    public synchronized long count() {
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            long count = count(line.table, line.begin);
            if (count != UNKNOWN) {
                return count;
            }
        }
        return UNKNOWN;
    }

    private long count(Path table, byte[] lineBegin) {
        int length;
        try (InputStream in = new FileInputStream(table.toFile())) {
            length = readAll(in);
        } catch (IOException e) {
            return UNKNOWN; // this is not Linux, or /proc is hidden
        }
        for (int at = 0; at + lineBegin.length <= length; at++) {
            if (Arrays.equals(text, at, at + lineBegin.length, lineBegin, 0, lineBegin.length)) {
                return lastNumberOfLine(at, length);
            }
        }
        return UNKNOWN;
    }

    private int readAll(InputStream in) throws IOException {
        int length = 0;
        while (true) {
            if (length == text.length) {
                text = Arrays.copyOf(text, 2 * length);
            }
            int read = in.read(text, length, text.length - length);
            if (read < 0) {
                return length;
            }
            length += read;
        }
    }

    private long lastNumberOfLine(int from, int length) {
        long number = UNKNOWN;
        boolean inNumber = false;
        for (int at = from; at < length && text[at] != '\n'; at++) {
            boolean isDigit = text[at] >= '0' && text[at] <= '9';
            if (isDigit) {
                number = (inNumber ? number * 10 : 0) + (text[at] - '0');
            }
            inNumber = isDigit;
        }
        return number;
    }

    /** Formats an address as the kernel does. */
    static String tableAddress(InetSocketAddress address) {
        return words(address.getAddress().getAddress()) + String.format(Locale.ROOT, ":%04X", address.getPort());
    }

    /** Formats 32-bit words, in the machine's byte order, in hexadecimal. */
    private static String words(byte[] bytes) {
        ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        StringBuilder text = new StringBuilder();
        while (words.hasRemaining()) {
            text.append(String.format(Locale.ROOT, "%08X", words.getInt()));
        }
        return text.toString();
    }
}
