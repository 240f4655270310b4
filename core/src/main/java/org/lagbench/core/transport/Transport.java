package org.lagbench.core.transport;

import java.util.List;
import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Implementation;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;

/**
 * Describes a network type: its name, its settings and what it can do. Registered by a line in
 * {@code META-INF/services/org.lagbench.core.transport.Transport} and found by {@link Transports}. Implementations have
 * a public constructor without arguments that does nothing costly.
 */
public interface Transport {
    /** The name in experiments, files and on the control connection: lower case letters and digits, such as "udp". */
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

    /** What can send and receive over this transport. */
    default Set<Implementation> implementations() {
        return Set.of(Implementation.JAVA);
    }

    /**
     * Makes sure that packets over this transport can be sent and received by that.
     *
     * @throws LagbenchException if not: why, and what to do about it
     */
    default void check(Implementation implementation) throws LagbenchException {
        if (!implementations().contains(implementation)) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "implementation: " + implementation.text() + " sends and receives over tcp and udp only. The bus is"
                            + " driven by the same C library, libraw1394, from Java as from C; take " + name()
                            + " out of the experiment, or use implementation: java.");
        }
    }

    /** Whether both sides of this transport record the bus cycle of each packet. */
    default boolean recordsBusCycle() {
        return false;
    }
}
