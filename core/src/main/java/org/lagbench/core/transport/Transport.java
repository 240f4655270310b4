package org.lagbench.core.transport;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.lab.LinkCapacity;
import org.lagbench.core.registry.Named;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;

/**
 * Describes a network type: its name, its settings and what it can do. Registered by a line in
 * {@code META-INF/services/org.lagbench.core.transport.Transport} and found by {@link Transports}. Implementations have
 * a public constructor without arguments that does nothing costly.
 */
public interface Transport extends Named {
    /** The name in experiments, files and on the control connection: lower case letters and digits. */
    @Override
    String name();

    /** The name in tables, such as "UDP/IP". */
    String title();

    /** The transport's own settings, with defaults and ranges. The experiment model checks values against them. */
    List<SettingDefinition> settings();

    /** Largest packet in bytes under these settings (the smallest is the header's 24 for every transport). */
    int maximumPacketBytes(Settings settings);

    /**
     * Checks settings, each within its range, against one another and against a packet size that
     * {@link #maximumPacketBytes} allows. The experiment is refused with the sentence, so that no run begins that
     * cannot go on.
     *
     * @throws LagbenchException if they do not go together: which, and what to do about it
     */
    default void check(int packetBytes, Settings settings) throws LagbenchException {}

    /**
     * Makes sure that this machine is as these settings ask for. To be called before the first of several runs, if they
     * start here, and again by whoever opens a side.
     *
     * @throws LagbenchException if it is not: why, and what to do about it
     */
    default void checkMachine(Settings settings) throws LagbenchException {}

    /** Shortest possible time between packets in ns that the medium dictates, or 0: 125,000 for IEEE-1394. */
    default long minimumIntervalNs() {
        return 0;
    }

    /** Its place among transports in tables, from 0; transports of the same place are ordered by title. */
    default int tableOrder() {
        return Integer.MAX_VALUE;
    }

    /** Whether packets go over sockets of IP, and so through a network that an experiment orders. */
    default boolean usesSockets() {
        return false;
    }

    /** Whether the sender connects to a listening socket, and no packet is lost while the connection lasts. */
    default boolean isConnectionOriented() {
        return false;
    }

    /** By how much the key of the kernel's transmit stamps grows with each packet. */
    default long stampKeysPerPacket(int packetBytes) {
        return 1;
    }

    /** How many packets a second an idle link carries; null if it is not known. */
    default @Nullable Double packetsPerS(LinkCapacity link, int packetBytes) {
        return null;
    }

    /** Whether both sides of this transport record the bus cycle of each packet. */
    default boolean recordsBusCycle() {
        return false;
    }
}
