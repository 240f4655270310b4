package org.lagbench.cli.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All that the doctor looks at, in the order of its report. */
public final class DoctorReport {
    private DoctorReport() {}

    /**
     * Looks at this machine. Changes nothing, and takes less than a second.
     *
     * @param results where sessions would be kept
     */
    public static List<Finding> of(Path results) {
        List<Finding> findings = new ArrayList<>();
        findings.add(Computer.java());
        findings.add(Computer.cores());
        findings.add(Computer.governor());
        findings.add(Computer.disk(results));
        findings.add(Clocks.source());
        findings.add(Clocks.timerSlack());
        findings.add(Clocks.chrony());
        findings.add(Network.tcp());
        findings.add(Network.udp());
        findings.addAll(Network.buffers());
        findings.addAll(Bus.all());
        return findings;
    }
}
