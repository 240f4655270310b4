package org.lagbench.engines.aeron;

import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.engines.message.Sides;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.TransportRun;

/** Opens the sides of runs through Aeron. */
public final class AeronSides implements Sides {
    /** Creates the sides, for the loader of libraries. */
    public AeronSides() {}

    @Override
    public void checkMachine(Settings settings) throws LagbenchException {
        if (!Object.class.getModule().isOpen("jdk.internal.misc", AeronSides.class.getModule())) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "engine: aeron is not available: this JVM does not open its memory functions to Aeron; start it"
                            + " with --add-opens java.base/jdk.internal.misc=ALL-UNNAMED, as lagbench's scripts do.");
        }
    }

    @Override
    public PacketSender openSender(PacketTransport transport, TransportRun run) throws LagbenchException {
        checkMachine(run.settings());
        return new AeronSender(run);
    }

    @Override
    public PacketReceiver openReceiver(PacketTransport transport, TransportRun run) throws LagbenchException {
        checkMachine(run.settings());
        return AeronReceiver.open(run);
    }
}
