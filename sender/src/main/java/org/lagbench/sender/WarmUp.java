package org.lagbench.sender;

import java.io.IOException;
import org.lagbench.core.recorder.CompilationMonitor;
import org.lagbench.core.recorder.Recorders;
import org.lagbench.packetio.engine.SendEngine;

/**
 * Sends the warm-up packets before the lead-in, in rounds. After each round it waits until the compiler has compiled
 * what that round made due: profiled code, optimized code, and recompilation after deoptimization. Without the rounds,
 * the warm-up of a flood would end before the compiler optimizes the code.
 */
record WarmUp(UnrecordedPackets packets, Recorders recorders, CompilationMonitor compilation) {
    void send(SendEngine sender, StallMonitor stallMonitor) throws IOException {
        for (int round = 0; round < packets.rounds(); round++) {
            stallMonitor.sending(true);
            sender.send(packets.first(round), packets.first(round + 1), packets.warmUpPace());
            stallMonitor.sending(false);
            recorders.warmUp();
            compilation.awaitIdle();
        }
    }
}
