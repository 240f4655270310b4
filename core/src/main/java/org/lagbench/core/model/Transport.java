package org.lagbench.core.model;

import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.Endpoint;

/**
 * Describes a network type: its name, settings and capabilities. Registered by a line in
 * {@code META-INF/services/org.lagbench.core.model.Transport} and found by {@link Transports}. Implementations have a
 * cheap public constructor without arguments.
 */
public interface Transport extends Registry.Named {
    /** Returns the name: lower case letters and digits. */
    @Override
    String name();

    /** Returns the name in tables, such as "UDP/IP". */
    String title();

    /**
     * Returns the largest packet in bytes with these settings. The smallest has 24 bytes; a byte stream also accepts
     * packets without a header, from 1 byte, if one is in flight.
     */
    int maximumPacketBytes(Settings settings);

    /**
     * Checks settings, each within its range, against one another and against a packet size up to
     * {@link #maximumPacketBytes}, so that no run starts that cannot be completed.
     *
     * @throws LagbenchException if they contradict each other; the message says which, and what to do about it
     */
    default void check(int packetBytes, Settings settings) throws LagbenchException {}

    /**
     * Checks that this machine supports these settings. Called before the first run that starts here, and again before
     * a side is opened.
     *
     * @throws LagbenchException if it does not; the message states the reason and the remedy
     */
    default void checkMachine(Settings settings) throws LagbenchException {}

    /**
     * Checks the settings that this machine's kernel may refuse to a sender outside the JVM.
     *
     * @throws LagbenchException if the kernel refuses one; the message names the setting and the values that the kernel
     *     offers
     */
    default void checkSender(Settings settings) throws LagbenchException {}

    /** Returns the shortest time between packets on the medium in ns: 125,000 for IEEE-1394; 0 if there is none. */
    default long minimumIntervalNs() {
        return 0;
    }

    /** Returns the position in tables, from 0; transports of the same position are ordered by title. */
    default int tableOrder() {
        return Integer.MAX_VALUE;
    }

    /** Returns the wire of the packets. */
    Wire wire();

    /** Returns the bytes that the transport itself writes before each packet; 0 for a plain transport of its wire. */
    default int headerBytes() {
        return 0;
    }

    /** Returns the size of the smallest packet in bytes: of a byte stream one without a header. */
    default int minimumPacketBytes() {
        return wire().isStream() ? 1 : RunParameters.MINIMUM_PACKET_BYTES;
    }

    /**
     * Checks the size of packets.
     *
     * @throws IllegalArgumentException with both sizes if it is below the minimum or above the maximum
     */
    default void checkPacketBytes(int bytes, Settings settings) {
        int minimum = minimumPacketBytes();
        int maximum = maximumPacketBytes(settings);
        if (bytes < minimum || bytes > maximum) {
            throw new IllegalArgumentException("packets of " + bytes + " bytes are "
                    + (bytes < minimum ? "below the minimum of " : "above the maximum of ") + name() + ", "
                    + (bytes < minimum ? minimum : maximum) + " bytes");
        }
    }

    /**
     * Returns how many packets must follow a packet so that the end of the stream does not affect its lag. The default
     * for a flood is about as many as a receive buffer holds: the sender still sends while the receiver reads the
     * packet. The default for a paced stream is enough for TCP to detect a lost segment by the next ones (RFC 8985).
     */
    default long leadOutPackets(int packetBytes, Settings settings, boolean flood) {
        return flood ? Math.max(1, Math.min(1_000, (1 << 18) / packetBytes)) : 16;
    }

    /**
     * Returns the setting of how long the receiving side holds a packet that arrived in time: the latency of a library
     * that repairs losses meanwhile; null if it holds none.
     */
    default @Nullable String holdSetting() {
        return null;
    }

    /** Returns the value of {@link #holdSetting} in ns, or 0. The wait for the last packets is that much longer. */
    default long holdNs(Settings settings) {
        String setting = holdSetting();
        return setting == null ? 0 : settings.intervalNs(setting);
    }

    /** Returns the gateways or tunnels that get the packets instead of the receiver, and pass them on; usually none. */
    default Set<Endpoint> destinations(Settings settings) {
        return settings().stream()
                .filter(Parameter::namesHost)
                .filter(setting -> !setting.hasWord(settings.word(setting.name())))
                .map(setting -> Endpoint.parse(settings.word(setting.name())))
                .collect(Collectors.toSet());
    }

    /** Returns the increment of the key of the kernel's transmit stamps per packet. */
    default long stampKeysPerPacket(int packetBytes) {
        return 1;
    }

    /** Returns the packets per second that an idle link carries; null if unknown. */
    default @Nullable Double packetsPerS(LinkCapacity link, int packetBytes) {
        return null;
    }
}
