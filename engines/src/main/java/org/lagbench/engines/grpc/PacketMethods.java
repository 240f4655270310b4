package org.lagbench.engines.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HexFormat;

/**
 * The methods of a receiver's service. Their messages are plain bytes, without Protocol Buffers. The service's name has
 * the run's tag, so that gRPC refuses the calls of strangers.
 *
 * @param service the service's name
 */
record PacketMethods(String service) {
    /** Returns the methods of the receiver of a run. */
    static PacketMethods ofRun(long tag) {
        return new PacketMethods("lagbench.Packets." + HexFormat.of().toHexDigits(tag));
    }

    /** Returns the method to which packets are sent by one call; the result is the reply to a transfer. */
    MethodDescriptor<byte[], byte[]> send() {
        return method("Send", MethodType.CLIENT_STREAMING);
    }

    /** Returns the method that answers one packet. */
    MethodDescriptor<byte[], byte[]> answer() {
        return method("Answer", MethodType.UNARY);
    }

    private MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.<byte[], byte[]>newBuilder()
                .setType(type)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .setRequestMarshaller(new Bytes())
                .setResponseMarshaller(new Bytes())
                .build();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] message) {
            return new Message(message);
        }

        @Override
        public byte[] parse(InputStream message) {
            try {
                return message.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Message extends ByteArrayInputStream implements KnownLength {
        Message(byte[] message) {
            super(message);
        }
    }
}
