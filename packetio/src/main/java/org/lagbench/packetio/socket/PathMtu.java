package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.Map;
import java.util.TreeMap;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.recorder.Recorder;
import org.lagbench.core.run.Engine;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Records the MTU of the path of a run's datagrams, as the sending kernel knows it after the run, or why it is not
 * known, and the bytes of a datagram with one packet. Records nothing if packets are not in datagrams, each in one of a
 * known size.
 */
public final class PathMtu implements Recorder {
    private static final String BYTES = "pathMtuBytes";
    private static final String DATAGRAM_BYTES = "datagramBytes";

    private final SideConfig run;
    private final Engine engine;
    private final Map<String, String> announced;
    private final Map<String, Object> metadata = new TreeMap<>();

    /** @param announced by the receiver */
    public PathMtu(SideConfig run, Engine engine, Map<String, String> announced) {
        this.run = run;
        this.engine = engine;
        this.announced = announced;
    }

    @Override
    public String name() {
        return BYTES;
    }

    @Override
    public void write() {
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
                metadata.put(BYTES, mtuBytes);
                metadata.put(DATAGRAM_BYTES, bytes);
            }
        } catch (IOException | LagbenchException e) {
            metadata.put(BYTES, "none: " + IoErrors.reason(e));
        }
    }

    @Override
    public Map<String, Object> metadata() {
        return Map.copyOf(metadata);
    }

    private static int to(InetSocketAddress receiver, SideConfig run) throws IOException, LagbenchException {
        try (DatagramChannel datagrams = DatagramChannel.open(new DataPort(receiver).family())) {
            Sockets.bindToDevice(datagrams, run);
            datagrams.connect(receiver);
            return LinuxSockets.pathMtuBytes(datagrams);
        }
    }
}
