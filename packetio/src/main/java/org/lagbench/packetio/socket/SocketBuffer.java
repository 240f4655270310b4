package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import java.util.OptionalLong;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.settings.Settings;

/**
 * One of the two buffers that the kernel keeps for a socket: how it is asked for, and what was granted.
 *
 * <p>Linux grants twice what is asked for, the half being for its own bookkeeping, but no more than twice
 * {@code net.core.wmem_max} or {@code rmem_max}; see socket(7). The granted size is told as Linux, {@code ss -m} and
 * other benches tell it, doubled; the JDK alone halves it.
 */
public final class SocketBuffer {
    /** Bytes on their way out. */
    public static final SocketBuffer SEND =
            new SocketBuffer("send", StandardSocketOptions.SO_SNDBUF, "net.core.wmem_max");

    /** Bytes that came and were not yet taken. */
    public static final SocketBuffer RECEIVE =
            new SocketBuffer("receive", StandardSocketOptions.SO_RCVBUF, "net.core.rmem_max");

    private static final long MINIMUM_BYTES = 1L << 10;
    private static final long MAXIMUM_BYTES = 1L << 30;

    /** The kernel's figure for each byte of the JDK's. */
    private static final long GRANTED_PER_TOLD = System.getProperty("os.name").equals("Linux") ? 2 : 1;

    private final String direction;
    private final SocketOption<Integer> option;
    private final String limit;

    private SocketBuffer(String direction, SocketOption<Integer> option, String limit) {
        this.direction = direction;
        this.option = option;
        this.limit = limit;
    }

    /** The setting by which a user asks for a size. */
    public SettingDefinition setting() {
        return SettingDefinition.bytesOrAuto(
                settingName(),
                MINIMUM_BYTES,
                MAXIMUM_BYTES,
                "Size asked for the socket's " + direction + " buffer in bytes; auto leaves it to the kernel.");
    }

    /** Asks for the size that the settings want, if they want one. For TCP before the socket connects or listens. */
    public void request(NetworkChannel channel, Settings settings) throws IOException {
        OptionalLong requested = settings.optionalNumber(settingName());
        if (requested.isPresent()) {
            channel.setOption(option, Math.toIntExact(requested.getAsLong()));
        }
    }

    /**
     * Puts what was granted, in bytes ({@code sendBufferBytes}); what was asked for ({@code sendBufferRequestedBytes}),
     * if anything; and the machine's limit ({@code sendBufferLimitBytes}), if it is less.
     */
    public void putMetadata(NetworkChannel channel, Settings settings, Map<String, Object> metadata)
            throws IOException {
        metadata.put(direction + "BufferBytes", channel.getOption(option) * GRANTED_PER_TOLD);
        putRequest(settings, metadata);
    }

    /** Puts what {@link #putMetadata} does but for what was granted, which another process knows. */
    public void putRequest(Settings settings, Map<String, Object> metadata) {
        String prefix = direction + "Buffer";
        OptionalLong requested = settings.optionalNumber(settingName());
        if (requested.isPresent()) {
            metadata.put(prefix + "RequestedBytes", requested.getAsLong());
            OptionalLong limitBytes = limitBytes();
            if (limitBytes.isPresent() && limitBytes.getAsLong() < requested.getAsLong()) {
                metadata.put(prefix + "LimitBytes", limitBytes.getAsLong());
            }
        }
    }

    /** The most that this machine lets a program ask for, in bytes; nothing if it does not tell. */
    public OptionalLong limitBytes() {
        return Sysctl.number(limit);
    }

    /** The kernel's parameter that is the limit. */
    public String limitName() {
        return limit;
    }

    /** The setting's name. */
    public String settingName() {
        return direction + "-buffer";
    }
}
