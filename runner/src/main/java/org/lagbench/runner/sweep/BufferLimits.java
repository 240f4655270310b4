package org.lagbench.runner.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.lagbench.core.model.Knob;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.yaml.Experiment;
import org.lagbench.packetio.socket.SocketBuffer;

/** Compares the socket buffers of an experiment with the limits of this machine, before the first run. */
public final class BufferLimits {
    private BufferLimits() {}

    /** Returns the buffers whose limits on this machine apply to an experiment. */
    private static List<SocketBuffer> onThisMachine(Experiment experiment) {
        return experiment.receiver() == null
                ? List.of(SocketBuffer.SEND, SocketBuffer.RECEIVE)
                : List.of(SocketBuffer.SEND);
    }

    /**
     * Returns a knob with the range cut to the limit of this machine, because all sizes beyond have the same effect.
     *
     * @param progress shows how to raise a limit that cuts
     */
    public static Knob limited(Experiment experiment, Knob knob, Progress progress) {
        for (SocketBuffer buffer : onThisMachine(experiment)) {
            OptionalLong limit = buffer.limitBytes();
            if (buffer.settingName().equals(knob.name())
                    && knob.isRange()
                    && limit.isPresent()
                    && limit.getAsLong() < knob.to()) {
                long to = Math.max(1, limit.getAsLong());
                progress.note(knob.name() + ": the range is cut to " + to
                        + " bytes, the limit of this machine; to raise it: sudo sysctl -w " + buffer.limitName() + "="
                        + knob.to());
                return Knob.range(knob.name(), Math.min(knob.from(), to), to);
            }
        }
        return knob;
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
