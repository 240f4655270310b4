package org.lagbench.cli;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.cli.DoctorCommand.Finding;
import org.lagbench.control.ClockMonitor;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlReader;
import org.lagbench.control.ReceiverHost;
import org.lagbench.control.ReceiverQuestions;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.NanosecondsText;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.LagbenchVersion;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.socket.PathSize;

/** Checks the host of a receiver, and the network to it. */
final class ReceiverChecks {
    private static final int TIMEOUT_MS = 1_000;
    private static final int ATTEMPTS = 3;
    private static final String PORT_ADVICE =
            "Each run uses another free port of that host: let its firewall accept packets from this host to the ports"
                    + " in its /proc/sys/net/ipv4/ip_local_port_range.";

    private static final Duration REPLY_TIMEOUT = RunParameters.STALL_TIMEOUT.defaultValue();

    private ReceiverChecks() {}

    /**
     * Checks a receiver that answers. Takes several seconds if packets do not arrive.
     *
     * @param dataHost the receiver's address for packets; null if it is that of the control connection
     * @param chrony the daemon that synchronizes this host's clock
     * @param hasSize whether to find the largest packet that passes
     */
    public static List<Finding> findings(
            ControlConnection connection, @Nullable String dataHost, ChronyClient chrony, boolean hasSize)
            throws LagbenchException, IOException {
        try (ControlReader reader = new ControlReader(connection);
                ClockMonitor clocks = new ClockMonitor(connection, reader, chrony, null, REPLY_TIMEOUT)) {
            ReceiverQuestions receiver = new ReceiverQuestions(reader, REPLY_TIMEOUT);
            ReceiverHost host = ReceiverHost.ask(connection, reader);
            HostLoad before = receiver.load();
            List<Finding> findings = new ArrayList<>();
            findings.add(Finding.ok("Receiver", "answers at " + connection.peer()));
            findings.add(version(host));
            String expected =
                    dataHost == null ? Endpoint.parse(connection.peer()).host() : dataHost;
            if (Endpoint.withoutZone(host.dataHost()).equals(Endpoint.withoutZone(expected))) {
                findings.add(tcp(expected, host.tcpPort()));
                Finding udp = udp(expected, host.udpPort());
                findings.add(udp);
                if (hasSize && udp.verdict() == Finding.Verdict.OK) {
                    findings.add(packetSize(expected, host.udpPort()));
                }
            } else {
                String named = UntrustedText.line(host.dataHost(), 60);
                findings.add(Finding.warn(
                        "Packets there",
                        "the receiver expects packets at " + named + ", which was not tested: this host sends them only"
                                + " to " + expected,
                        "If " + named + " is correct, give --data-host, or set data-host: in the experiment."));
            }
            clocks.sample();
            findings.addAll(clocks(clocks));
            if (!clocks.isSameKernel()) {
                findings.add(HostChecks.load("Load there", before, receiver::load));
            }
            new TreeMap<>(host.bufferLimits())
                    .forEach((name, bytes) -> findings.add(HostChecks.buffer("Buffer limit there", name, bytes)));
            return findings;
        }
    }

    /** Returns the finding about a receiver that cannot be asked. */
    public static Finding unreachable(LagbenchException failure) {
        String advice =
                switch (failure.exitCode()) {
                    case KEY -> "lagbench serve --new-key on that host makes a key and prints the line to type here.";
                    default ->
                        "On that host: lagbench serve --new-key. Let its firewall accept this host at the TCP"
                                + " port of the control connection.";
                };
        return Finding.missing("Receiver", failure.sentence(), advice);
    }

    private static Finding version(ReceiverHost host) {
        String here = LagbenchVersion.number();
        String found =
                "lagbench " + UntrustedText.line(host.lagbench(), 60) + ", Java " + UntrustedText.line(host.java(), 60);
        return host.lagbench().equals(here)
                ? Finding.ok("Version there", found)
                : Finding.warn("Version there", found + "; here lagbench " + here, "Use one version on both hosts.");
    }

    private static Finding tcp(String host, int port) {
        String target = host + " port " + port;
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(host, port), ATTEMPTS * TIMEOUT_MS);
            return Finding.ok("TCP there", "connects to " + target);
        } catch (IOException e) {
            return Finding.missing(
                    "TCP there", "does not connect to " + target + ": " + IoErrors.reason(e), PORT_ADVICE);
        }
    }

    /** Returns the largest datagram that passes there and back in one IP packet, by the receiver's echo port. */
    private static Finding packetSize(String host, int port) throws LagbenchException {
        String subject = "Packet size there";
        try {
            int bytes = PathSize.find(new InetSocketAddress(InetAddress.getByName(host), port));
            return bytes == 0
                    ? Finding.warn(
                            subject, "no packet passes there and back now", "Try again: the network loses packets.")
                    : Finding.ok(
                            subject,
                            bytes + " bytes pass there and back in one IP packet; larger ones need fragments, or are"
                                    + " lost");
        } catch (IOException e) {
            return Finding.warn(
                    subject, "could not be found: " + IoErrors.reason(e), "Check the network, and try again.");
        }
    }

    private static Finding udp(String host, int port) {
        String target = host + " port " + port;
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(InetAddress.getByName(host), port);
            for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
                socket.send(new DatagramPacket(new byte[1], 1));
                try {
                    socket.receive(new DatagramPacket(new byte[1], 1));
                    return Finding.ok("UDP there", "datagrams go to " + target + " and back");
                } catch (SocketTimeoutException e) {
                    // lost, or not yet there: send another one
                }
            }
            return Finding.missing(
                    "UDP there", ATTEMPTS + " datagrams to " + target + " remained without a reply", PORT_ADVICE);
        } catch (IOException e) {
            return Finding.missing("UDP there", "does not reach " + target + ": " + IoErrors.reason(e), PORT_ADVICE);
        }
    }

    private static List<Finding> clocks(ClockMonitor monitor) {
        ClockBound bound = monitor.bound();
        Long boundNs = bound.boundNs();
        long limitNs = ClockPolicy.DEFAULT.maximumError().toNanos();
        String limit = NanosecondsText.duration(limitNs);
        String found = boundNs == null
                ? "the offset of the two clocks is unknown"
                : "the two clocks agree within ± " + NanosecondsText.duration(boundNs) + " ("
                        + bound.basis().text() + ")";
        List<Finding> findings = new ArrayList<>();
        findings.add(
                boundNs != null && boundNs <= limitNs
                        ? Finding.ok("Clocks", found)
                        : Finding.warn(
                                "Clocks",
                                found + "; a run requires ± " + limit,
                                "Run chronyd or scripts/validate clock-pair on both; or --accept-unsynchronized."));
        if (!monitor.isSameKernel()) {
            findings.add(HostChecks.chrony(
                    "chrony there", monitor.receiverHistory().states().get(0)));
        }
        return findings;
    }
}
