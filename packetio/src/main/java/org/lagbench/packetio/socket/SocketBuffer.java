package org.lagbench.packetio.socket;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.util.Map;
import java.util.OptionalLong;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;

/**
 * The send or receive buffer of a socket: its setting and its granted size.
 *
 * <p>Linux grants twice the requested size, half of it for its own bookkeeping, but at most twice
 * {@code net.core.wmem_max} or {@code rmem_max}; see socket(7). The granted size is doubled, as Linux and {@code ss -m}
 * report it; only the JDK halves it.
 */
public final class SocketBuffer {
    /** The send buffer of a sender's socket. */
    public static final SocketBuffer SEND =
            new SocketBuffer("send", StandardSocketOptions.SO_SNDBUF, "net.core.wmem_max");

    /** The receive buffer of a receiver's socket. */
    public static final SocketBuffer RECEIVE =
            new SocketBuffer("receive", StandardSocketOptions.SO_RCVBUF, "net.core.rmem_max");

    private static final long MINIMUM_BYTES = 1L << 10;
    private static final long MAXIMUM_BYTES = 1L << 30;

    /** The ratio of the kernel's size to the JDK's. */
    private static final long GRANTED_PER_REPORTED =
            System.getProperty("os.name").equals("Linux") ? 2 : 1;

    private final String direction;
    private final SocketOption<Integer> option;
    private final String limit;

    private SocketBuffer(String direction, SocketOption<Integer> option, String limit) {
        this.direction = direction;
        this.option = option;
        this.limit = limit;
    }

    /** Returns the setting of the buffer's size. */
    public Parameter<?> setting() {
        return Parameter.bytes(settingName(), MINIMUM_BYTES, MAXIMUM_BYTES)
                .orWord(Parameter.AUTO)
                .described(
                        "The size to request for the socket's " + direction + " buffer; auto leaves it to the kernel.");
    }

    /** Requests the size in the settings, if there is one. For TCP before the socket connects or listens. */
    public void request(NetworkChannel channel, Settings settings) throws IOException {
        request(settings, bytes -> channel.setOption(option, bytes));
    }

    /** Requests a size of a socket. */
    @FunctionalInterface
    public interface Request<E extends Exception> {
        /** Requests the size. */
        void of(int bytes) throws E;
    }

    /** Requests the size in the settings, if there is one, through another interface than a channel. */
    public <E extends Exception> void request(Settings settings, Request<E> request) throws E {
        OptionalLong requested = settings.optionalNumber(settingName());
        if (requested.isPresent()) {
            request.of(Math.toIntExact(requested.getAsLong()));
        }
    }

    /** Adds the granted size in bytes ({@code sendBufferBytes}), and what {@link #putRequest} adds. */
    public void putMetadata(NetworkChannel channel, Settings settings, Map<String, Object> metadata)
            throws IOException {
        putMetadata(channel.getOption(option), settings, metadata);
    }

    /** Like {@link #putMetadata(NetworkChannel, Settings, Map)}, with the granted size in bytes. */
    public void putMetadata(int reportedBytes, Settings settings, Map<String, Object> metadata) {
        metadata.put(direction + "BufferBytes", reportedBytes * GRANTED_PER_REPORTED);
        putRequest(settings, metadata);
    }

    /**
     * Adds the requested size ({@code sendBufferRequestedBytes}), if any, and the machine's limit
     * ({@code sendBufferLimitBytes}), if it is less.
     */
    public void putRequest(Settings settings, Map<String, Object> metadata) {
        String prefix = direction + "Buffer";
        OptionalLong requested = settings.asMap().containsKey(settingName()) // some libraries set their buffers
                ? settings.optionalNumber(settingName())
                : OptionalLong.empty();
        if (requested.isPresent()) {
            metadata.put(prefix + "RequestedBytes", requested.getAsLong());
            OptionalLong limitBytes = limitBytes();
            if (limitBytes.isPresent() && limitBytes.getAsLong() < requested.getAsLong()) {
                metadata.put(prefix + "LimitBytes", limitBytes.getAsLong());
            }
        }
    }

    /** Returns the maximum size in bytes that this machine allows; empty if unknown. */
    public OptionalLong limitBytes() {
        return Sysctl.number(limit);
    }

    /** Returns the name of the kernel parameter that limits the size. */
    public String limitName() {
        return limit;
    }

    /** Returns the setting's name. */
    public String settingName() {
        return direction + "-buffer";
    }
}
