package org.lagbench.runner.machine;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Comparator;
import java.util.List;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.run.ThisHost;

/** The addresses of this host. */
public final class Addresses {
    private Addresses() {}

    /**
     * Returns the addresses at which other hosts reach a listening socket: its own, or those of all interfaces if it
     * listens on all; IPv4 first. The host's name if there is none. Never empty.
     */
    public static List<String> reaching(Endpoint listening) {
        try {
            if (!InetAddress.getByName(listening.host()).isAnyLocalAddress()) {
                return List.of(listening.host());
            }
            List<String> addresses = NetworkInterface.networkInterfaces()
                    .filter(Addresses::isUp)
                    .flatMap(NetworkInterface::inetAddresses)
                    .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
                    .sorted(Comparator.comparing(address -> !(address instanceof Inet4Address)))
                    .map(address -> address.getHostAddress().replaceFirst("%.*", ""))
                    .toList();
            return addresses.isEmpty() ? List.of(ThisHost.name()) : addresses;
        } catch (IOException e) {
            return List.of(ThisHost.name());
        }
    }

    private static boolean isUp(NetworkInterface candidate) {
        try {
            return candidate.isUp();
        } catch (SocketException e) {
            return false; // removed meanwhile
        }
    }
}
