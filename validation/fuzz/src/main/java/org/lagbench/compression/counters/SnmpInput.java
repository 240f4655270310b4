package org.lagbench.compression.counters;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.lagbench.compression.counters.SnmpCounters.SnmpClient;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterSource;
import org.snmp4j.CommunityTarget;
import org.snmp4j.PDU;
import org.snmp4j.Snmp;
import org.snmp4j.Target;
import org.snmp4j.asn1.BERInputStream;
import org.snmp4j.event.ResponseEvent;
import org.snmp4j.smi.Address;

/** Gives the fuzzer's targets the reader of an SNMP agent's replies, which other packages do not see. */
public final class SnmpInput {
    private static final Bottleneck BOTTLENECK = new Bottleneck("eth0", false, 0, 0, "snmp", "127.0.0.1", "public");
    private static final int READINGS = 3;

    private SnmpInput() {}

    /**
     * Opens and reads the counters of an agent whose replies are the parts of the input, each after a byte with its
     * length, in the encoding of SNMP. After them it answers no more.
     *
     * @throws IOException if the agent does not report the interface
     */
    public static void read(byte[] input) throws IOException {
        Deque<byte[]> replies = new ArrayDeque<>();
        ByteBuffer rest = ByteBuffer.wrap(input);
        while (rest.hasRemaining()) {
            byte[] reply = new byte[Math.min(Byte.toUnsignedInt(rest.get()), rest.remaining())];
            rest.get(reply);
            replies.add(reply);
        }
        SnmpClient client = new SnmpClient(new Replies(replies), new CommunityTarget<>());
        try (CounterSource.Counters counters = SnmpCounters.open(client, BOTTLENECK)) {
            for (int i = 0; i < READINGS; i++) {
                counters.read();
            }
        }
    }

    /** Receives replies as from the network: one that SNMP4J cannot decode is none. */
    private static final class Replies extends Snmp {
        private final Deque<byte[]> replies;

        Replies(Deque<byte[]> replies) {
            this.replies = replies;
        }

        @Override
        public <A extends Address> ResponseEvent<A> send(PDU request, Target<A> target) {
            return new ResponseEvent<>(this, target.getAddress(), request, decode(replies.poll()), null, 0);
        }

        private static @Nullable PDU decode(byte @Nullable [] reply) {
            if (reply == null) {
                return null;
            }
            PDU decoded = new PDU();
            try {
                decoded.decodeBER(new BERInputStream(ByteBuffer.wrap(reply)));
            } catch (IOException | RuntimeException undecodable) { // as the dispatcher of SNMP4J does
                return null;
            }
            return decoded;
        }
    }
}
