package org.lagbench.core.lab;

/**
 * Datagrams that go through the network beside the packets that are measured. Times count from the first recorded
 * packet of a run.
 *
 * @param rateBitsPerS rate in bit/s of the datagrams' contents, without headers
 * @param packetBytes size of each datagram's contents in bytes
 * @param startNs when it starts, in ns
 * @param stopNs when it stops, in ns; {@link #RUN_END} for the end of the run
 * @param direction which way
 */
public record CompetingFlow(long rateBitsPerS, int packetBytes, long startNs, long stopNs, Way direction) {
    /** Stops with the run. */
    public static final long RUN_END = Long.MAX_VALUE;

    /** Smallest datagram in bytes. */
    public static final int MINIMUM_PACKET_BYTES = 1;

    /** Largest datagram in bytes. */
    public static final int MAXIMUM_PACKET_BYTES = 65_507;

    /** Latest start and stop in ns. */
    public static final long MAXIMUM_NS = 86_400_000_000_000L;

    /** Which way. */
    public enum Way {
        /** As the sender's packets. */
        THERE("there"),
        /** As the receiver's answers. */
        BACK("back");

        private final String text;

        Way(String text) {
            this.text = text;
        }

        /** The word in files. */
        public String text() {
            return text;
        }
    }
}
