package org.lagbench.packetio.linux;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;

/** Reads a line, such as a key, from the terminal without echo, which no signal turns on (hidden_line.h). */
public final class HiddenLine {
    /** Linux passes no longer line of a terminal. */
    private static final int MAXIMUM_BYTES = 4096;

    private static final int NO_TERMINAL = -6;
    private static final int END_OF_INPUT = -61;
    private static final int CANCELED = -125;

    private HiddenLine() {}

    /**
     * Prints a prompt on the terminal that controls this process, and reads a line. An interruption of the program ends
     * the call and discards what was typed. One call at a time.
     *
     * @return null without a terminal, at the end of its input, or if this machine cannot hide the line
     * @throws LagbenchException if the user interrupts the program, or the terminal fails
     */
    public static @Nullable String read(String prompt, ShutdownCoordinator shutdown) throws LagbenchException {
        if (LinuxSockets.unavailableReason() != null) {
            return null;
        }
        int cancel = openCancel();
        if (cancel < 0) {
            throw failure(cancel);
        }
        Runnable stop = () -> cancel(cancel);
        shutdown.onInterrupt(stop);
        try {
            byte[] text = (prompt + '\0').getBytes(StandardCharsets.UTF_8);
            ByteBuffer line = ByteBuffer.allocateDirect(MAXIMUM_BYTES);
            int length = read(cancel, ByteBuffer.allocateDirect(text.length).put(text), line);
            if (length == CANCELED) {
                throw ExitCode.INTERRUPTED.failure("Interrupted");
            }
            if (length == NO_TERMINAL || length == END_OF_INPUT) {
                return null;
            }
            if (length < 0) {
                throw failure(length);
            }
            return StandardCharsets.UTF_8.decode(line.limit(length)).toString();
        } finally {
            shutdown.forget(stop);
            NativeSocket.close(cancel);
        }
    }

    private static LagbenchException failure(int error) {
        return ExitCode.UNAVAILABLE.failure("The terminal cannot be read: " + NativeSocket.reason(error) + ".");
    }

    private static native int openCancel();

    private static native int cancel(int cancel);

    private static native int read(int cancel, ByteBuffer prompt, ByteBuffer line);
}
