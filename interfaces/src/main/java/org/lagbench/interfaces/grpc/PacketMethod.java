package org.lagbench.interfaces.grpc;

import io.grpc.KnownLength;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The method of the receiver's service. Its messages are plain bytes, without Protocol Buffers. */
final class PacketMethod {
    static final String SERVICE = "lagbench.Packets";

    static final MethodDescriptor<byte[], byte[]> SEND = MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodType.CLIENT_STREAMING)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Send"))
            .setRequestMarshaller(new Bytes())
            .setResponseMarshaller(new Bytes())
            .build();

    private PacketMethod() {}

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
