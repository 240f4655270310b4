package org.lagbench.packetio.engine;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SocketApi;

/** The engine {@code java-nio}: the channels of {@code java.nio}, as most Java programs use them. */
public final class JavaNioEngine extends JvmEngine {
    static final String NAME = "java-nio";

    /** Creates the engine, for the service loader. */
    public JavaNioEngine() {
        super(SocketApi.CHANNELS);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int tableOrder() {
        return 1;
    }

    @Override
    public boolean serves(Transport transport, Traffic traffic) {
        return super.serves(transport, traffic) && transport.usesSockets();
    }

    /** Returns false: channels do not provide the kernel stamps that stages need. */
    @Override
    public boolean records(Observation observation) {
        return observation != Observation.STAGES;
    }

    @Override
    public void check(Transport transport, Settings settings) throws LagbenchException {
        PacketTransport packetTransport = PacketTransport.of(transport);
        for (Parameter<?> setting : packetTransport.settings()) {
            String value = settings.asText().get(setting.name());
            if (packetTransport.systemCallSettings().contains(setting.name())
                    && !setting.absentText().equals(value)) {
                throw new LagbenchException(
                        ExitCode.USAGE,
                        "engine: " + NAME + " does not support " + transport.name() + "." + setting.name() + ": "
                                + value + "; set it to " + setting.absentText() + ", or use another engine.");
            }
        }
    }

    @Override
    public @Nullable LagbenchException unavailableReason(Transport transport) {
        return null;
    }
}
