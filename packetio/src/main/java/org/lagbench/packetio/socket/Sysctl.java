package org.lagbench.packetio.socket;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the kernel's parameters, as sysctl(8) does. Linux gives the digits of a number to one read call only, so that
 * they must be taken in one: {@link Files#readString} gets no more than the first digit.
 */
public final class Sysctl {
    private static final Path ROOT = Path.of("/proc/sys");
    private static final int MOST_BYTES = 4096;

    private Sysctl() {}

    /** The text of a parameter such as "net.ipv4.tcp_rmem"; nothing if the platform does not tell. */
    public static Optional<String> text(String name) {
        try (InputStream file = Files.newInputStream(ROOT.resolve(name.replace('.', '/')))) {
            byte[] bytes = new byte[MOST_BYTES];
            int length = file.read(bytes);
            return length < 0
                    ? Optional.empty()
                    : Optional.of(new String(bytes, 0, length, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return Optional.empty(); // not Linux, another kernel's parameter, or /proc is hidden
        }
    }

    /** The number that a parameter is; nothing if the platform does not tell or it is none. */
    public static OptionalLong number(String name) {
        String text = text(name).orElse("");
        return text.matches("-?\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
