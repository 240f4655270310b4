package org.lagbench.core.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.registry.TextEnum;

/**
 * A network between a sender and a receiver, every value within its range. Immutable.
 *
 * @param name the name in tables
 * @param topology the hosts and routers
 * @param framing the bytes that each packet takes on the wire besides its own
 * @param backend what delays, loses, duplicates and reorders packets
 * @param seed of the random lost, duplicated and reordered packets and their jitter
 * @param forward from the sender to the receiver
 * @param reverse from the receiver to the sender
 * @param edgeRateBitsPerS rate of the links between hosts and routers, 0 for unlimited; null for a cable
 * @param flows the flows that compete with the measured packets
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
        List<CompetingFlow> flows) {
    public static final long MINIMUM_RATE_BITS_PER_S = 8_000;
    public static final long MAXIMUM_RATE_BITS_PER_S = 100_000_000_000L;
    public static final int MAXIMUM_FLOWS = 16;

    /** Longest delay and jitter. */
    public static final long MAXIMUM_DELAY_NS = 10_000_000_000L;

    public Network {
        flows = List.copyOf(flows);
    }

    /** The hosts and routers. */
    public enum Topology implements TextEnum {
        /** Sender and receiver, joined by one link. */
        CABLE,
        /**
         * Sender and receiver, a router before each, and the slow link between the routers. The competing flows go
         * between two more hosts, one at each router.
         */
        DUMBBELL
    }

    /** The bytes that a packet takes on the wire besides its own and its Ethernet header. */
    public enum Framing implements TextEnum {
        /** Preamble, check sequence and gap, 24 bytes, of at least 84 bytes in all (IEEE 802.3). */
        ETHERNET,
        /** Nothing. */
        NONE
    }

    /** What delays, loses, duplicates and reorders packets. */
    public enum ImpairmentBackend implements TextEnum {
        /**
         * The kernel's netem if available, else the relay. Always the relay for jitter, because netem's jitter reorders
         * packets.
         */
        AUTO,
        /** The kernel's netem. */
        NETEM,
        /** The lab's own relay, a process between two TAP devices. */
        RELAY
    }
}
