package org.lagbench.web;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.lagbench.core.file.TrustedUsers;

/**
 * Who opened a connection on this host: the kernel's tables of connections have the user of each socket (proc(5),
 * {@code /proc/net/tcp}).
 */
final class LocalUsers {
    private static final List<Path> TABLES = List.of(Path.of("/proc/net/tcp"), Path.of("/proc/net/tcp6"));

    /** Reading a table while it changes can omit a row. */
    private static final int ATTEMPTS = 3;

    /** The columns of a row. */
    private static final int LOCAL = 1;

    private static final int REMOTE = 2;
    private static final int USER = 7;

    /** 0 if no process has the socket; then the column of its user means nothing. */
    private static final int INODE = 9;

    private LocalUsers() {}

    /**
     * Returns whether one of {@link TrustedUsers} opened a connection from this address to that one.
     *
     * @throws IOException if that is unknown, because the tables cannot be read
     */
    static boolean opened(InetSocketAddress client, InetSocketAddress server) throws IOException {
        return opened(TABLES, client, server);
    }

    /**
     * Like {@link #opened(InetSocketAddress, InetSocketAddress)}, from these socket tables. Some tables may be missing,
     * but not all.
     */
    static boolean opened(List<Path> tables, InetSocketAddress client, InetSocketAddress server) throws IOException {
        Set<Integer> allowed = TrustedUsers.ids();
        List<Path> present = tables.stream().filter(Files::exists).toList();
        if (present.isEmpty()) {
            throw new NoSuchFileException(tables.get(0).toString());
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            for (Path table : present) {
                if (isOpenedBy(allowed, Files.readAllLines(table, StandardCharsets.US_ASCII), client, server)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns whether a table has a socket with these addresses that one of the users opened. */
    static boolean isOpenedBy(
            Set<Integer> users, List<String> table, InetSocketAddress client, InetSocketAddress server)
            throws UnknownHostException {
        for (String row : table.subList(Math.min(1, table.size()), table.size())) {
            String[] columns = row.strip().split("\\s+", -1);
            if (columns.length > INODE
                    && !columns[INODE].equals("0")
                    && users.contains((int) Long.parseLong(columns[USER]))
                    && parse(columns[LOCAL]).equals(client)
                    && parse(columns[REMOTE]).equals(server)) {
                return true;
            }
        }
        return false;
    }

    /** Parses an address as the kernel prints it: 32-bit words in the host's byte order, then the port. */
    private static InetSocketAddress parse(String text) throws UnknownHostException {
        int colon = text.indexOf(':');
        ByteBuffer address = ByteBuffer.allocate(colon / 2).order(ByteOrder.nativeOrder());
        for (int i = 0; i < colon; i += 2 * Integer.BYTES) {
            address.putInt(Integer.parseUnsignedInt(text, i, i + 2 * Integer.BYTES, 16));
        }
        return new InetSocketAddress(
                InetAddress.getByAddress(address.array()), Integer.parseInt(text, colon + 1, text.length(), 16));
    }
}
