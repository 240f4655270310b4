package org.lagbench.packetio.engine;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.SideConfig.SocketApi;

/** The engine {@code java}: system calls on sockets, made through JNI. */
public final class JavaEngine extends SocketEngine {
    /** Creates the engine, for the service loader. */
    public JavaEngine() {
        super("java", 0, SocketApi.SYSTEM_CALLS);
    }

    @Override
    public boolean stampsDepartures() {
        return true;
    }

    @Override
    public boolean stampsArrivals() {
        return true;
    }

    @Override
    public @Nullable LagbenchException unavailableReason(Transport transport) {
        LagbenchException reason = transport.wire().isOverIp() ? LinuxSockets.unavailableReason() : null;
        if (reason == null) {
            return null;
        }
        String sentence = "engine: " + name() + " is not available: " + reason.sentence() + " Or use engine: "
                + JavaNioEngine.NAME + ".";
        return reason.exitCode().failure(sentence, reason);
    }
}
