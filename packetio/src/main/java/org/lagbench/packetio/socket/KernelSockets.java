package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.NetworkChannel;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** Finds who can ask the kernel of sockets; a bench without it works, but cannot do what is named to the methods. */
public final class KernelSockets {
    /** What stages need it for. */
    public static final String STAGES = "observe: stages";

    private KernelSockets() {}

    /**
     * Who can: the provider on the class path.
     *
     * @param what is not to be had without it, as an experiment names it
     * @throws LagbenchException if there is none, or it cannot work on this machine
     */
    public static KernelSocketProvider provider(String what) throws LagbenchException {
        KernelSocketProvider provider = onClassPath();
        if (provider == null) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    what + " needs lagbench's module packetio, which is not on the class path; start the program by"
                            + " lagbench's scripts, or leave it out of the experiment.");
        }
        LagbenchException obstacle = provider.obstacle();
        if (obstacle != null) {
            throw obstacle;
        }
        return provider;
    }

    /** Whether there is a provider that can work on this machine. */
    public static boolean areToBeHad() {
        KernelSocketProvider provider = onClassPath();
        return provider != null && provider.obstacle() == null;
    }

    private static @Nullable KernelSocketProvider onClassPath() {
        return ServiceLoader.load(KernelSocketProvider.class).findFirst().orElse(null);
    }

    /**
     * Opens a socket.
     *
     * @param what as {@link #provider}
     * @throws LagbenchException as {@link #provider}
     */
    public static KernelSocket open(NetworkChannel channel, String what) throws LagbenchException, IOException {
        return provider(what).open(channel);
    }
}
