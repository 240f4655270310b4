package org.lagbench.control;

import java.io.IOException;
import java.util.Map;
import java.util.regex.Pattern;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Within;
import org.lagbench.core.model.RunParameters;

/**
 * The host of a receiver, for {@code lagbench doctor}.
 *
 * @param lagbench version of lagbench
 * @param java version of the receiver's JVM
 * @param bufferLimits largest socket buffers in bytes by the names of the kernel parameters; without unknown ones
 * @param dataHost its address for packets
 * @param tcpPort a port that accepts connections from the sender's host and closes them
 * @param udpPort a port that returns each datagram to the sender's host
 */
public record ReceiverHost(
        String lagbench,
        String java,
        Map<String, Long> bufferLimits,
        String dataHost,
        @Within(min = 1, max = Within.MAXIMUM_PORT) int tcpPort,
        @Within(min = 1, max = Within.MAXIMUM_PORT) int udpPort) {
    private static final Pattern PARAMETER = Pattern.compile("net\\.[a-z0-9_.]{1,60}");

    public ReceiverHost {
        bufferLimits = Map.copyOf(bufferLimits);
        bufferLimits.keySet().forEach(ReceiverHost::requireParameter);
    }

    /** Checks a parameter's name, because it becomes part of a command that doctor suggests. */
    private static void requireParameter(String name) {
        if (!PARAMETER.matcher(name).matches()) {
            throw new IllegalArgumentException("bufferLimits has a name that is not a network parameter of the kernel");
        }
    }

    /** Asks a receiver. The two ports stay open until the connection is closed. */
    public static ReceiverHost ask(ControlConnection connection, ControlReader reader) throws LagbenchException {
        try {
            connection.write(new ControlMessage.Ask(ControlMessage.Question.HOST));
        } catch (IOException e) {
            throw reader.explain(e);
        }
        return reader.await(ControlMessage.HostIs.class, RunParameters.STALL_TIMEOUT.defaultValue())
                .host();
    }
}
