package org.lagbench.experiment;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Traffic;

/** An engine that has limits, but moves nothing. */
record FakeEngine(String name, int order, boolean runsOnJvm) implements Engine {
    /** Three engines with the limits of the real ones. */
    static final Engines ALL = new Engines(List.of(
            new FakeEngine("java", 0, true), new FakeEngine("java-nio", 1, true), new FakeEngine("c", 2, false)));

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return order == 0 ? EnumSet.allOf(Wire.class) : Set.of(Wire.TCP, Wire.UDP);
    }

    @Override
    public boolean stampsDepartures() {
        return order == 0;
    }

    /** The first engine compresses with one codec only, and needs no-delay. */
    @Override
    public void checkCompression(Transport transport, Settings settings, CompressionSpec compression)
            throws LagbenchException {
        if (order > 0) {
            Engine.super.checkCompression(transport, settings, compression);
        } else if (!compression.codec().equals("gzip-6") && compression.policy().isEmpty()) {
            throw new LagbenchException(ExitCode.USAGE, "There is no codec \"" + compression.codec() + "\".");
        } else if (!settings.flag("no-delay")) {
            throw new LagbenchException(ExitCode.USAGE, "java does not compress with no-delay: false.");
        }
    }

    /** The second engine accepts no large send buffers. */
    @Override
    public void check(Transport transport, Settings settings) throws LagbenchException {
        if (order == 1 && "1048576".equals(settings.asText().get("send-buffer"))) {
            throw new LagbenchException(
                    ExitCode.USAGE, "java-nio takes no send-buffer of 1048576; take a smaller one.");
        }
    }

    @Override
    public @Nullable LagbenchException unavailableReason(Transport transport) {
        return null;
    }
}
