package org.lagbench.core.yaml;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.TrafficSpec;

/**
 * One of several streams that an experiment sends at the same time.
 *
 * @param name a unique name for directories and tables
 * @param transport the transport's name
 * @param packetBytes size of each packet, header included, in bytes
 * @param packets number of packets that a run records
 */
public record PacketStream(
        String name,
        String transport,
        int packetBytes,
        long packets,
        Pace pace,
        StreamRole.Direction direction,
        Settings settings) {

    /** Returns the experiment's run with a number, of this stream together with others or, without others, alone. */
    RunSpec run(Experiment experiment, Program program, int number, int repeat, List<String> beside) {
        Point point = new Point(
                transport,
                packetBytes,
                packets,
                experiment.warmUpPackets(),
                pace,
                TrafficSpec.ONE_WAY,
                settings,
                program,
                Set.copyOf(experiment.observe()),
                experiment.conditions());
        String way = beside.isEmpty() ? "alone" : "together";
        return new RunSpec(
                String.format(Locale.ROOT, "%04d-%s-%s-r%d", number, way, name, repeat),
                point,
                repeat,
                new StreamRole(name, direction, beside));
    }
}
