package org.lagbench.nativesocket;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.jni.NativeFiles;
import org.lagbench.core.path.PathRun;
import org.lagbench.core.path.ReceivePath;
import org.lagbench.core.path.SendPath;
import org.lagbench.core.path.Twin;

/** Has packets moved by lagbench-twin (src/main/twin). */
public final class CTwin implements Twin {
    private static final NativeFiles FILES =
            new NativeFiles(LinuxSockets.DIRECTORY_PROPERTY, CTwin.class, "nativesocket", "implementation: c");

    @Override
    public void check() throws LagbenchException {
        program();
    }

    @Override
    public SendPath sendPath(PathRun run, SenderCapture capture) throws LagbenchException {
        return new TwinSendPath(program(), run, capture);
    }

    @Override
    public ReceivePath receivePath(PathRun run, ReceiverCapture capture, Consumer<String> failed)
            throws LagbenchException {
        return TwinReceivePath.start(program(), run, capture, failed);
    }

    private static Path program() throws LagbenchException {
        return FILES.file("lagbench-twin");
    }
}
