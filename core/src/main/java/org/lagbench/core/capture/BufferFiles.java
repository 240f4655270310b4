package org.lagbench.core.capture;

import java.util.List;

/** The captures of socket buffers: {@code at_ns}, CLOCK_REALTIME of that side, and the bytes used, −1 if unknown. */
public final class BufferFiles {
    /** The sending side's file in a run's directory. */
    public static final String SENDER_FILE_NAME = "sender-buffers.npy";

    /** The receiving side's file in a run's directory. */
    public static final String RECEIVER_FILE_NAME = "receiver-buffers.npy";

    /** Names of the sending side's fields: bytes of the send buffer, and µs since the connection began. */
    public static final List<String> SENDER_FIELDS = List.of(
            "at_ns",
            "send_bytes",
            "not_sent_bytes",
            "unacked_bytes",
            "busy_us",
            "rwnd_limited_us",
            "sndbuf_limited_us");

    /** Names of the receiving side's fields. */
    public static final List<String> RECEIVER_FIELDS = List.of("at_ns", "receive_bytes");

    private BufferFiles() {}
}
