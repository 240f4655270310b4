package org.lagbench.core.transport.ip;

import java.io.IOException;
import java.nio.channels.NetworkChannel;
import java.util.Iterator;
import java.util.ServiceLoader;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Finds who can ask the kernel of sockets; a bench without it works, but cannot tell stages. */
public final class KernelSockets {
    private KernelSockets() {}

    /**
     * Who can: the provider on the class path.
     *
     * @throws LagbenchException if there is none, or it cannot work on this machine
     */
    public static KernelSocketProvider provider() throws LagbenchException {
        Iterator<KernelSocketProvider> providers =
                ServiceLoader.load(KernelSocketProvider.class).iterator();
        if (!providers.hasNext()) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "What the kernel tells of sockets needs lagbench's module nativesocket, which is not on the class"
                            + " path; start the program by lagbench's scripts, or leave stages out of observe.");
        }
        KernelSocketProvider provider = providers.next();
        provider.check();
        return provider;
    }

    /**
     * Opens a socket.
     *
     * @throws LagbenchException as {@link #provider}
     */
    public static KernelSocket open(NetworkChannel channel) throws LagbenchException, IOException {
        return provider().open(channel);
    }
}
