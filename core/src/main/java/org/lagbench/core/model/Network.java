package org.lagbench.core.model;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A network between a sender and a receiver, every value within its range. Immutable.
 *
 * @param name the name in tables
 * @param topology the hosts and routers
 * @param framing the bytes that the link adds to each packet on the wire
 * @param backend what emulates the rate, delay, loss, duplication and reordering of links: netem or the relay
 * @param seed of the random lost, duplicated and reordered packets and their jitter
 * @param forward from the sender to the receiver
 * @param reverse from the receiver to the sender
 * @param edgeRateBitsPerS rate of the links between hosts and routers, 0 for unlimited; null for a cable
 * @param initialWindow the congestion window of a new TCP connection in segments; {@link #AUTO_WINDOW} for the kernel's
 * @param flows the flows that compete with the measured packets
 * @param sites further hosts of a dumbbell
 */
public record Network(
        String name,
        Topology topology,
        Framing framing,
        ImpairmentBackend backend,
        long seed,
        LinkDirection forward,
        LinkDirection reverse,
        @Nullable Long edgeRateBitsPerS,
        int initialWindow,
        List<CompetingFlow> flows,
        List<SiteLink> sites) {
    public static final long MINIMUM_RATE_BITS_PER_S = 8_000;
    public static final long MAXIMUM_RATE_BITS_PER_S = 100_000_000_000L;
    public static final int MAXIMUM_FLOWS = 16;
    public static final int AUTO_WINDOW = 0;
    public static final int MAXIMUM_INITIAL_WINDOW = 1_000;

    /** Longest delay and jitter. */
    public static final long MAXIMUM_DELAY_NS = 10_000_000_000L;

    /** The environment variable with which a sender in a lab gets {@link #roundTripDelayNs}. */
    public static final String ROUND_TRIP_VARIABLE = "LAGBENCH_LAB_ROUND_TRIP_NS";

    public Network {
        flows = List.copyOf(flows);
        sites = List.copyOf(sites);
    }

    /** Returns the sum of the delays of both directions in ns, without jitter, queues and the time on the wire. */
    public long roundTripDelayNs() {
        return forward.delayNs() + reverse.delayNs();
    }

    /** The hosts and routers. */
    public enum Topology implements TextEnum {
        /** Sender and receiver, joined by one link. */
        CABLE,
        /**
         * Sender and receiver, a router before each, and the slow link between the routers. The competing flows go
         * between two more hosts, one at each router. Any number of sites can be linked to the routers.
         */
        DUMBBELL
    }

    /** The bytes that a packet takes on the wire besides its own and its Ethernet header. */
    public enum Framing implements TextEnum {
        /** Preamble 8, check sequence 4 and gap 12; with them a frame has at least 84 bytes (IEEE 802.3). */
        ETHERNET(24, 84),
        NONE(0, 0);

        private final int overheadBytes;
        private final int minBytes;

        Framing(int overheadBytes, int minBytes) {
            this.overheadBytes = overheadBytes;
            this.minBytes = minBytes;
        }

        /** Returns the number of bytes on the wire of each frame in addition to the frame's own. */
        public int overheadBytes() {
            return overheadBytes;
        }

        /** Returns the minimum number of bytes of a frame on a link, its overhead included. */
        public long minBytes(LinkDirection link) {
            return Math.max(minBytes, link.minPacketBytes());
        }
    }

    /** What emulates the rate, delay, loss, duplication and reordering of links. */
    public enum ImpairmentBackend implements TextEnum {
        /**
         * The relay for links with a rate or jitter, because netem's jitter reorders packets; else the kernel's netem
         * if available. Packets take no time on a wire of 1 Gbit/s or more without impairment.
         */
        AUTO,
        /** The kernel's netem. */
        NETEM,
        /** The lab's own relay, a process that joins two TAP devices. */
        RELAY
    }

    /**
     * UDP datagrams that compete with the measured packets. Times count from the first recorded packet of a run.
     *
     * @param rateBitsPerS rate in bit/s of the datagrams' contents, without headers
     * @param packetBytes size of each datagram's contents in bytes
     * @param startNs when it starts, in ns
     * @param stopNs when it stops, in ns; {@link #RUN_END} for the end of the run
     * @param direction its direction
     */
    public record CompetingFlow(long rateBitsPerS, int packetBytes, long startNs, long stopNs, Direction direction) {
        /** The stop of a flow that ends with the run. */
        public static final long RUN_END = Long.MAX_VALUE;

        public static final int MAXIMUM_PACKET_BYTES = 65_507;

        /** Latest start and stop in ns. */
        public static final long MAXIMUM_NS = 86_400_000_000_000L;

        /** The direction of a flow. */
        public enum Direction implements TextEnum {
            /** From the sender's side to the receiver's, as the measured packets. */
            FORWARD,
            /** From the receiver's side to the sender's. */
            REVERSE
        }
    }

    /**
     * A further host of a dumbbell, and its link to a router.
     *
     * @param name of the host, none of {@link #TAKEN}
     * @param link the properties of both directions
     */
    public record SiteLink(String name, Router router, LinkDirection link) {
        /** The maximum number of sites of a network. */
        public static final int MAXIMUM_SITES = 200;

        /** The names of the other hosts and routers, and of the control connection's addresses. */
        public static final Set<String> TAKEN = Set.of(
                "sender",
                "receiver",
                "rival-sender",
                "rival-receiver",
                "left",
                "right",
                "wire",
                "control",
                "control-sender");

        /** The router of a dumbbell to which a host is linked. */
        public enum Router implements TextEnum {
            /** The sender's. */
            LEFT,
            /** The receiver's. */
            RIGHT
        }
    }
}
