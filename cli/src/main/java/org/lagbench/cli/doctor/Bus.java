package org.lagbench.cli.doctor;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.native1394.DeviceFiles;
import org.lagbench.native1394.NativeLibrary;
import org.lagbench.native1394.Port;
import org.lagbench.native1394.Ports;
import org.lagbench.native1394.VirtualBus;

/** Checks IEEE-1394: libraw1394, and the ports or the virtual bus. */
final class Bus {
    private static final String SUBJECT = "IEEE-1394";
    private static final String ADVICE = "Runs over IEEE-1394 will fail until this is fixed; sweep leaves them out.";

    private Bus() {}

    static List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        findings.add(library());
        findings.addAll(VirtualBus.isNeeded() ? List.of(virtualBus()) : ports());
        return findings;
    }

    private static Finding library() {
        try {
            Ports.list();
            return Finding.ok("libraw1394", "loads");
        } catch (LagbenchException e) {
            return Finding.warn("libraw1394", e.sentence(), ADVICE);
        }
    }

    private static Finding virtualBus() {
        List<String> absent = new ArrayList<>();
        for (String file : List.of(VirtualBus.SHIM, VirtualBus.DAEMON)) {
            if (!Files.isRegularFile(NativeLibrary.FILES.directory().resolve(file))) {
                absent.add(file);
            }
        }
        return absent.isEmpty()
                ? Finding.ok(SUBJECT, "no port (no /dev/fw*): runs use the virtual bus")
                : Finding.warn(
                        SUBJECT,
                        "no port, and the virtual bus lacks " + String.join(" and ", absent) + " in "
                                + NativeLibrary.FILES.directory(),
                        "Build it: mvn -pl native1394 -am package");
    }

    private static List<Finding> ports() {
        List<Finding> findings = new ArrayList<>();
        for (Path device : DeviceFiles.list()) {
            if (!Files.isReadable(device) || !Files.isWritable(device)) {
                findings.add(Finding.warn(
                        SUBJECT, device + " exists, but you may not open it", DeviceFiles.PERMISSION_ADVICE));
            }
        }
        try {
            for (Port port : Ports.list()) {
                findings.add(Finding.ok(
                        SUBJECT,
                        "port " + port.number() + " (" + port.device() + "): " + port.nodes() + " nodes, S"
                                + port.speed() + free(port)));
            }
        } catch (LagbenchException e) {
            findings.add(Finding.warn(SUBJECT, e.sentence(), ADVICE));
        }
        return findings;
    }

    /**
     * Formats the bandwidth and channels that the resource manager has left. Programs that ended without releasing
     * their part still hold it.
     */
    private static String free(Port port) {
        return port.bandwidthUnits() < 0
                ? ""
                : ", free: " + port.bandwidthUnits() + " units of bandwidth, " + Long.bitCount(port.channels())
                        + " channels";
    }
}
