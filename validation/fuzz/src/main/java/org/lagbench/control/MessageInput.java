package org.lagbench.control;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import org.lagbench.core.key.SharedKey;

/** Gives the fuzzer's targets the reader of control messages, which other packages do not see. */
public final class MessageInput {
    private static final SharedKey KEY = new SharedKey(new byte[16]);
    private static final int IS_SENDER = 1;
    private static final int IS_KEYED = 2;
    private static final int HAS_KEY = 4;

    private MessageInput() {}

    /**
     * Reads a line of a control connection, and writes what it read.
     *
     * @throws ProtocolException if it is not a message
     */
    public static byte[] readAndWrite(byte[] line) throws ProtocolException {
        return ControlConnection.FORMAT.write(ControlConnection.FORMAT.read(line, 0, line.length));
    }

    /**
     * Reads a control connection to its end. The first byte says which side reads, whether the connection has a key,
     * and whether the peer has it, which then protects each line.
     *
     * @throws ProtocolException if a line is not a message, or its HMAC is wrong
     */
    public static void readAll(byte[] input) throws IOException {
        int flags = input.length == 0 ? 0 : input[0];
        boolean isSender = (flags & IS_SENDER) != 0;
        byte[] lines = Arrays.copyOfRange(input, Math.min(1, input.length), input.length);
        if ((flags & IS_KEYED) != 0 && (flags & HAS_KEY) != 0) {
            lines = protect(lines, isSender ? "receiver" : "sender");
        }
        Socket socket = new Received(new ByteArrayInputStream(lines), OutputStream.nullOutputStream());
        try (ControlConnection connection =
                isSender ? ControlConnection.ofSender(socket) : ControlConnection.ofReceiver(socket)) {
            if ((flags & IS_KEYED) != 0) {
                connection.protect(KEY);
            }
            while (connection.readUnlessClosed() != null) {
                if (connection.isWithinMessage()) {
                    throw new AssertionError("a message was read in part");
                }
            }
        } catch (EOFException incomplete) {
            throw new ProtocolException(String.valueOf(incomplete.getMessage()));
        }
    }

    private static byte[] protect(byte[] lines, String direction) {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        long number = 0;
        for (int at = 0; at < lines.length; ) {
            int end = at;
            while (end < lines.length && lines[end] != '\n') {
                end++;
            }
            byte[] json = Arrays.copyOfRange(lines, at, end);
            byte[] counter =
                    ByteBuffer.allocate(Long.BYTES).putLong(0, number++).array();
            byte[] mac = KEY.mac(SharedKey.ascii(direction), counter, json);
            written.writeBytes(SharedKey.ascii(HexFormat.of().formatHex(mac)));
            written.writeBytes(json);
            written.write('\n');
            at = end + 1;
        }
        return written.toByteArray();
    }

    /** A connected socket whose peer closes after what it sends. */
    static final class Received extends Socket {
        private final InputStream in;
        private final OutputStream out;

        Received(InputStream in, OutputStream out) {
            this.in = in;
            this.out = out;
        }

        @Override
        public InputStream getInputStream() {
            return in;
        }

        @Override
        public OutputStream getOutputStream() {
            return out;
        }

        @Override
        public void setTcpNoDelay(boolean isOn) {}

        @Override
        public <T> Socket setOption(SocketOption<T> option, T value) {
            return this;
        }
    }
}
