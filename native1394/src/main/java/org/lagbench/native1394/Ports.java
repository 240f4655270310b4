package org.lagbench.native1394;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/** The 1394 ports that this process can use: real ones, or those of its virtual bus. */
public final class Ports {
    private static final int MAXIMUM_NODES = 63;
    private static final int FIXED_VALUES = 6;
    private static final int DEVICE_NAME_BYTES = 32;

    private Ports() {}

    /**
     * Returns all ports in libraw1394's order; empty if there are none or this user may not open them.
     *
     * @throws LagbenchException if the native library is missing, or a port does not respond
     */
    public static List<Port> list() throws LagbenchException {
        NativeLibrary.load();
        int count = Raw1394.portCount();
        if (count == -Errno.ENODEV) {
            return List.of();
        }
        if (count < 0) {
            throw Errno.unavailable("list the ports", 0, count);
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
            throw Errno.unavailable("describe it", number, result);
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
     * @throws LagbenchException if that is the sender's own port, which never receives what it sends, or none is found
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
                        + Port.guidText(senderGuid)
                        + " on its bus; check the cable, or name the port with receiver-port."));
    }
}
