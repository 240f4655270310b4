package org.lagbench.packetio.nativeengine;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.transport.SideConfig;

/** The command line of lagbench-engine, or of a program like it, for a side of a run: its options are in options.c. */
final class ProgramArguments {
    private ProgramArguments() {}

    /**
     * Returns the program with its arguments.
     *
     * @param role send or receive
     * @param address the address and port to connect to or to bind
     * @return a list that can be added to
     */
    static List<String> of(Path program, String role, SideConfig config, InetSocketAddress address) {
        List<String> command = new ArrayList<>(List.of(
                program.toString(),
                role,
                "stream=" + config.transport().wire().isStream(),
                "host=" + Endpoint.format(address.getAddress()),
                "port=" + address.getPort(),
                "packet-bytes=" + config.packetBytes(),
                "packets=" + config.point().stampedPackets(),
                "warm-up-packets=" + config.point().warmUpPackets(),
                "lead-out-packets=" + config.leadOutPackets(),
                "capture=" + config.captureFile()));
        if (config.isAnswered()) {
            command.addAll(List.of(
                    "traffic=" + Traffic.ROUND_TRIP.text(),
                    "in-flight="
                            + RunParameters.IN_FLIGHT.format(config.traffic().inFlight()),
                    "reply-timeout-ns=" + config.traffic().replyTimeout().toNanos(),
                    "replies=" + config.captureFile().resolveSibling(ReceiverCapture.REPLIES_FILE_NAME)));
        }
        InetAddress replyTo = config.replyTo();
        if (config.isAnswered() && replyTo != null && !config.transport().wire().isStream()) {
            command.add("reply-to=" + Endpoint.format(replyTo));
        }
        if (config.local().device() != null) {
            command.add("device=" + config.local().device());
        }
        config.settings().asText().forEach((name, value) -> {
            if (!DataPort.SETTINGS.contains(name)) {
                command.add(name + "=" + value);
            }
        });
        return command;
    }
}
