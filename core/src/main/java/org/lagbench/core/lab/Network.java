package org.lagbench.core.lab;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A network between a sender and a receiver, every value within its range. Immutable.
 *
 * @param name what tables call it
 * @param topology which hosts and routers there are
 * @param framing what each packet takes on the wire beside itself
 * @param means what delays, loses, copies and reorders packets
 * @param seed of what is drawn at random: which packets are lost, copied, reordered, and their jitter
 * @param there from the sender to the receiver
 * @param back from the receiver to the sender
 * @param edgeRateBitsPerS rate of the links between hosts and routers, 0 for as fast as the machine is; of a cable null
 * @param flows what competes with the packets that are measured
 */
public record Network(
        String name,
        Topology topology,
        Framing framing,
        ImpairmentBackend means,
        long seed,
        LinkDirection there,
        LinkDirection back,
        @Nullable Long edgeRateBitsPerS,
        List<CompetingFlow> flows) {
    /** Lowest rate of a link in bit/s. */
    public static final long MINIMUM_RATE_BITS_PER_S = 8_000;

    /** Highest rate of a link in bit/s. */
    public static final long MAXIMUM_RATE_BITS_PER_S = 100_000_000_000L;

    /** Longest delay and jitter in ns. */
    public static final long MAXIMUM_DELAY_NS = 10_000_000_000L;

    /** Most competing flows. */
    public static final int MAXIMUM_FLOWS = 16;

    public Network {
        flows = List.copyOf(flows);
    }

    /** Which hosts and routers there are. */
    public enum Topology {
        /** Sender and receiver, joined by one link. */
        CABLE("cable"),
        /**
         * Sender and receiver, a router before each, the slow link between the routers; at each router a host besides,
         * between which the competing flows go.
         */
        DUMBBELL("dumbbell");

        private final String text;

        Topology(String text) {
            this.text = text;
        }

        /** The word in files. */
        public String text() {
            return text;
        }
    }

    /** What each packet takes on the wire beside itself and its Ethernet header. */
    public enum Framing {
        /** Preamble, check sequence and gap, 24 bytes, of at least 84 bytes in all (IEEE 802.3). */
        ETHERNET("ethernet"),
        /** Nothing. */
        NONE("none");

        private final String text;

        Framing(String text) {
            this.text = text;
        }

        /** The word in files. */
        public String text() {
            return text;
        }
    }

    /** What delays, loses, copies and reorders packets. */
    public enum ImpairmentBackend {
        /**
         * The kernel's netem where it is there and does what is ordered, the relay elsewhere. Jitter is for the relay:
         * netem's reorders packets.
         */
        AUTO("auto"),
        /** The kernel's netem. */
        NETEM("netem"),
        /** The lab's own relay, a process between two TAP devices. */
        RELAY("relay");

        private final String text;

        ImpairmentBackend(String text) {
            this.text = text;
        }

        /** The word in files. */
        public String text() {
            return text;
        }
    }
}
