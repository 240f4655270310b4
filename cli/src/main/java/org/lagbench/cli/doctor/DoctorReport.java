package org.lagbench.cli.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.clock.ChronyClient;

/** All checks of the doctor, in the order of its report. */
public final class DoctorReport {
    private DoctorReport() {}

    /**
     * Checks this machine in less than a second, without changing it.
     *
     * @param results the directory for sessions
     * @param chrony the daemon that synchronizes this host's clock
     */
    public static List<Finding> of(Path results, ChronyClient chrony) {
        List<Finding> findings = new ArrayList<>(List.of(
                Computer.java(),
                Computer.cores(),
                Computer.governor(),
                Computer.disk(results),
                Clocks.source(),
                Clocks.timerSlack(),
                Clocks.chrony(chrony),
                Network.tcp(),
                Network.udp(),
                Network.buffer("Receive buffer limit", "net.core.rmem_max"),
                Network.buffer("Send buffer limit", "net.core.wmem_max")));
        findings.addAll(Bus.findings());
        return findings;
    }
}
