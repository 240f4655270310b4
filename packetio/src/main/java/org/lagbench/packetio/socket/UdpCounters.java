package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the kernel counted of the UDP datagrams of all programs in this network namespace, over IPv4 and IPv6, since the
 * namespace was created. Each is 0 if the kernel does not count it, or not for this network namespace or user.
 *
 * @param damaged datagrams that arrived with a wrong checksum: {@code InCsumErrors}
 * @param overflowed datagrams for which a receive buffer, or the memory of all of them, had no room:
 *     {@code RcvbufErrors} and {@code MemErrors}
 * @param refused datagrams that were not sent for want of room: {@code SndbufErrors}. A non-blocking send that waits
 *     for its send buffer counts too
 * @param discarded datagrams that IP could not pass on to a network interface: {@code OutDiscards}. A filter's count
 *     too
 * @param unreachable packets that this host reported as unreachable: {@code OutDestUnreachs} of ICMP
 * @param unresolvedDiscards packets that had waited for the link address of their next hop when others took their
 *     place, in all network namespaces: {@code unresolved_discards} of the neighbor tables
 * @param failedResolutions next hops of which nobody reported a link address, in all network namespaces:
 *     {@code res_failed}
 * @param unansweredSolicitations requests for the link address of a next hop over IPv6 without a reply
 * @param hopsWithoutAddress next hops over IPv4 whose link address is not known now: entries of {@code /proc/net/arp}
 */
public record UdpCounters(
        long damaged,
        long overflowed,
        long refused,
        long discarded,
        long unreachable,
        long unresolvedDiscards,
        long failedResolutions,
        long unansweredSolicitations,
        long hopsWithoutAddress) {
    /** The counters of a host without any of these. */
    public static final UdpCounters NONE = new UdpCounters(0, 0, 0, 0, 0, 0, 0, 0, 0);

    private static final Path IPV4 = Path.of("/proc/net/snmp");
    private static final Path IPV6 = Path.of("/proc/net/snmp6");
    private static final Path ARP = Path.of("/proc/net/arp");

    /** The neighbor tables of IPv4 and IPv6: only the first network namespace has their counters. */
    private static final List<Path> NEIGHBORS =
            List.of(Path.of("/proc/1/net/stat/arp_cache"), Path.of("/proc/1/net/stat/ndisc_cache"));

    private static final String UDP = "Udp";
    private static final String ICMP = "Icmp";
    private static final String IP = "Ip";

    /** Reads the counters. Takes less than 0.1 ms. */
    public static UdpCounters read() {
        return parse(
                lines(IPV4),
                lines(IPV6),
                NEIGHBORS.stream().map(UdpCounters::lines).toList(),
                lines(ARP));
    }

    /**
     * Returns the counters of the lines of files.
     *
     * @param ipv4 of {@code /proc/net/snmp}: a line of names, then one of numbers
     * @param ipv6 of {@code /proc/net/snmp6}: a name and a number in each
     * @param neighbors of the neighbor tables: a line of names, then one of hexadecimal numbers for each CPU
     * @param arp of {@code /proc/net/arp}: the third word is 0x0 without a link address
     */
    static UdpCounters parse(List<String> ipv4, List<String> ipv6, List<List<String>> neighbors, List<String> arp) {
        Map<String, Long> counts = new HashMap<>();
        for (int i = 0; i + 1 < ipv4.size(); i++) {
            List<String> names = words(ipv4.get(i));
            List<String> numbers = words(ipv4.get(i + 1));
            String protocol = names.get(0);
            if (List.of(IP + ":", UDP + ":", ICMP + ":").contains(protocol)
                    && numbers.get(0).equals(protocol)) {
                for (int column = 1; column < Math.min(names.size(), numbers.size()); column++) {
                    counts.put(protocol + names.get(column), Long.parseLong(numbers.get(column)));
                }
                i++;
            }
        }
        ipv6.stream()
                .map(UdpCounters::words)
                .filter(line -> line.size() == 2)
                .forEach(line -> counts.put(line.get(0), Long.parseLong(line.get(1))));
        return new UdpCounters(
                sum(counts, UDP, "InCsumErrors"),
                sum(counts, UDP, "RcvbufErrors") + sum(counts, UDP, "MemErrors"),
                sum(counts, UDP, "SndbufErrors"),
                sum(counts, IP, "OutDiscards"),
                sum(counts, ICMP, "OutDestUnreachs"),
                sum(neighbors, "unresolved_discards"),
                sum(neighbors, "res_failed"),
                Math.max(
                        0,
                        counts.getOrDefault("Icmp6OutNeighborSolicits", 0L)
                                - counts.getOrDefault("Icmp6InNeighborAdvertisements", 0L)),
                arp.stream()
                        .map(UdpCounters::words)
                        .filter(hop -> hop.size() > 2 && hop.get(2).equals("0x0"))
                        .count());
    }

    /** Returns the sum of a counter over tables and CPUs. */
    private static long sum(List<List<String>> neighbors, String name) {
        return neighbors.stream()
                .filter(table -> !table.isEmpty())
                .mapToLong(table -> {
                    int column = words(table.get(0)).indexOf(name);
                    return table.stream()
                            .skip(1)
                            .map(UdpCounters::words)
                            .filter(cpu -> column >= 0 && column < cpu.size())
                            .mapToLong(cpu -> Long.parseLong(cpu.get(column), 16))
                            .sum();
                })
                .sum();
    }

    /** Returns the sum of a counter of a protocol over IPv4 and IPv6. */
    private static long sum(Map<String, Long> counts, String protocol, String name) {
        return counts.getOrDefault(protocol + ":" + name, 0L) + counts.getOrDefault(protocol + "6" + name, 0L);
    }

    private static List<String> words(String line) {
        return List.of(line.strip().split("\\s+", -1));
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            return List.of(); // this is not Linux, /proc is hidden, or IPv6 is disabled
        }
    }

    /** Returns the counts since an earlier reading, with the next hops of this one. */
    public UdpCounters since(UdpCounters earlier) {
        return new UdpCounters(
                damaged - earlier.damaged,
                overflowed - earlier.overflowed,
                refused - earlier.refused,
                discarded - earlier.discarded,
                unreachable - earlier.unreachable,
                unresolvedDiscards - earlier.unresolvedDiscards,
                failedResolutions - earlier.failedResolutions,
                unansweredSolicitations - earlier.unansweredSolicitations,
                hopsWithoutAddress);
    }

    /** Returns how many datagrams a queue of this host's network interfaces dropped, without an error of the call. */
    public long queueDrops() {
        return Math.min(refused, discarded);
    }

    /**
     * Returns how many packets this host dropped because it did not find the link address of their next hop, by ARP or
     * neighbor discovery; 0 if this network namespace has no such hop, because the discarded ones are then of another.
     */
    public long unresolvedDrops() {
        boolean isHere = unreachable > 0 || unansweredSolicitations > 0 || hopsWithoutAddress > 0;
        return isHere ? unresolvedDiscards + (failedResolutions > 0 ? unreachable : 0) : 0;
    }
}
