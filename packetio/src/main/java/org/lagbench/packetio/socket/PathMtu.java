package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Engine;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.SideConfig;

/** The MTU of the path of a run's datagrams, as the sending kernel knows it, in the metadata of a sender. */
public final class PathMtu {
    private static final String BYTES = "pathMtuBytes";
    private static final String DATAGRAM_BYTES = "datagramBytes";

    private PathMtu() {}

    /**
     * Adds the MTU, or why it is not known, and the bytes of a datagram with one packet; nothing if packets are not in
     * datagrams, each in one of a known size.
     *
     * @param announced by the receiver
     */
    public static void putMetadata(
            SideConfig run, Engine engine, Map<String, String> announced, Map<String, Object> into) {
        long bytes =
                run.transport().wire().isOverIp() && !run.transport().wire().isStream()
                        ? engine.datagramBytes(run.packetBytes(), run.settings())
                        : 0;
        if (bytes == 0) {
            return;
        }
        try {
            int mtuBytes = to(DataPort.destination(run, announced).address(), run);
            if (mtuBytes > 0) {
                into.put(BYTES, mtuBytes);
                into.put(DATAGRAM_BYTES, bytes);
            }
        } catch (IOException | LagbenchException e) {
            into.put(BYTES, "none: " + IoErrors.reason(e));
        }
    }

    private static int to(InetSocketAddress receiver, SideConfig run) throws IOException, LagbenchException {
        try (DatagramChannel datagrams = DatagramChannel.open(new DataPort(receiver).family())) {
            Sockets.bindToDevice(datagrams, run);
            datagrams.connect(receiver);
            return LinuxSockets.pathMtuBytes(datagrams);
        }
    }
}
