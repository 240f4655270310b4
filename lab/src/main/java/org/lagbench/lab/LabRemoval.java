package org.lagbench.lab;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.LagbenchException;

/** Removes labs of any process, complete or not. */
final class LabRemoval {
    private static final long GRACE_S = 5;

    private LabRemoval() {}

    /** Removes the labs whose owner has ended. The directory must be locked. */
    static void removeAbandoned() throws LagbenchException {
        for (LabState lab : LabDirectory.all()) {
            if (lab.isAbandoned()) {
                remove(lab);
            }
        }
    }

    /** Ends the processes in a lab and removes it. Ignores what no longer exists. */
    static void remove(LabState lab) throws LagbenchException {
        List<ProcessHandle> processes = new ArrayList<>();
        for (ProcessId process : lab.relays()) {
            if (process.isRunning()) {
                ProcessHandle.of(process.pid()).ifPresent(processes::add);
            }
        }
        for (String namespace : lab.namespaces().values()) {
            if (Files.exists(Path.of("/run/netns", namespace))) {
                NetworkTools.attempt(List.of("ip", "netns", "pids", namespace), "")
                        .output()
                        .lines()
                        .forEach(pid ->
                                ProcessHandle.of(Long.parseLong(pid.strip())).ifPresent(processes::add));
            }
        }
        processes.forEach(ProcessHandle::destroy);
        for (ProcessHandle process : processes) {
            process.onExit()
                    .completeOnTimeout(process, GRACE_S, TimeUnit.SECONDS)
                    .thenAccept(late -> late.destroyForcibly())
                    .join();
        }
        for (String namespace : lab.namespaces().values()) {
            if (Files.exists(Path.of("/run/netns", namespace))) {
                NetworkTools.run("ip netns delete " + namespace);
            }
        }
        LabDirectory.delete(lab.name());
    }
}
