package org.lagbench.packetio.nativeengine;

import java.nio.file.Path;
import java.util.Set;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Framing;
import org.lagbench.core.run.Traffic;
import org.lagbench.packetio.linux.LinuxSockets;

/** The engine {@code c}: a process of lagbench-engine (src/main/engine) on each side, controlled by this process. */
public final class NativeEngine extends ProgramEngine {
    private static final NativeFiles FILES = new NativeFiles(
            LinuxSockets.DIRECTORY_PROPERTY, NativeEngine.class, "mvn -pl packetio -am package", "engine: c");

    @Override
    public String name() {
        return "c";
    }

    @Override
    public String title() {
        return "C engine";
    }

    @Override
    public int order() {
        return 2;
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.TRANSFER ? Set.of(Wire.TCP) : Set.of(Wire.TCP, Wire.UDP);
    }

    @Override
    public boolean stampsArrivals() {
        return true;
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
    public boolean bindsDevices() {
        return true;
    }

    @Override
    protected Path program() throws LagbenchException {
        return FILES.file("lagbench-engine");
    }
}
