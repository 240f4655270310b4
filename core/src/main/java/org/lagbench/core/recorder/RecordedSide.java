package org.lagbench.core.recorder;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.Point;

/**
 * The side of a run that recorders record.
 *
 * @param point as both sides observe it
 * @param isSender whether it sends packets
 * @param runsOnJvm whether this process moves the packets
 * @param packets the packets of this side
 * @param directory of this side's files
 */
public record RecordedSide(Point point, boolean isSender, boolean runsOnJvm, Packets packets, Path directory) {
    /** The packets that a side sends or receives. */
    public interface Packets {
        /** Returns the thread that moves them; null if it is unknown. The engines are connected. */
        @Nullable
        PacketThread thread();

        /** Returns how many recorded ones were moved, for a separate thread; at most 0 before the first. */
        long moved();
    }
}
