package org.lagbench.native1394;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The device files that the kernel makes for FireWire controllers and their nodes. */
public final class DeviceFiles {
    /** What to do where this user may not open them, a sentence. */
    public static final String PERMISSION_ADVICE =
            "A udev rule gives a group access, in /etc/udev/rules.d/60-firewire.rules: SUBSYSTEM==\"firewire\","
                    + " GROUP=\"video\", MODE=\"0660\"; then: sudo udevadm trigger, and be in that group.";

    private static final Path DIRECTORY = Path.of("/dev");

    private DeviceFiles() {}

    /** All of them, whether this user may open them or not; none where /dev cannot be listed. */
    public static List<Path> list() {
        List<Path> list = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(DIRECTORY, "fw[0-9]*")) {
            files.forEach(list::add);
        } catch (IOException e) {
            return List.of(); // what cannot be listed cannot be opened
        }
        return list;
    }
}
