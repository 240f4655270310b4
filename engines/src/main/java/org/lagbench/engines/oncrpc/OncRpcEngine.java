package org.lagbench.engines.oncrpc;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.NativeFiles;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Wire;
import org.lagbench.core.run.Traffic;
import org.lagbench.engines.message.MessageEngine;
import org.lagbench.packetio.engine.InProcessEngine;
import org.lagbench.packetio.nativeengine.ProgramEngine;

/**
 * The engine {@code onc-rpc}: a remote call for each packet, by a program in C over libtirpc (src/main/oncrpc). The
 * call returns when the receiver has counted the packet, or with the answer.
 */
public final class OncRpcEngine extends ProgramEngine {
    static final String DIRECTORY_PROPERTY = "lagbench.engines.native";

    private static final String PROGRAM = "lagbench-onc-rpc";

    private static final NativeFiles FILES =
            new NativeFiles(DIRECTORY_PROPERTY, OncRpcEngine.class, "mvn -pl engines -am package", "engine: onc-rpc");

    /** Creates the engine, for the service loader. */
    public OncRpcEngine() {}

    @Override
    public String name() {
        return "onc-rpc";
    }

    @Override
    public int tableOrder() {
        return 11;
    }

    @Override
    public Set<Wire> wires(Traffic traffic) {
        return traffic == Traffic.TRANSFER ? Set.of() : Set.of(Wire.TCP);
    }

    @Override
    public void check(Transport transport, Settings settings) throws LagbenchException {
        InProcessEngine.refuseOthers(this, transport, settings, MessageEngine.SOCKET_SETTINGS);
    }

    @Override
    protected Path program() throws LagbenchException {
        Path directory = FILES.directory();
        if (Files.isDirectory(directory) && !Files.exists(directory.resolve(PROGRAM))) {
            throw ExitCode.UNAVAILABLE.failure(
                    "engine: onc-rpc is not available: it was built without libtirpc. Install it with: apt-get install"
                            + " libtirpc-dev pkg-config; then build with: mvn -pl engines -am package");
        }
        return FILES.file(PROGRAM);
    }
}
