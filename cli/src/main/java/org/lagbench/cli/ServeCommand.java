package org.lagbench.cli;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.commandline.ReceiverOptions;
import org.lagbench.control.SideMessage;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.text.Endpoint;
import org.lagbench.lab.Lab;
import org.lagbench.runner.sweep.LocalReceiver;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lagbench serve}: receives the packets of other hosts, and sends to those that request packets. */
@Listed(in = HelpSection.HOSTS, order = 0)
@Command(
        name = "serve",
        description = {
            "Receive the packets of lagbench run, sweep and tune on other hosts, or send to these, until Ctrl-C.",
            "",
            "It sends only to a host that has connected with the key and requests packets.",
            "Without a key it listens on 127.0.0.1 only, with a key on all addresses; --listen selects another address."
        },
        footer = {
            "  lagbench serve --new-key                        prints the line to type on the other host",
            "  lagbench serve --key-file ~/lagbench.key --listen 192.0.2.7",
            "  lagbench serve                                  only for senders on this machine"
        })
public final class ServeCommand extends Subcommand {
    private static final String ALL_ADDRESSES = "0.0.0.0";

    @Option(names = "--new-key", description = "Make a key for this server, and print it. It is not stored.")
    private boolean newKey;

    @Option(
            names = "--listen",
            paramLabel = "HOST[:PORT]",
            description = "Address for the control connection; port 0 selects a free port (default port: 5394).")
    private @Nullable String listen;

    @Mixin
    private final ReceiverOptions options = new ReceiverOptions();

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        Lab lab = Terminal.isRoot() ? Lab.ofThisProcess() : null;
        if (lab == null) {
            Terminal.warnRoot(err(), "serve");
        }
        Path keyFile = options.keyFile();
        require(!newKey || keyFile == null, "Give --new-key or --key-file, not both.");
        @Nullable String key = newKey ? SharedKey.newText() : null;
        SharedKey sharedKey = key == null ? SharedKey.find(keyFile) : SharedKey.parse("--new-key", key);
        SideMessage.Serve request = options.request(endpoint(sharedKey != null), sharedKey);
        int exitCode = requireNotKilled(
                "The receiver",
                LocalReceiver.serve(List.of(), request, listening -> invite(listening, key, lab), shutdown()));
        Path directory = options.directory();
        boolean hasServed = exitCode == ExitCode.OK.code() || exitCode == ExitCode.INTERRUPTED.code();
        if (hasServed && !options.keepsNoStamps() && Files.isDirectory(directory)) {
            out().println("This host keeps its own stamps in "
                    + directory.toAbsolutePath().normalize() + ".");
        }
        return exitCode;
    }

    private Endpoint endpoint(boolean hasKey) throws LagbenchException {
        if (listen != null) {
            return ReceiverAccess.endpoint("--listen", listen);
        }
        Endpoint local = Endpoint.DEFAULT_RECEIVER;
        return hasKey ? new Endpoint(ALL_ADDRESSES, local.port()) : local;
    }

    /** Prints the command to type on the other host. */
    private void invite(Endpoint listening, @Nullable String key, @Nullable Lab lab) {
        List<String> hosts = addressesReaching(listening, lab);
        boolean isDefaultPort = listening.port() == Endpoint.DEFAULT_RECEIVER.port();
        boolean isLinkLocal = hosts.get(0).indexOf('%') >= 0;
        List<String> addresses = hosts.stream()
                .map(host -> host.replaceFirst("%.*", "%DEVICE"))
                .map(host ->
                        isDefaultPort && host.indexOf(':') < 0 ? host : new Endpoint(host, listening.port()).toString())
                .toList();
        out().println(new SideMessage.Listening(listening).text());
        boolean hasVariable = key == null && options.keyFile() == null && System.getenv(SharedKey.VARIABLE) != null;
        boolean isLocal = key == null && options.keyFile() == null && !hasVariable; // no key: loopback only
        out().println(isLocal ? "Type this in another terminal of this host:" : "Type this on the other host:");
        out().println();
        String variable = key != null ? key : hasVariable ? "..." : null;
        Path keyFile = options.keyFile();
        boolean isOfUnit = isOfUnit(keyFile);
        out().println("  " + (variable == null ? "" : SharedKey.VARIABLE + "=" + variable + " ")
                + (isOfUnit ? "lagbench" : "scripts/lagbench") + " run udp " + addresses.get(0)
                + (keyFile == null ? "" : " --key-file KEY-FILE"));
        out().println();
        if (addresses.size() > 1) {
            out().println("Other addresses of this host: " + String.join(", ", addresses.subList(1, addresses.size()))
                    + ".");
        }
        if (keyFile != null) {
            out().println("KEY-FILE is a copy of this host's key file"
                    + (isOfUnit ? "." : ", " + keyFile.toAbsolutePath().normalize() + "."));
        }
        if (isLinkLocal) {
            out().println("DEVICE is the other host's network interface to this network.");
        }
        out().println((isLocal ? "Other hosts can connect only if there is a key: lagbench serve --new-key. " : "")
                + (hasVariable ? "This receiver uses the key in " + SharedKey.VARIABLE + ". " : "")
                + (key == null ? "" : "Without " + SharedKey.VARIABLE + " it asks for the key. ")
                + "Press Ctrl-C to end.");
    }

    /** Returns whether a key file is a credential of a unit of systemd, whose path exists only in the unit. */
    private static boolean isOfUnit(@Nullable Path keyFile) {
        String credentials = System.getenv("CREDENTIALS_DIRECTORY");
        return keyFile != null && credentials != null && keyFile.startsWith(credentials);
    }

    /**
     * Returns the addresses at which other hosts reach a listening socket: its own, or those of all interfaces if it
     * listens on all; IPv4 first. The host's name if there is none. Never empty. In a lab without the control link,
     * which is not emulated.
     */
    private static List<String> addressesReaching(Endpoint listening, @Nullable Lab lab) {
        try {
            if (!InetAddress.getByName(listening.host()).isAnyLocalAddress()) {
                return List.of(listening.host());
            }
            List<String> addresses = NetworkInterface.networkInterfaces()
                    .filter(ServeCommand::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address)))
                    .map(address -> Endpoint.withoutZone(Endpoint.format(address)))
                    .filter(address -> lab == null || !lab.isOfControlLink(address))
                    .toList();
            return addresses.isEmpty() ? List.of(RunRecord.Side.thisHost()) : addresses;
        } catch (IOException e) {
            return List.of(RunRecord.Side.thisHost());
        }
    }

    private static boolean isUp(NetworkInterface candidate) {
        try {
            return candidate.isUp();
        } catch (SocketException e) {
            return false; // the interface was removed after it was listed
        }
    }
}
