package org.lagbench.runner.tune;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.lagbench.core.model.Knob;
import org.lagbench.core.yaml.Experiment;
import org.lagbench.packetio.socket.SocketBuffer;
import org.lagbench.runner.sweep.BufferLimits;

/**
 * The knobs of a tune, with the ranges of buffers cut to the limits of this machine. All sizes beyond a limit have the
 * same effect.
 *
 * @param knobs the knobs to vary
 * @param notes a sentence for each cut range, with the command that raises the limit
 */
record KnobLimits(List<Knob> knobs, List<String> notes) {
    static KnobLimits of(Experiment experiment, List<Knob> wanted) {
        List<Knob> knobs = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        for (Knob knob : wanted) {
            knobs.add(BufferLimits.onThisMachine(experiment).stream()
                    .filter(buffer -> buffer.settingName().equals(knob.name()) && knob.isRange())
                    .findFirst()
                    .map(buffer -> limited(buffer, knob, notes))
                    .orElse(knob));
        }
        return new KnobLimits(knobs, notes);
    }

    private static Knob limited(SocketBuffer buffer, Knob knob, List<String> notes) {
        OptionalLong limit = buffer.limitBytes();
        if (limit.isEmpty() || limit.getAsLong() >= knob.to()) {
            return knob;
        }
        long to = Math.max(1, limit.getAsLong());
        notes.add(knob.name() + ": the range is cut to " + to
                + " bytes, the limit of this machine; to raise it: sudo sysctl -w " + buffer.limitName() + "="
                + knob.to());
        return Knob.range(knob.name(), Math.min(knob.from(), to), to);
    }
}
