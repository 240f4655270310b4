package org.lagbench.core.clock;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ChronyClient.ChronyException;
import org.lagbench.core.clock.ChronyClient.ChronyException.Kind;
import org.lagbench.core.clock.ChronyTracking.Leap;
import org.lagbench.core.text.Endpoint;

/**
 * The request and reply {@code tracking} of chronyd's command protocol, version 6 (chrony 2.2 and later). All numbers
 * are big-endian. The request is as long as the reply, or chronyd does not answer it:
 *
 * <pre>
 *  byte   request                     reply
 *     0   version 6                   version 6
 *     1   type 1                      type 2
 *     4   u16 command 33              u16 command 33
 *     6   u16 attempt, from 0         u16 kind of reply, 5
 *     8   u32 sequence number         u16 status, 0 is success
 *    16                               u32 sequence number of the request
 *    28                               u32 reference identifier
 *    32                               address: 16 bytes, u16 family (1 IPv4, 2 IPv6), u16 unused
 *    52                               u16 stratum, u16 leap
 *    56                               reference time: u32 s high, u32 s low, u32 ns
 *    68                               9 floats: correction, last offset, RMS offset, frequency, residual
 *                                     frequency, skew, root delay, root dispersion, update interval
 *   104   end                         end
 * </pre>
 *
 * <p>A float is a signed exponent of 7 bits before a signed coefficient of 25 bits: coefficient · 2^(exponent − 25).
 */
final class TrackingMessage {
    static final int BYTES = 104;

    private static final int VERSION = 6;
    private static final int TYPE_REQUEST = 1;
    private static final int TYPE_REPLY = 2;
    private static final int COMMAND_TRACKING = 33;
    private static final int REPLY_TRACKING = 5;
    private static final int HEADER_BYTES = 28;

    private static final int STATUS_SUCCESS = 0;
    private static final int STATUS_UNAUTHORIZED = 2;
    private static final int STATUS_WRONG_VERSION = 18;

    private static final int FAMILY_IPV4 = 1;
    private static final int FAMILY_IPV6 = 2;

    /** Stands for the high half of the seconds on a host whose time_t has 32 bits. */
    private static final int NO_HIGH_SECONDS = 0x7fffffff;

    private static final long NS_PER_SECOND = 1_000_000_000L;
    private static final int COEFFICIENT_BITS = 25;

    private TrackingMessage() {}

    static byte[] request(int sequence, int attempt) {
        return ByteBuffer.allocate(BYTES)
                .put(0, (byte) VERSION)
                .put(1, (byte) TYPE_REQUEST)
                .putShort(4, (short) COMMAND_TRACKING)
                .putShort(6, (short) attempt)
                .putInt(8, sequence)
                .array();
    }

    /**
     * Reads a reply.
     *
     * @throws ChronyException of {@link Kind#NOT_UNDERSTOOD} if it is not the reply to the request with that sequence
     *     number, of {@link Kind#REFUSED} if it is a refusal
     */
    static ChronyTracking reply(ByteBuffer reply, int sequence) throws ChronyException {
        if (reply.limit() < HEADER_BYTES) {
            throw notUnderstood("the reply has " + reply.limit() + " bytes");
        }
        if (reply.get(1) != TYPE_REPLY || reply.getShort(4) != COMMAND_TRACKING) {
            throw notUnderstood("the reply is not from chronyd");
        }
        if (reply.getInt(16) != sequence) {
            throw notUnderstood("the reply is to another request");
        }
        int status = Short.toUnsignedInt(reply.getShort(8));
        switch (status) {
            case STATUS_SUCCESS -> {}
            case STATUS_UNAUTHORIZED -> throw new ChronyException(Kind.REFUSED, "not authorized");
            case STATUS_WRONG_VERSION ->
                throw new ChronyException(
                        Kind.REFUSED,
                        "it uses version " + reply.get(0) + " of its command protocol, lagbench uses version "
                                + VERSION);
            default -> throw new ChronyException(Kind.REFUSED, "it answers with status " + status);
        }
        if (reply.get(0) != VERSION || reply.getShort(6) != REPLY_TRACKING) {
            throw notUnderstood("the reply is not one of version " + VERSION + " to a tracking request");
        }
        if (reply.limit() < BYTES) {
            throw notUnderstood("the reply has " + reply.limit() + " bytes instead of " + BYTES);
        }
        if (number(reply.getInt(88)) < 0 || number(reply.getInt(96)) < 0) {
            throw notUnderstood("an error of the clock is below 0");
        }
        return new ChronyTracking(
                String.format("%08X", reply.getInt(28)),
                address(reply),
                Short.toUnsignedInt(reply.getShort(52)),
                leap(Short.toUnsignedInt(reply.getShort(54))),
                timeNs(reply),
                nanoseconds(reply.getInt(68)),
                nanoseconds(reply.getInt(72)),
                nanoseconds(reply.getInt(76)),
                number(reply.getInt(80)),
                number(reply.getInt(84)),
                number(reply.getInt(88)),
                nanoseconds(reply.getInt(92)),
                nanoseconds(reply.getInt(96)),
                number(reply.getInt(100)));
    }

    /** Returns the exact value of a float of the protocol. */
    static double number(int wire) {
        int coefficient = wire << (Integer.SIZE - COEFFICIENT_BITS) >> (Integer.SIZE - COEFFICIENT_BITS);
        int exponent = wire >> COEFFICIENT_BITS;
        return Math.scalb((double) coefficient, exponent - COEFFICIENT_BITS);
    }

    /** Returns the ns of a float in seconds. Exact: 25 bits times the 21 significant ones of 10⁹ fit into a double. */
    static double nanoseconds(int wire) {
        return number(wire) * NS_PER_SECOND;
    }

    private static Leap leap(int wire) throws ChronyException {
        return switch (wire) {
            case 0 -> Leap.NORMAL;
            case 1 -> Leap.INSERT_SECOND;
            case 2 -> Leap.DELETE_SECOND;
            case 3 -> Leap.UNSYNCHRONIZED;
            default -> throw notUnderstood("the leap status is " + wire);
        };
    }

    private static @Nullable String address(ByteBuffer reply) throws ChronyException {
        byte[] bytes = new byte[16];
        reply.get(32, bytes);
        try {
            return switch (reply.getShort(48)) {
                case FAMILY_IPV4 -> Endpoint.format(InetAddress.getByAddress(Arrays.copyOf(bytes, 4)));
                case FAMILY_IPV6 -> Endpoint.format(InetAddress.getByAddress(bytes));
                default -> null;
            };
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }

    private static long timeNs(ByteBuffer reply) throws ChronyException {
        int high = reply.getInt(56);
        long seconds = (high == NO_HIGH_SECONDS ? 0L : (long) high << 32) | Integer.toUnsignedLong(reply.getInt(60));
        long nanoseconds = Integer.toUnsignedLong(reply.getInt(64));
        if (seconds < 0 || seconds >= Long.MAX_VALUE / NS_PER_SECOND || nanoseconds >= NS_PER_SECOND) {
            throw notUnderstood("the reference time is invalid");
        }
        return seconds * NS_PER_SECOND + nanoseconds;
    }

    private static ChronyException notUnderstood(String why) {
        return new ChronyException(Kind.NOT_UNDERSTOOD, why);
    }
}
