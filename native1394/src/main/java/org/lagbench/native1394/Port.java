package org.lagbench.native1394;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * A 1394 port (controller) that this process can use, a real one or one of its virtual bus, and its bus.
 *
 * @param number its number in libraw1394, from 0
 * @param device its device file, such as "/dev/fw0"
 * @param nodes number of nodes on its bus, including itself
 * @param guid its unique identifier (EUI-64), 0 if it could not be read
 * @param guids the unique identifiers of all nodes whose configuration ROM this process may read, including itself
 * @param speed its speed: 100, 200, 400, 800 or more Mbit/s; 0 if unknown
 * @param bandwidthUnits available isochronous bandwidth in allocation units; −1 if unknown
 * @param channels the available channels, channel 0 in the lowest bit; 0 if unknown
 */
public record Port(
        int number,
        String device,
        int nodes,
        long guid,
        List<Long> guids,
        int speed,
        int bandwidthUnits,
        long channels) {
    /** Advice for users who may not open the device files. */
    public static final String PERMISSION_ADVICE =
            "A udev rule gives a group access, in /etc/udev/rules.d/60-firewire.rules: SUBSYSTEM==\"firewire\","
                    + " GROUP=\"video\", MODE=\"0660\"; then run sudo udevadm trigger and join that group.";

    private static final String VIRTUAL_BUS = "virtual bus";

    private static final String UNKNOWN_CONTROLLER = "unknown controller";
    private static final Path DEVICES = Path.of("/dev");
    private static final int MAXIMUM_NODES = 63;
    private static final int FIXED_VALUES = 6;
    private static final int DEVICE_NAME_BYTES = 32;

    public Port {
        guids = List.copyOf(guids);
    }

    /** Returns the device files of all controllers and nodes, even if this user may not open them. */
    public static List<Path> deviceFiles() {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(DEVICES, "fw[0-9]*")) {
            return StreamSupport.stream(files.spliterator(), false).toList();
        } catch (IOException e) {
            return List.of(); // /dev cannot be listed
        }
    }

    /**
     * Returns all ports in libraw1394's order; empty if there are none or this user may not open them.
     *
     * @throws LagbenchException if the native library is missing, or a port does not respond
     */
    public static List<Port> list() throws LagbenchException {
        Raw1394.load();
        int count = Raw1394.portCount();
        if (count == -Raw1394.ENODEV) {
            return List.of();
        }
        if (count < 0) {
            throw Raw1394.unavailable("list the ports", 0, count);
        }
        List<Port> ports = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            ports.add(describe(number));
        }
        return ports;
    }

    private static Port describe(int number) throws LagbenchException {
        long[] values = new long[FIXED_VALUES + MAXIMUM_NODES];
        byte[] device = new byte[DEVICE_NAME_BYTES];
        int result = Raw1394.describePort(number, values, device);
        if (result < 0) {
            throw Raw1394.unavailable("describe it", number, result);
        }
        List<Long> guids = new ArrayList<>();
        for (int i = 0; i < values[5]; i++) {
            guids.add(values[FIXED_VALUES + i]);
        }
        String name = new String(device, StandardCharsets.US_ASCII);
        return new Port(
                number,
                name.substring(0, name.indexOf('\0')),
                (int) values[0],
                values[1],
                guids,
                values[2] < 0 ? 0 : 100 << values[2],
                (int) values[3],
                values[4]);
    }

    /**
     * Chooses the port that receives: the requested one, the only one, or one whose bus has the sender.
     *
     * @throws LagbenchException if the chosen port is the sender's own port, which never receives what it sends, or if
     *     no port is found
     */
    static int receiving(OptionalInt requested, long senderGuid) throws LagbenchException {
        List<Port> ports = list();
        OptionalInt own = OptionalInt.empty();
        OptionalInt connected = ports.isEmpty() ? OptionalInt.of(0) : OptionalInt.empty();
        for (Port port : ports) {
            if (senderGuid != 0 && port.guid() == senderGuid) {
                own = OptionalInt.of(port.number());
            } else if (ports.size() == 1 || port.guids().contains(senderGuid)) {
                connected = connected.isPresent() ? connected : OptionalInt.of(port.number());
            }
        }
        if (own.isPresent() && (own.equals(requested) || (requested.isEmpty() && connected.isEmpty()))) {
            ExitCode code = requested.isPresent() ? ExitCode.USAGE : ExitCode.UNAVAILABLE;
            throw code.failure("receiver-port: port " + own.getAsInt()
                    + " is also the sender's, and a port does not receive the packets that it sends; name"
                    + " another port of its bus, or auto.");
        }
        if (requested.isPresent()) {
            return requested.getAsInt();
        }
        return connected.orElseThrow(() -> ExitCode.UNAVAILABLE.failure(
                "None of this machine's " + ports.size() + " IEEE-1394 ports sees the sender's node "
                        + guidText(senderGuid)
                        + " on its bus; check the cable, or name the port with receiver-port."));
    }

    /** Formats a unique identifier as 16 hexadecimal digits. */
    static String guidText(long guid) {
        return String.format("%016x", guid);
    }

    /**
     * Returns "virtual bus", or the name of a port's controller, so that metrics of a virtual bus are never mistaken
     * for those of a real one.
     */
    static String controller(int number) throws LagbenchException {
        return VirtualBus.isInherited()
                ? VIRTUAL_BUS
                : controller(Path.of("/"), list().get(number).device());
    }

    /**
     * Returns the name that udev has for a controller, without an explanation in brackets; otherwise its PCI numbers.
     *
     * @param root the directory with {@code sys} and {@code run}
     * @param device the device file, such as "/dev/fw0"
     */
    static String controller(Path root, String device) {
        Path node = root.resolve("sys/bus/firewire/devices")
                .resolve(String.valueOf(Path.of(device).getFileName()));
        try {
            Path controller = node.toRealPath().getParent();
            if (controller == null) {
                return UNKNOWN_CONTROLLER;
            }
            List<String> numbers = Stream.of(
                            Files.readString(controller.resolve("vendor")),
                            Files.readString(controller.resolve("device")))
                    .map(number -> number.strip().replaceFirst("^0x", ""))
                    .toList();
            String name = udevName(root.resolve("run/udev/data/+pci:" + controller.getFileName()));
            return name.isEmpty() ? "PCI " + String.join(":", numbers) : name;
        } catch (IOException e) {
            return UNKNOWN_CONTROLLER; // not on PCI, or this container does not have sysfs
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
