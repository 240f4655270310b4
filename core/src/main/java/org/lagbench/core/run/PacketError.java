package org.lagbench.core.run;

import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.PortUnreachableException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;

/**
 * Errors of a system call that belong to a datagram. All engines count them and go on: a datagram that is not sent is
 * lost, as others are on the way. Any other error ends the run, and over TCP every error. The C code has this list as
 * {@code packet_errors.h}.
 */
public enum PacketError {
    /** A filter of this host drops the packet. */
    EPERM(1, false, "Operation not permitted", "a filter of this host drops them"),
    /** A route of this host prohibits the packet. */
    EACCES(13, false, "Permission denied", "a route of this host prohibits them"),
    /** The interface does not exist any more. */
    ENODEV(19, false, "No such device", "the network interface is gone"),
    /** The source address is not an address of this host any more, or a route discards the packet. */
    EINVAL(22, false, "Invalid argument", "this host lost its address, or a route discards them"),
    /** A router isolates the receiver's host. */
    ENONET(64, true, "Machine is not on the network", "a router reports the receiver's host as isolated"),
    /** The packet does not fit the path's MTU and must not be fragmented, or a router could not forward it. */
    EMSGSIZE(90, true, "Message too long", "they do not fit the path's MTU"),
    /** The receiver's host has no UDP. */
    ENOPROTOOPT(92, true, "Protocol not available", "the receiver's host reports that it has no UDP"),
    /** The interface is down. */
    ENETDOWN(100, false, "Network is down", "the network interface is down"),
    /** This host or a router has no route to the receiver. */
    ENETUNREACH(101, true, "Network is unreachable", "there was no route"),
    /** The queue of the interface is full. */
    ENOBUFS(105, false, "No buffer space available", "the queue of the network interface was full"),
    /** The receiver's host or a firewall rejects the packet. */
    ECONNREFUSED(111, true, "Connection refused", "the receiver's port was closed, or a firewall rejected them"),
    /** A router does not know the receiver's host. */
    EHOSTDOWN(112, true, "Host is down", "a router does not know the receiver's host"),
    /** The receiver's host does not answer, or a router or firewall rejects the packet. */
    EHOSTUNREACH(
            113,
            true,
            "No route to host",
            "the receiver's host or the next hop was not reachable, or a firewall rejected them");

    /** The metadata of a side with the packets that were not sent: their number for each error. */
    public static final String FAILED_SENDS = "failedSends";

    /** The metadata of a side with the calls that were repeated because of an error of an earlier packet. */
    public static final String RETRIED_SENDS = "retriedSends";

    private final int number;
    private final boolean isReported;
    private final String text;
    private final String meaning;

    PacketError(int number, boolean isReported, String text, String meaning) {
        this.number = number;
        this.isReported = isReported;
        this.text = text;
        this.meaning = meaning;
    }

    /** Returns the error number on Linux. */
    public int number() {
        return number;
    }

    /**
     * Returns whether the network may report the error later than the call that sent the datagram. The next call then
     * returns it and sends nothing, so that engines repeat that call once.
     */
    public boolean isReported() {
        return isReported;
    }

    /** Returns what the error means for packets, as a clause. */
    public String meaning() {
        return meaning;
    }

    /** Returns whether a text is the name of an error. */
    public static boolean isName(String text) {
        return Arrays.stream(values()).anyMatch(error -> error.name().equals(text));
    }

    /** Returns the counts of a side's metadata, such as {@link #FAILED_SENDS}, by the names of the errors. */
    public static Map<String, Long> counts(Map<String, Object> metadata, String name) {
        Map<String, Long> counts = new TreeMap<>();
        if (metadata.get(name) instanceof Map<?, ?> recorded) {
            recorded.forEach((error, count) -> {
                if (count instanceof Number number) {
                    counts.put(String.valueOf(error), number.longValue());
                }
            });
        }
        return counts;
    }

    /**
     * Returns counts by the names of errors, with what they mean: "1,200 EMSGSIZE (they do not fit the path's MTU)".
     */
    public static String text(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .map(error -> String.format(Locale.ROOT, "%,d %s", error.getValue(), error.getKey())
                        + Arrays.stream(values())
                                .filter(known -> known.name().equals(error.getKey()))
                                .map(known -> " (" + known.meaning + ")")
                                .collect(Collectors.joining()))
                .collect(Collectors.joining(", "));
    }

    /** Returns the error of a call of a datagram channel; null if it does not belong to a datagram. */
    public static @Nullable PacketError of(IOException failure) {
        if (failure instanceof PortUnreachableException) {
            return ECONNREFUSED;
        }
        if (failure instanceof NoRouteToHostException) {
            return EHOSTUNREACH;
        }
        String message = IoErrors.reason(failure);
        for (PacketError error : values()) {
            if (message.endsWith(error.text)) {
                return error;
            }
        }
        return null;
    }
}
