package org.lagbench.engines;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A UDP socket, or a TCP socket that listens, of this process or its programs, as proc_net(5) shows it.
 *
 * @param isConnected whether the kernel passes on only what its peer sends
 * @param drops the datagrams that did not reach the socket's buffer
 */
record OpenPort(boolean isUdp, int port, boolean isConnected, long drops) {
    private static final int LOCAL = 1;
    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final int DROPS = 12;
    private static final String LISTENING = "0A";

    /** Returns all that are open now. */
    static List<OpenPort> all() throws IOException {
        Set<String> inodes = inodes();
        List<OpenPort> open = new ArrayList<>();
        for (String table : List.of("udp", "udp6", "tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/net", table))) {
                String[] fields = line.strip().split("\\s+", -1);
                boolean isUdp = table.startsWith("udp");
                if (fields[0].endsWith(":")
                        && inodes.contains(fields[INODE])
                        && (isUdp || fields[STATE].equals(LISTENING))) {
                    open.add(new OpenPort(
                            isUdp,
                            port(fields[LOCAL]),
                            port(fields[REMOTE]) != 0,
                            isUdp ? Long.parseLong(fields[DROPS]) : 0));
                }
            }
        }
        return open;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
    }

    private static Set<String> inodes() throws IOException {
        Set<String> inodes = new HashSet<>();
        Stream<ProcessHandle> processes = Stream.concat(
                Stream.of(ProcessHandle.current()), ProcessHandle.current().descendants());
        for (ProcessHandle process : processes.toList()) {
            try (Stream<Path> descriptors = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
                for (Path descriptor : descriptors.toList()) {
                    inodes.add(inode(descriptor));
                }
            } catch (NoSuchFileException e) {
                // ignored: the process has ended
            }
        }
        return inodes;
    }

    private static String inode(Path descriptor) throws IOException {
        try {
            return Files.readSymbolicLink(descriptor).toString().replaceAll("socket:\\[(\\d+)\\]", "$1");
        } catch (NoSuchFileException e) {
            return ""; // another thread has closed it
        }
    }
}
