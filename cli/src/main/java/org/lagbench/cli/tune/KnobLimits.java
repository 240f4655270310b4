package org.lagbench.cli.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.lagbench.core.experiment.Experiment;
import org.lagbench.core.tune.Knob;
import org.lagbench.packetio.socket.SocketBuffer;

/**
 * Ranges of buffers, cut to what this machine grants: beyond, all are the same.
 *
 * @param knobs what is varied
 * @param cut a sentence for each that was cut, with what raises the limit
 */
record KnobLimits(List<Knob> knobs, List<String> cut) {
    static KnobLimits of(Experiment experiment, List<Knob> wanted) {
        List<SocketBuffer> here = new ArrayList<>(List.of(SocketBuffer.SEND));
        if (experiment.receiver() == null) {
            here.add(SocketBuffer.RECEIVE);
        }
        List<Knob> knobs = new ArrayList<>();
        List<String> cut = new ArrayList<>();
        for (Knob knob : wanted) {
            knobs.add(here.stream()
                    .filter(buffer -> buffer.settingName().equals(knob.name()) && knob.isRange())
                    .findFirst()
                    .map(buffer -> limited(buffer, knob, cut))
                    .orElse(knob));
        }
        return new KnobLimits(knobs, cut);
    }

    private static Knob limited(SocketBuffer buffer, Knob knob, List<String> cut) {
        OptionalLong limit = buffer.limitBytes();
        if (limit.isEmpty() || limit.getAsLong() >= knob.to()) {
            return knob;
        }
        long to = Math.max(1, limit.getAsLong());
        cut.add(knob.name() + ": looked for up to " + to
                + " bytes only, which is all that this machine grants; to raise" + " that: sudo sysctl -w "
                + buffer.limitName() + "=" + knob.to());
        return Knob.range(knob.name(), Math.min(knob.from(), to), to);
    }
}
