package org.lagbench.core.control;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The datagrams of a two-way exchange, all of one size so that they take equal time on a wire. Numbers are big-endian:
 *
 * <pre>
 *  byte
 *     0   u64 kind: 1 request, 2 reply, 3 the receiver's stamps
 *     8   u64 number of the exchange, from 0
 *    16   i64 in kind 3 the stamp of the request, CLOCK_REALTIME in ns; else 0
 *    24   i64 in kind 3 the stamp of the reply, CLOCK_REALTIME in ns; else 0
 *    32   the first 16 bytes of the HMAC of all before
 *    48   end
 * </pre>
 *
 * <p>The kernel stamps a reply after its content is written, so the stamps follow it. Datagrams with another key are
 * ignored. Not thread-safe.
 */
final class ExchangeDatagram {
    static final int BYTES = 48;

    static final long REQUEST = 1;
    static final long REPLY = 2;
    static final long STAMPS = 3;

    private static final int MAC_INDEX = 32;

    private final SharedKey key;
    private final ByteBuffer outgoing = ByteBuffer.allocateDirect(BYTES);

    /** Has space for more bytes than a datagram has, so that a longer one is recognized. */
    private final ByteBuffer incoming = ByteBuffer.allocateDirect(2 * BYTES);

    ExchangeDatagram(SharedKey key) {
        this.key = key;
    }

    /** Returns a datagram to send; the next call overwrites it. */
    ByteBuffer make(long kind, long number, long receivedNs, long repliedNs) {
        outgoing.clear()
                .putLong(kind)
                .putLong(number)
                .putLong(receivedNs)
                .putLong(repliedNs)
                .put(mac(outgoing))
                .flip();
        return outgoing;
    }

    ByteBuffer buffer() {
        return incoming;
    }

    /** Returns whether the received datagram is a valid one of a kind. */
    boolean is(long kind) {
        byte[] mac = new byte[BYTES - MAC_INDEX];
        if (incoming.limit() != BYTES || incoming.getLong(0) != kind) {
            return false;
        }
        incoming.get(MAC_INDEX, mac);
        return MessageDigest.isEqual(mac, mac(incoming));
    }

    long number() {
        return incoming.getLong(8);
    }

    long receivedNs() {
        return incoming.getLong(16);
    }

    long repliedNs() {
        return incoming.getLong(24);
    }

    private byte[] mac(ByteBuffer datagram) {
        byte[] content = new byte[MAC_INDEX];
        for (int i = 0; i < MAC_INDEX; i++) {
            content[i] = datagram.get(i);
        }
        return Arrays.copyOf(key.mac(content), BYTES - MAC_INDEX);
    }
}
