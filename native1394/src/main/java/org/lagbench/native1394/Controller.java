package org.lagbench.native1394;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.lagbench.core.failure.LagbenchException;

/**
 * Names the controller that a run uses, so that metrics of a virtual bus are never mistaken for those of a real one.
 */
final class Controller {
    /** The key of the name in a run's metadata. */
    static final String METADATA_NAME = "bus";

    static final String VIRTUAL = "virtual bus";

    private static final String UNKNOWN = "unknown controller";

    private Controller() {}

    /** Returns "virtual bus", or the name of a port's controller. */
    static String name(int port) throws LagbenchException {
        return VirtualBus.isInherited()
                ? VIRTUAL
                : name(Path.of("/"), Ports.list().get(port).device());
    }

    /**
     * Returns the name that udev has for a controller, without an explanation in brackets; otherwise its PCI numbers.
     *
     * @param root the directory with {@code sys} and {@code run}
     * @param device the device file, such as "/dev/fw0"
     */
    static String name(Path root, String device) {
        Path node = root.resolve("sys/bus/firewire/devices")
                .resolve(String.valueOf(Path.of(device).getFileName()));
        try {
            Path controller = node.toRealPath().getParent();
            if (controller == null) {
                return UNKNOWN;
            }
            List<String> numbers = Stream.of(
                            Files.readString(controller.resolve("vendor")),
                            Files.readString(controller.resolve("device")))
                    .map(number -> number.strip().replaceFirst("^0x", ""))
                    .toList();
            String name = udevName(root.resolve("run/udev/data/+pci:" + controller.getFileName()));
            return name.isEmpty() ? "PCI " + String.join(":", numbers) : name;
        } catch (IOException e) {
            return UNKNOWN; // not on PCI, or this container does not have sysfs
        }
    }

    private static String udevName(Path file) throws IOException {
        if (!Files.isReadable(file)) {
            return "";
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("E:ID_MODEL_FROM_DATABASE="))
                .map(line -> line.substring(line.indexOf('=') + 1)
                        .replaceFirst(" *\\(.*", "")
                        .strip())
                .findFirst()
                .orElse("");
    }
}
