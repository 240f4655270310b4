package org.lagbench.engines.javanet;

import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.engines.message.StreamBuffer;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.SideConfig;

/** Receives the answers on a sender's connection. The sender closes the connection. */
final class StreamReplies implements PacketReceiver {
    private final Socket connection;
    private final StreamBuffer framer;
    private volatile boolean closed;

    StreamReplies(SideConfig run, Socket connection) {
        this.connection = connection;
        this.framer = StreamBuffer.ofAnswers(run);
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        int bytes;
        long answeredNs;
        try {
            bytes = connection.getInputStream().read(framer.array(), framer.offset(), framer.room());
            answeredNs = RealtimeClock.nowNs();
            if (bytes < 0) {
                throw new EOFException("it closed the connection");
            }
        } catch (IOException e) {
            if (closed || connection.isClosed()) {
                return END;
            }
            throw new IOException(
                    "The receiver " + DataPort.text(connection.getRemoteSocketAddress()) + " sends no more answers: "
                            + IoErrors.reason(e),
                    e);
        }
        return framer.frame(bytes, accounting, answeredNs);
    }

    /** Returns 0: a stream loses nothing. */
    @Override
    public long kernelDrops() {
        return 0;
    }

    @Override
    public void close() {
        closed = true;
        SenderAcceptor.close(connection);
    }
}
