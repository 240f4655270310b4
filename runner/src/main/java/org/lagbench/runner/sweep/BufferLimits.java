package org.lagbench.runner.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.yaml.Experiment;
import org.lagbench.packetio.socket.SocketBuffer;

/** Compares the socket buffers of an experiment with the limits of this machine, before the first run. */
public final class BufferLimits {
    private BufferLimits() {}

    /** Returns the buffers whose limits on this machine apply to an experiment. */
    public static List<SocketBuffer> onThisMachine(Experiment experiment) {
        return experiment.receiver() == null
                ? List.of(SocketBuffer.SEND, SocketBuffer.RECEIVE)
                : List.of(SocketBuffer.SEND);
    }

    /** Returns a sentence for each limit that is too low, with the command that raises it. */
    static List<String> exceeded(Experiment experiment, List<RunSpec> runs) {
        List<String> sentences = new ArrayList<>();
        for (SocketBuffer buffer : onThisMachine(experiment)) {
            Map<String, Long> greatest = new LinkedHashMap<>();
            for (RunSpec run : runs) {
                if (run.point().allSettings().asMap().get(buffer.settingName()) instanceof Long bytes) {
                    greatest.merge(run.point().transport(), bytes, Math::max);
                }
            }
            OptionalLong limit = buffer.limitBytes();
            greatest.forEach((transport, bytes) -> {
                if (limit.isPresent() && limit.getAsLong() < bytes) {
                    sentences.add(transport + "." + buffer.settingName() + ": " + bytes
                            + " bytes exceed the limit of this machine, which is " + limit.getAsLong()
                            + "; to raise it: sudo sysctl -w " + buffer.limitName() + "=" + bytes);
                }
            });
        }
        return sentences;
    }
}
