package org.lagbench.core.control;

import java.net.ProtocolException;

/** Gives the fuzzer's targets the reader of control messages, which other packages do not see. */
public final class MessageInput {
    private MessageInput() {}

    /**
     * Reads a line of a control connection, and writes what it read.
     *
     * @throws ProtocolException if it is not a message
     */
    public static byte[] rewrite(byte[] line) throws ProtocolException {
        return MessageFormat.write(MessageFormat.read(line, 0, line.length));
    }
}
