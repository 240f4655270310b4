package org.lagbench.packetio.nativeengine;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.engine.EngineConfig;
import org.lagbench.packetio.engine.ReceiveEngine;
import org.lagbench.packetio.engine.SendEngine;
import org.lagbench.packetio.engine.Twin;
import org.lagbench.packetio.jni.NativeFiles;
import org.lagbench.packetio.linux.LinuxSockets;

/** Has packets moved by lagbench-engine (src/main/engine). */
public final class NativeTwin implements Twin {
    private static final NativeFiles FILES =
            new NativeFiles(LinuxSockets.DIRECTORY_PROPERTY, NativeTwin.class, "packetio", "implementation: c");

    @Override
    public void check() throws LagbenchException {
        program();
    }

    @Override
    public SendEngine sendPath(EngineConfig run, SenderCapture capture) throws LagbenchException {
        return new NativeSendEngine(program(), run, capture);
    }

    @Override
    public ReceiveEngine receivePath(EngineConfig run, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException {
        return NativeReceiveEngine.start(program(), run, capture, failed);
    }

    private static Path program() throws LagbenchException {
        return FILES.file("lagbench-engine");
    }
}
