package org.lagbench.runner.monitor;

import java.util.List;

/** Probes that follow each other, such as one for each engine. */
public record Turn(List<Probe> probes) {
    public Turn {
        probes = List.copyOf(probes);
    }
}
