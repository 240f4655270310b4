package org.lagbench.engines.rmi;

import java.io.IOException;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Framing;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The engine {@code rmi}: a remote call for each packet, which returns when the receiver has counted it. Without a
 * registry: the receiver announces the stub on the control connection.
 */
public final class RmiEngine extends MessageEngine {
    /**
     * The message type (1 byte), the stream's header (4), the object, the method and its hash (36), the class of the
     * array (20) and its length (4).
     */
    private static final Framing FRAMING = new Framing(1 + 4 + 36 + 20 + 4, 1, 0, null, true);

    /** Creates the engine, for the service loader. */
    public RmiEngine() {
        super("rmi", 6, SOCKET_SETTINGS);
    }

    /** RMI sets TCP_NODELAY on every connection. */
    @Override
    public void check(Transport transport, Settings settings) throws LagbenchException {
        super.check(transport, settings);
        if (!settings.flag(NO_DELAY)) {
            throw ExitCode.USAGE.failure("engine: rmi does not support " + transport.name() + "." + NO_DELAY
                    + ": false, because RMI always sets TCP_NODELAY; set it to true, or use another engine.");
        }
    }

    @Override
    public Framing framing(Settings settings) {
        return FRAMING;
    }

    @Override
    protected PacketSender openSender(SideConfig run, boolean introduces) {
        return new RmiSender(run);
    }

    @Override
    protected PacketReceiver listen(SideConfig run) throws IOException, LagbenchException {
        return RmiReceiver.open(run);
    }
}
