package org.lagbench.core.run;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Registry.Named;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;

/**
 * Describes an engine, which sends and receives the packets of a run. Registered by a line in
 * {@code META-INF/services/org.lagbench.core.run.Engine} and found by {@link Engines}. Implementations have a cheap
 * public constructor without arguments and are thread-safe.
 */
public interface Engine extends Named {
    /** Returns the name: lower case letters, digits and hyphens. */
    @Override
    String name();

    /** Returns the name in titles, such as "C engine". */
    default String title() {
        return name() + " engine";
    }

    /** Returns the position in tables and lists, from 0; the engine at 0 is the default. */
    @Override
    int order();

    /** Returns whether a JVM sends and receives the packets, so that its options and pauses affect them. */
    boolean runsOnJvm();

    /** Returns the wires over which the engine has a kind of traffic. */
    Set<Wire> wires(Traffic traffic);

    /** Returns whether the engine supports a kind of traffic over a transport; by default over plain ones only. */
    default boolean serves(Transport transport, Traffic traffic) {
        return transport.headerBytes() == 0 && wires(traffic).contains(transport.wire());
    }

    /**
     * Returns whether an experiment with several transports and engines sends over this transport by this engine. The
     * transport of a library is sent by the engine of the library alone, which sends nothing else.
     */
    default boolean pairsWith(Transport transport) {
        boolean isOfLibrary = wires(Traffic.ONE_WAY).equals(Set.of(Wire.LIBRARY));
        return (!isOfLibrary && transport.wire() != Wire.LIBRARY) || serves(transport, Traffic.ONE_WAY);
    }

    /**
     * Checks that the engine supports compressed transfers over the transport.
     *
     * @param settings the transport's settings
     * @throws LagbenchException if the engine does not; the message states the remedy
     */
    default void checkCompression(Transport transport, Settings settings, CompressionSpec compression)
            throws LagbenchException {
        throw ExitCode.UNAVAILABLE.failure("engine: " + name() + " does not compress transfers over " + transport.name()
                + "; leave codec out, or use the default engine over TCP.");
    }

    /** Returns whether the engine records the transmit stamps of its sockets, and the fill levels of their buffers. */
    default boolean stampsDepartures() {
        return false;
    }

    /** Returns whether the engine records the kernel's receive stamps of packets over sockets with their causes. */
    default boolean stampsArrivals() {
        return false;
    }

    /**
     * Returns what surrounds each packet that it sends over a TCP connection or in UDP datagrams, its library's
     * included; null if packets cannot be found there. A datagram carries nothing else before or between packets, nor
     * does a connection if {@linkplain Framing#NONE nothing} surrounds its packets.
     *
     * @param settings those of {@link #settingsOver}
     */
    default @Nullable Framing framing(Settings settings) {
        return null;
    }

    /**
     * Returns whether both sides exchange small messages at the port of the packets before the first packet, so that a
     * run proves that the path lets these through.
     */
    default boolean opensConnection(Transport transport) {
        return transport.wire().isStream() || transport.wire() == Wire.LIBRARY;
    }

    /**
     * Returns the bytes of the largest UDP datagram that its senders send before the first packet to connect; 0 if that
     * is not known.
     */
    default long openingBytes() {
        return 0;
    }

    /**
     * Returns the bytes of the UDP datagram with one packet, its library's included; 0 if that is not known.
     *
     * @param settings those of {@link #settingsOver}
     */
    default long datagramBytes(int packetBytes, Settings settings) {
        Framing framing = framing(settings);
        return framing == null ? 0 : framing.frameBytes(packetBytes);
    }

    /**
     * Returns whether its receivers record which UDP datagram brings each packet, so that its arrival is known where
     * nobody else can read the datagram.
     */
    default boolean readsDatagrams() {
        return false;
    }

    /** Returns whether its senders connect from an address and port that the user names. */
    default boolean bindsSenders() {
        return false;
    }

    /** Returns whether it binds its sockets to a network interface. */
    default boolean bindsDevices() {
        return false;
    }

    /** Returns the settings of a run: the transport's, then the engine's, whose names are different. */
    default List<Parameter<?>> settingsOver(Transport transport) {
        return Stream.concat(transport.settings().stream(), settings().stream()).toList();
    }

    /**
     * Checks that the engine supports a transport's settings.
     *
     * @param transport one that it serves
     * @throws LagbenchException if not; the message says which setting, and what to do about it
     */
    default void check(Transport transport, Settings settings) throws LagbenchException {}

    /**
     * Checks that the engine sends packets of a size, or transfers, with its own settings.
     *
     * @param settings those of {@link #settings}
     * @throws LagbenchException if not; the message says which setting, and what to do about it
     */
    default void checkPackets(Traffic traffic, int packetBytes, Settings settings) throws LagbenchException {}

    /** Returns why the engine cannot use a transport on this machine, and what to do about it; null if it can. */
    @Nullable
    LagbenchException unavailableReason(Transport transport);

    /**
     * Returns a known fault of the engine's library on this machine, and what to do about it; null if none is known.
     *
     * @throws LagbenchException if the engine is not available
     */
    default @Nullable KnownFault knownFault() throws LagbenchException {
        return null;
    }

    /**
     * A fault by which others can harm a run.
     *
     * @param found the library with its version, and the fault
     * @param advice what to do about it
     */
    record KnownFault(String found, String advice) {}

    /**
     * Checks that the engine can use a transport with these settings on this machine.
     *
     * @param settings those of {@link #settingsOver}
     * @throws LagbenchException if it cannot; the message states the reason and the remedy
     */
    default void checkMachine(Transport transport, Settings settings) throws LagbenchException {
        LagbenchException reason = unavailableReason(transport);
        if (reason != null) {
            throw reason;
        }
    }
}
