package org.lagbench.web;

import com.sun.net.httpserver.Headers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;

/**
 * Decides who may read the page. With a key: clients that send it, as the password of any user (HTTP Basic) or as a
 * bearer token. Without a key: the user of this process on this machine, see {@link LocalUsers}. A request whose Host
 * header has another name is refused, so that no other site's page can read this one through a name that resolves to
 * this machine.
 */
final class LiveAccess {
    private static final Set<String> LOCAL_NAMES = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final String BASIC = "Basic ";
    private static final String BEARER = "Bearer ";

    private final @Nullable SharedKey key;
    private final String listening;

    LiveAccess(@Nullable SharedKey key, InetSocketAddress listening) {
        this.key = key;
        String address = Endpoint.format(listening.getAddress());
        this.listening = address.indexOf(':') < 0 ? address : "[" + address + "]";
    }

    /**
     * Returns why a request is refused, or null if it is not.
     *
     * @param client the address of the connection's other side
     * @param server the address of this side
     */
    @Nullable
    LiveResponse refusal(Headers headers, InetSocketAddress client, InetSocketAddress server) {
        if (key != null) {
            return isAuthorized(key, headers.getFirst("Authorization"))
                    ? null
                    : LiveResponse.refusal(401, "This page requires its key as the password of any user.");
        }
        String host = headers.getFirst("Host");
        String name = host == null ? "" : host.replaceFirst(":\\d*$", "");
        if (!LOCAL_NAMES.contains(name) && !name.equals(listening)) {
            return LiveResponse.refusal(403, "Open this page as 127.0.0.1 or localhost.");
        }
        try {
            return LocalUsers.opened(client, server)
                    ? null
                    : LiveResponse.refusal(
                            403,
                            "Only the user who started lagbench can read this page without a key; "
                                    + "start it with --live-key FILE for other users.");
        } catch (IOException e) {
            return LiveResponse.refusal(
                    403,
                    "This host does not report which user reads the page (" + IoErrors.reason(e)
                            + ": /proc/net/tcp); start lagbench with --live-key FILE.");
        }
    }

    private static boolean isAuthorized(SharedKey key, @Nullable String authorization) {
        if (authorization == null) {
            return false;
        }
        String given = "";
        if (authorization.startsWith(BEARER)) {
            given = authorization.substring(BEARER.length());
        } else if (authorization.startsWith(BASIC)) {
            given = passwordOf(authorization.substring(BASIC.length()));
        }
        return !given.isBlank() && new SharedKey(given.strip().getBytes(StandardCharsets.ISO_8859_1)).equals(key);
    }

    private static String passwordOf(String credentials) {
        try {
            String text = new String(Base64.getDecoder().decode(credentials.strip()), StandardCharsets.ISO_8859_1);
            return text.substring(text.indexOf(':') + 1);
        } catch (IllegalArgumentException e) {
            return ""; // not Base64, so the request has no password
        }
    }
}
