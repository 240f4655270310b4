package org.lagbench.engines.netty;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.IsolatedEngine;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.SideConfig;

/** The engine {@code netty}: the channels and the event loop of Netty 4. */
public final class NettyEngine extends IsolatedEngine {
    /** The name of the engine, and of the directory of its libraries. */
    static final String NAME = "netty";

    /** The name of the setting for the kind of I/O. */
    static final String IO = "io";

    /** Creates the engine, for the service loader. */
    public NettyEngine() {
        super(
                NAME,
                5,
                Stream.concat(SOCKET_SETTINGS.stream(), DataPort.SETTINGS.stream())
                        .collect(Collectors.toSet()));
    }

    @Override
    public List<Parameter<?>> settings() {
        return List.of(Parameter.choice(IO, List.of("nio", "epoll", "io_uring"))
                .byDefault("nio")
                .described("How Netty waits for its sockets: nio through the JDK, epoll and io_uring"
                        + " by its own native code."));
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.TRANSFER ? Set.of(Wire.TCP) : Set.of(Wire.TCP, Wire.UDP);
    }

    @Override
    public Framing framing(Settings settings) {
        return Framing.NONE;
    }

    @Override
    public boolean bindsSenders() {
        return true;
    }

    @Override
    protected void checkMachine(Settings settings) throws LagbenchException {
        NettyIo io = NettyIo.of(settings);
        @Nullable Throwable cause = io.unavailabilityCause();
        if (cause != null) {
            throw ExitCode.UNAVAILABLE.failure(
                    "engine: netty with netty.io: " + settings.word(IO) + " is not available here: "
                            + IoErrors.reason(IoErrors.rootOf(cause)) + ". Set netty.io: nio, or use another engine.",
                    cause);
        }
    }

    @Override
    protected PacketSender openSender(SideConfig run, boolean introduces) throws LagbenchException {
        return new NettySender(
                run, NettyIo.of(run.settings()), run.transport().wire().isStream(), introduces);
    }

    @Override
    protected PacketReceiver listen(SideConfig run) throws IOException, LagbenchException {
        NettyIo io = NettyIo.of(run.settings());
        return run.transport().wire().isStream()
                ? NettyStreamReceiver.open(run, io)
                : NettyDatagramReceiver.open(run, io);
    }
}
