package org.lagbench.native1394;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the names of bus controllers with a copy of the /sys files of a machine that has one. */
class PortTest {
    private static final String PCI = "sys/devices/pci0000:00/0000:00:1e.0/0000:02:03.0";

    @TempDir
    private Path root;

    @BeforeEach
    void createController() throws IOException {
        Files.createDirectories(root.resolve(PCI + "/fw0"));
        Files.writeString(root.resolve(PCI + "/vendor"), "0x104c\n");
        Files.writeString(root.resolve(PCI + "/device"), "0x8024\n");
        Path devices = Files.createDirectories(root.resolve("sys/bus/firewire/devices"));
        Files.createSymbolicLink(devices.resolve("fw0"), root.resolve(PCI + "/fw0"));
    }

    @Test
    void namesControllerByUdev() throws IOException {
        Path data = Files.createDirectories(root.resolve("run/udev/data"));
        Files.writeString(
                data.resolve("+pci:0000:02:03.0"),
                """
                E:ID_VENDOR_FROM_DATABASE=Texas Instruments
                E:ID_MODEL_FROM_DATABASE=TSB43AB23 IEEE-1394a-2000 Controller (PHY/Link)
                """);
        assertThat(Port.controller(root, "/dev/fw0")).isEqualTo("TSB43AB23 IEEE-1394a-2000 Controller");
    }

    @Test
    void namesControllerByPciNumbersWithoutUdev() {
        assertThat(Port.controller(root, "/dev/fw0")).isEqualTo("PCI 104c:8024");
    }

    @Test
    void reportsAbsentControllerAsUnknown() {
        assertThat(Port.controller(root, "/dev/fw7")).isEqualTo("unknown controller");
    }
}
