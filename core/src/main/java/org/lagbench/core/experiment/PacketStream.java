package org.lagbench.core.experiment;

import java.util.List;
import java.util.Locale;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.settings.Settings;

/**
 * One of several streams that an experiment sends at the same time.
 *
 * @param name names it in directories and tables; no other stream of the experiment has it
 * @param transport the transport's name
 * @param packetBytes size of each packet, header included, in bytes
 * @param packets how many packets a run records
 * @param pace when packets are to leave
 * @param direction which way they go
 * @param settings the transport's settings
 */
public record PacketStream(
        String name,
        String transport,
        int packetBytes,
        long packets,
        Pace pace,
        StreamRole.Direction direction,
        Settings settings) {

    /** The run of this stream that is the experiment's {@code number}th, beside others or, with none, alone. */
    RunSpec run(Experiment experiment, Program program, int number, int repeat, List<String> beside) {
        return new RunSpec(
                String.format(
                        Locale.ROOT, "%04d-%s-%s-r%d", number, beside.isEmpty() ? "alone" : "together", name, repeat),
                transport,
                packetBytes,
                packets,
                experiment.warmUpPackets(),
                pace,
                repeat,
                settings,
                program,
                experiment.observe(),
                new StreamRole(name, direction, beside),
                experiment.drain(),
                experiment.stallTimeout());
    }
}
