package org.lagbench.cli.sweep;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.run.RunSpec;
import org.lagbench.packetio.socket.SocketBuffer;

/** Buffers that an experiment asks for and this machine does not grant: to be known before the runs, not after. */
final class BufferLimits {
    private BufferLimits() {}

    /** A sentence for each limit that is too low, with what raises it. */
    static List<String> exceeded(Experiment experiment, List<RunSpec> runs) {
        List<SocketBuffer> here = new ArrayList<>(List.of(SocketBuffer.SEND));
        if (experiment.receiver() == null) {
            here.add(SocketBuffer.RECEIVE);
        }
        List<String> sentences = new ArrayList<>();
        for (SocketBuffer buffer : here) {
            Map<String, Long> greatest = new LinkedHashMap<>();
            for (RunSpec run : runs) {
                if (run.settings().asMap().get(buffer.settingName()) instanceof Long bytes) {
                    greatest.merge(run.transport(), bytes, Math::max);
                }
            }
            OptionalLong limit = buffer.limitBytes();
            greatest.forEach((transport, bytes) -> {
                if (limit.isPresent() && limit.getAsLong() < bytes) {
                    sentences.add(transport + "." + buffer.settingName() + ": " + bytes
                            + " bytes are asked for, but this machine grants no more than " + limit.getAsLong()
                            + "; to raise that: sudo sysctl -w " + buffer.limitName() + "=" + bytes);
                }
            });
        }
        return sentences;
    }
}
