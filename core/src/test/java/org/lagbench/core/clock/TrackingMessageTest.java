package org.lagbench.core.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.clock.ChronyClient.ChronyException;
import org.lagbench.core.clock.ChronyTracking.Leap;

class TrackingMessageTest {
    static final int SEQUENCE = 0x01020304;

    /** A reply put together by hand; each line a field or a few. */
    static final String REPLY =
            """
            06 02 00 00 0021 0005 0000 0000 0000 0000 01020304 00000000 00000000
            0A630001
            0A630001 000000000000000000000000 0001 0000
            0009 0000
            00000000 6B49D200 0000007B
            DA8637BD
            DB79C843
            04800000
            01000000
            00000000
            80000001
            DA8637BD
            DA8637BD
            7EFFFFFF
            """;

    static ByteBuffer reply() {
        return ByteBuffer.wrap(replyTo(SEQUENCE));
    }

    static byte[] replyTo(int sequence) {
        byte[] reply = HexFormat.of().parseHex(REPLY.replaceAll("\\s", ""));
        ByteBuffer.wrap(reply).putInt(16, sequence);
        return reply;
    }

    @Test
    void sendsRequestAsLongAsReply() {
        assertThat(HexFormat.of().formatHex(TrackingMessage.request(SEQUENCE, 1)))
                .isEqualTo("06010000" + "0021" + "0001" + "01020304" + "00".repeat(92));
    }

    /** Hand-computed: 25 bits of coefficient c below 7 of exponent e, both signed, are c · 2^(e − 25). */
    @ParameterizedTest
    @CsvSource({
        "00000000, 0",
        "04800000, 1", // e 2, c 2^23
        "01000000, -0.5", // e 0, c −2^24
        "02FFFFFF, 0.99999994039535522460937500", // e 1, c 2^24 − 1: 1 − 2^−24
        "7EFFFFFF, 4611685743549480960", // e 63, c 2^24 − 1: 2^62 − 2^38
        "80000001, 1.6155871338926321774832422e-27", // e −64, c 1: 2^−89
        "DA8637BD, 4.9999999873762135393917561e-7", // e −19, c 8796093: 8796093 / 2^44
        "DB79C843, -4.9999999873762135393917561e-7" // the same with c negative
    })
    void decodesFloatsExactly(String wire, double number) {
        assertThat(TrackingMessage.number(Integer.parseUnsignedInt(wire, 16))).isEqualTo(number);
    }

    @Test
    void convertsSecondsExactly() {
        // 8796093 · 10^9 / 2^44 = 8796093 · 5^9 / 2^35
        BigDecimal exact = new BigDecimal(8_796_093L * 1_953_125L).divide(new BigDecimal(1L << 35));
        assertThat(new BigDecimal(TrackingMessage.nanoseconds(0xDA8637BD))).isEqualByComparingTo(exact);
        // the widest coefficient there is
        BigDecimal widest = new BigDecimal(16_777_215L * 1_953_125L).divide(new BigDecimal(1L << 15));
        assertThat(new BigDecimal(TrackingMessage.nanoseconds(0x02FFFFFF))).isEqualByComparingTo(widest);
    }

    @Test
    void readsReply() throws Exception {
        double halfMicrosecondNs = 8_796_093.0 * 1_953_125 / (1L << 35);
        assertThat(TrackingMessage.reply(reply(), SEQUENCE))
                .isEqualTo(new ChronyTracking(
                        "0A630001",
                        "10.99.0.1",
                        9,
                        Leap.NORMAL,
                        1_800_000_000_000_000_123L,
                        halfMicrosecondNs,
                        -halfMicrosecondNs,
                        1e9,
                        -0.5,
                        0,
                        Math.scalb(1.0, -89),
                        halfMicrosecondNs,
                        halfMicrosecondNs,
                        (double) 4_611_685_743_549_480_960L));
    }

    @Test
    void readsIpv6AddressAndSecondsOf32Bits() throws Exception {
        ByteBuffer reply = reply();
        reply.put(32, HexFormat.of().parseHex("20010db8000000000000000000000001"));
        reply.putShort(48, (short) 2);
        reply.putInt(56, 0x7fffffff); // as from a host whose seconds have 32 bits
        reply.putShort(54, (short) 3);

        ChronyTracking tracking = TrackingMessage.reply(reply, SEQUENCE);

        assertThat(tracking.referenceAddress()).isEqualTo("2001:db8::1");
        assertThat(tracking.referenceTimeNs()).isEqualTo(1_800_000_000_000_000_123L);
        assertThat(tracking.leap()).isEqualTo(Leap.UNSYNCHRONIZED);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 05, REFUSED, 'version 5'",
        "9, 02, REFUSED, not authorized",
        "9, 06, REFUSED, status 6",
        "1, 01, NOT_UNDERSTOOD, the reply is not from chronyd",
        "5, 22, NOT_UNDERSTOOD, the reply is not from chronyd",
        "7, 06, NOT_UNDERSTOOD, the reply is not one of version 6 to a tracking request",
        "19, 05, NOT_UNDERSTOOD, the reply is to another request",
        "55, 04, NOT_UNDERSTOOD, the leap status is 4",
        "56, 80, NOT_UNDERSTOOD, the reference time",
        "64, 7F, NOT_UNDERSTOOD, the reference time"
    })
    void rejectsReplyWithWrongByte(int at, String wrong, ChronyException.Kind kind, String reason) {
        ByteBuffer reply = reply();
        reply.put(at, (byte) Integer.parseInt(wrong, 16));
        if (at == 0) {
            reply.putShort(8, (short) 18);
        }
        assertThatThrownBy(() -> TrackingMessage.reply(reply, SEQUENCE))
                .isInstanceOfSatisfying(
                        ChronyException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(reason);
    }

    @Test
    void rejectsTruncatedReply() {
        for (int bytes = 0; bytes < TrackingMessage.BYTES; bytes++) {
            ByteBuffer cut = reply().limit(bytes);
            assertThatThrownBy(() -> TrackingMessage.reply(cut, SEQUENCE))
                    .isInstanceOfSatisfying(ChronyException.class, e -> assertThat(e.kind())
                            .isEqualTo(ChronyException.Kind.NOT_UNDERSTOOD))
                    .hasMessageContaining("the reply has " + bytes + " bytes");
        }
    }
}
