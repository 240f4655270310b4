package org.lagbench.core.capture;

import java.util.List;

/** The captures of transfers besides the stamps of their pieces. Transfers are numbered from 0. */
public final class TransferFiles {
    /**
     * The sending side's file with a record for each answered transfer. Its stamps are CLOCK_REALTIME in ns of that
     * side; those of the connection are −1 if an earlier transfer opened it.
     */
    public static final String TRANSFERS_FILE_NAME = "sender-transfers.npy";

    /** When the connection was opened, when it was established, and when the reply was received. */
    public static final List<String> TRANSFERS_FIELDS = List.of("transfer", "start_ns", "connected_ns", "answered_ns");

    /** The sending side's file with the states of the connection (tcp(7), TCP_INFO). Unknown values are −1. */
    public static final String TCP_FILE_NAME = "sender-tcp.npy";

    /** The transfer, then the fields of {@code tcp_state.h}, in its order. */
    public static final List<String> TCP_FIELDS = List.of(
            "transfer",
            "at_ns",
            "congestion_state",
            "cwnd_segments",
            "ssthresh_segments",
            "mss_bytes",
            "rtt_ns",
            "rttvar_ns",
            "min_rtt_ns",
            "delivery_rate_bytes_per_s",
            "app_limited",
            "acked_bytes",
            "sent_bytes",
            "retransmitted_bytes",
            "retransmitted_segments",
            "retransmits",
            "unacked_segments",
            "not_sent_bytes",
            "busy_us",
            "rwnd_limited_us",
            "sndbuf_limited_us",
            "send_window_bytes",
            "bbr_pacing_gain");

    private TransferFiles() {}
}
