package org.lagbench.engines.javanet;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ThreadFactory;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/**
 * The engine {@code java-socket}: the streams of {@code java.net.Socket}, as Java programs have used since Java 1.0. A
 * subclass uses them in virtual threads.
 */
public class JavaSocketEngine extends MessageEngine {
    private final boolean usesPlatformThreads;

    /** Creates the engine, for the service loader. */
    public JavaSocketEngine() {
        this("java-socket", 3, true);
    }

    /** @param usesPlatformThreads whether the receiving thread is a platform thread */
    JavaSocketEngine(String name, int order, boolean usesPlatformThreads) {
        super(name, order, SOCKET_SETTINGS);
        this.usesPlatformThreads = usesPlatformThreads;
    }

    /** Returns the factory of the threads that serve connections. */
    ThreadFactory connectionThreads() throws LagbenchException {
        return task -> new Thread(task, "connection");
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return Set.of(Wire.TCP);
    }

    @Override
    public Framing framing(Settings settings) {
        return Framing.NONE;
    }

    @Override
    protected PacketSender openSender(SideConfig run, boolean introduces) {
        return new StreamSender(run, introduces);
    }

    @Override
    protected PacketReceiver listen(SideConfig run) throws IOException, LagbenchException {
        return StreamReceiver.open(run, connectionThreads(), usesPlatformThreads);
    }
}
