package org.lagbench.engines.message;

import java.util.Set;
import org.lagbench.core.engine.Engine;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.packetio.socket.SocketBuffer;

/** Names of settings of transports over sockets. */
public final class SocketSettings {
    /** Whether a TCP connection sends small segments at once (TCP_NODELAY). */
    public static final String NO_DELAY = "no-delay";

    /** The settings that any interface to sockets supports. */
    public static final Set<String> ALL =
            Set.of(NO_DELAY, SocketBuffer.SEND.settingName(), SocketBuffer.RECEIVE.settingName());

    private SocketSettings() {}

    /**
     * Checks that a transport's settings other than those that an engine supports have their defaults.
     *
     * @throws LagbenchException with {@link ExitCode#USAGE}, naming the first that has not
     */
    public static void refuseOthers(Engine engine, Transport transport, Settings settings, Set<String> supported)
            throws LagbenchException {
        for (Parameter<?> setting : transport.settings()) {
            String value = settings.word(setting.name());
            if (!supported.contains(setting.name()) && !setting.absentText().equals(value)) {
                throw new LagbenchException(
                        ExitCode.USAGE,
                        "engine: " + engine.name() + " does not support " + transport.name() + "." + setting.name()
                                + ": " + value + "; set it to " + setting.absentText() + ", or use another engine.");
            }
        }
    }
}
