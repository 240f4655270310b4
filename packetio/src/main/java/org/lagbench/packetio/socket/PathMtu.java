package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.recorder.Recorder;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.PathMtuFacts;
import org.lagbench.packetio.linux.LinuxSockets;
import org.lagbench.packetio.transport.SideConfig;

/**
 * Records the MTU of the path of a run's datagrams, as the sending kernel knows it after the run, or why it is not
 * known, and the bytes of a datagram with one packet. Records nothing if packets are not in datagrams, each in one of a
 * known size.
 */
public final class PathMtu implements Recorder {
    private final SideConfig run;
    private final Engine engine;
    private final Map<String, String> announced;
    private @Nullable PathMtuFacts metadata;

    /** @param announced by the receiver */
    public PathMtu(SideConfig run, Engine engine, Map<String, String> announced) {
        this.run = run;
        this.engine = engine;
        this.announced = announced;
    }

    @Override
    public String name() {
        return "pathMtuBytes";
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
                metadata = new PathMtuFacts(mtuBytes, bytes);
            }
        } catch (IOException | LagbenchException e) {
            metadata = new PathMtuFacts("none: " + IoErrors.reason(e), null);
        }
    }

    @Override
    public List<PathMtuFacts> metadata() {
        return metadata == null ? List.of() : List.of(metadata);
    }

    private static int to(InetSocketAddress receiver, SideConfig run) throws IOException, LagbenchException {
        try (DatagramChannel datagrams = DatagramChannel.open(new DataPort(receiver).family())) {
            Sockets.bindToDevice(datagrams, run);
            datagrams.connect(receiver);
            return LinuxSockets.pathMtuBytes(datagrams);
        }
    }
}
