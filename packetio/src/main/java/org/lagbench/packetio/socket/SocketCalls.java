package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.channels.NetworkChannel;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;

/**
 * By whose calls packets are sent and received: those of a channel of java.nio, or, which costs less, the operating
 * system's own.
 *
 * @param nativeFor what takes the operating system's, as an experiment names it; null if a channel's are taken
 */
public record SocketCalls(@Nullable String nativeFor) {
    private static final String CALLS = "calls";
    private static final String CHANNEL = "channel";
    private static final String NATIVE = "native";

    /**
     * A way from Java to C and back costs some 35 ns, and more until the processor's caches have Java's code again. Of
     * a process that is killed, the records of those that C had and Java has not are lost: this many at most.
     */
    private static final int MOST_HANDED_OVER = 16;

    /** In the facts of a run: whose were taken. */
    private static final String FACT = "calls";

    /** The setting by which a user chooses. */
    public static SettingDefinition setting() {
        return SettingDefinition.choice(
                CALLS,
                SettingDefinition.AUTO,
                List.of(SettingDefinition.AUTO, CHANNEL, NATIVE),
                "What the Java programs send and receive by: a channel of java.nio, as Java programs do, or the"
                        + " operating system's calls; auto takes these where they are to be had.");
    }

    /**
     * What the setting says.
     *
     * @param transport whose setting it is, as experiments name it
     */
    public static SocketCalls of(String transport, Settings settings) {
        String word = settings.word(CALLS);
        boolean isNative = word.equals(NATIVE) || (word.equals(SettingDefinition.AUTO) && KernelSockets.areToBeHad());
        return new SocketCalls(isNative ? transport + "." + CALLS + ": " + word : null);
    }

    /**
     * Makes sure that the operating system's calls are to be had, if it takes them.
     *
     * @throws LagbenchException if not: what to do about it
     */
    public void check() throws LagbenchException {
        if (nativeFor != null) {
            KernelSockets.provider(nativeFor);
        }
    }

    /** How many packets are handed over to the calls at once, where so many are due. */
    public int handedOver() {
        return nativeFor == null ? 1 : MOST_HANDED_OVER;
    }

    /** Puts, among the facts of a run, by whose calls a socket's packets went: the channel's where it is null. */
    public static void putFact(@Nullable KernelSocket socket, Map<String, Object> into) {
        into.put(FACT, socket == null ? CHANNEL : NATIVE);
    }

    /**
     * Opens a socket for the operating system's calls; null if a channel's are taken.
     *
     * @throws LagbenchException if they are not to be had
     */
    public @Nullable KernelSocket open(NetworkChannel socket) throws LagbenchException, IOException {
        return nativeFor == null ? null : KernelSockets.open(socket, nativeFor);
    }
}
