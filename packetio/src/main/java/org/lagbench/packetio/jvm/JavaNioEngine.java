package org.lagbench.packetio.jvm;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.engine.Traffic;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Observation;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;
import org.lagbench.core.transport.Transport;
import org.lagbench.packetio.transport.Calls;
import org.lagbench.packetio.transport.PacketTransport;

/** Java that sends and receives through the channels of java.nio, as most Java programs do. */
public final class JavaNioEngine extends JvmEngine {
    static final String NAME = "java-nio";

    /** The engine that the service loader makes. */
    public JavaNioEngine() {
        super(Calls.CHANNEL);
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

    /** The kernel's stamps, which stages need, are not to be had through channels. */
    @Override
    public boolean records(Observation observation) {
        return observation != Observation.STAGES;
    }

    @Override
    public void check(Transport transport, Settings settings) throws LagbenchException {
        PacketTransport over = PacketTransport.of(transport);
        for (SettingDefinition setting : over.settings()) {
            String value = settings.asText().get(setting.name());
            if (over.settingsOfSystemCalls().contains(setting.name())
                    && !setting.defaultText().equals(value)) {
                throw new LagbenchException(
                        ExitCode.USAGE,
                        "engine: " + NAME + " has no calls for " + transport.name() + "." + setting.name() + ": "
                                + value + "; leave it at " + setting.defaultText() + ", or use another engine.");
            }
        }
    }

    @Override
    public @Nullable LagbenchException unavailableReason(Transport transport) {
        return null;
    }
}
