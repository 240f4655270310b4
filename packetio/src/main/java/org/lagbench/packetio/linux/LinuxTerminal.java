package org.lagbench.packetio.linux;

import org.lagbench.core.failure.LagbenchException;

/** The size of a terminal. Thread-safe. */
public final class LinuxTerminal {
    private LinuxTerminal() {}

    /**
     * Returns the present number of columns of the terminal that a file descriptor of this process refers to.
     *
     * @param descriptor 1 is standard output, 2 standard error
     * @return at least 0, which means unknown: no terminal, a terminal of unknown size, or no native library
     */
    public static int columns(int descriptor) {
        try {
            LinuxSockets.load();
            return Math.max(0, columnsOf(descriptor));
        } catch (LagbenchException e) {
            return 0;
        }
    }

    /** Returns the columns or −errno. In liblagbenchsocket.so. */
    private static native int columnsOf(int descriptor);
}
