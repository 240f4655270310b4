package org.lagbench.native1394;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;

/** The device files of FireWire controllers and their nodes. */
public final class DeviceFiles {
    /** Advice for users who may not open the device files. */
    public static final String PERMISSION_ADVICE =
            "A udev rule gives a group access, in /etc/udev/rules.d/60-firewire.rules: SUBSYSTEM==\"firewire\","
                    + " GROUP=\"video\", MODE=\"0660\"; then run sudo udevadm trigger and join that group.";

    private static final Path DIRECTORY = Path.of("/dev");

    private DeviceFiles() {}

    /** Returns all device files, even if this user may not open them; none if /dev cannot be listed. */
    public static List<Path> list() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(DIRECTORY, "fw[0-9]*")) {
            return StreamSupport.stream(files.spliterator(), false).toList();
        } catch (IOException e) {
            return List.of(); // /dev cannot be listed
        }
    }
}
