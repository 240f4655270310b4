package org.lagbench.packetio.socket;

import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.channels.ClosedChannelException;
import java.util.function.Function;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.PacketReceiver;

/** Receives the answers at the socket that sends the packets. */
final class ReplyReceiver implements PacketReceiver {
    private final SocketIo io;
    private final PacketFramer framer;
    private final Function<IOException, String> explanation;
    private volatile boolean closed;

    /**
     * Creates a receiver.
     *
     * @param explanation returns the message for a failed call
     */
    ReplyReceiver(SocketIo io, PacketFramer framer, Function<IOException, String> explanation) {
        this.io = io;
        this.framer = framer;
        this.explanation = explanation;
    }

    @Override
    public int receive(PacketAccounting accounting) throws IOException {
        try {
            int received = framer.receive(io, accounting);
            if (received != SocketIo.END) {
                return received;
            }
        } catch (ClosedChannelException e) {
            return END;
        } catch (ProtocolException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(explanation.apply(e), e);
        }
        if (!closed) {
            EOFException ended = new EOFException("it closed the connection");
            throw new IOException(explanation.apply(ended), ended);
        }
        return END;
    }

    @Override
    public long kernelDrops() {
        return io.drops();
    }

    @Override
    public void close() {
        closed = true;
        io.close();
    }
}
