package org.lagbench.packetio.socket;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads kernel parameters as sysctl(8) does. Linux returns a number's digits to one read call only;
 * {@link Files#readString} would get only the first digit.
 */
public final class Sysctl {
    private static final Path ROOT = Path.of("/proc/sys");
    private static final int MAXIMUM_BYTES = 4096;

    private Sysctl() {}

    /** Returns the text of a parameter such as "net.ipv4.tcp_rmem"; empty if unavailable. */
    public static Optional<String> text(String name) {
        try (InputStream file = Files.newInputStream(ROOT.resolve(name.replace('.', '/')))) {
            byte[] bytes = new byte[MAXIMUM_BYTES];
            int length = file.read(bytes);
            return length < 0
                    ? Optional.empty()
                    : Optional.of(new String(bytes, 0, length, StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            return Optional.empty(); // this is not Linux, the kernel has no such parameter, or /proc is hidden
        }
    }

    /** Returns the number of a parameter; empty if unavailable or not a number. */
    public static OptionalLong number(String name) {
        String text = text(name).orElse("");
        return text.matches("-?\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }
}
