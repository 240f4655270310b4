package org.lagbench.cli.doctor;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;

/** All checks of the doctor, in the order of its report. */
public final class DoctorReport {
    private DoctorReport() {}

    /**
     * Checks this machine in about a second, without changing it.
     *
     * @param results the directory for sessions
     * @param chrony the daemon that synchronizes this host's clock
     */
    public static List<Finding> of(Path results, ChronyClient chrony) throws LagbenchException {
        HostLoad before = HostLoad.read();
        List<Finding> findings = new ArrayList<>(List.of(
                Computer.java(),
                Computer.cores(),
                Computer.governor(),
                Computer.scheduler(),
                Computer.disk(results),
                Clocks.source(),
                Clocks.timerSlack(),
                Clocks.chrony(chrony),
                Network.tcp(),
                Network.udp(),
                Network.buffer("Receive buffer limit", "net.core.rmem_max"),
                Network.buffer("Send buffer limit", "net.core.wmem_max")));
        findings.addAll(Bus.findings());
        findings.add(Computer.load("Load", before, HostLoad::read));
        return findings;
    }
}
