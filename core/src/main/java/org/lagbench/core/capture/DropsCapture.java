package org.lagbench.core.capture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The packets that the receiving kernel dropped, in the order of the drops: {@code seq, dropped_ns, reason}. The time
 * is CLOCK_REALTIME of the receiver in ns, the reason the kernel's number. Exists only if there are some.
 */
public final class DropsCapture {
    public static final String FILE_NAME = "receiver-drops.npy";

    public static final List<String> FIELDS = List.of("seq", "dropped_ns", "reason");

    /** The reasons that the kernel's counter of drops has: of a socket's buffer, and of the memory of all of them. */
    public static final Set<String> OVERFLOWS = Set.of("SOCKET_RCVBUFF", "PROTO_MEM");

    /** The reasons for damaged packets: the checksum of the datagram, of the IP header, or of another one is wrong. */
    public static final Set<String> DAMAGES = Set.of("UDP_CSUM", "IP_CSUM", "SKB_CSUM");

    private static final int BUFFER_RECORDS = 1 << 10;

    private DropsCapture() {}

    /** Returns names of reasons by number as text: "3 NO_SOCKET, 6 SOCKET_RCVBUFF". */
    public static String formatReasons(Map<Long, String> names) {
        return names.entrySet().stream()
                .map(name -> name.getKey() + " " + name.getValue())
                .collect(Collectors.joining(", "));
    }

    /** Returns the names in a text by number, which is text too. */
    public static Map<String, String> parseReasons(String text) {
        return Pattern.compile(", ")
                .splitAsStream(text)
                .map(reason -> reason.split(" ", 2))
                .filter(reason -> reason.length == 2)
                .collect(Collectors.toMap(reason -> reason[0], reason -> reason[1], (first, other) -> first));
    }

    /** Creates the file, or replaces it. */
    public static GrowingCapture create(Path path) throws IOException {
        Files.deleteIfExists(path);
        return GrowingCapture.create(path, FIELDS, BUFFER_RECORDS);
    }
}
