package org.lagbench.packetio.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.DatagramChannel;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.time.RealtimeClock;

/** Sends and receives through channels. Java reads the clock around each call. */
final class ChannelIo implements SocketIo {
    private final ByteChannel channel;
    private final @Nullable DatagramChannel datagrams;

    ChannelIo(ByteChannel channel) {
        this.channel = channel;
        this.datagrams = channel instanceof DatagramChannel datagramChannel ? datagramChannel : null;
    }

    @Override
    public int send(SendBatch packets) throws IOException {
        int count = packets.count();
        packets.beforeCall();
        do {
            channel.write(packets.buffer());
        } while (packets.buffer().hasRemaining());
        packets.afterCall();
        return count;
    }

    @Override
    public int receive(ReceiveBatch into) throws IOException {
        ByteBuffer buffer = into.packets();
        if (datagrams != null) {
            datagrams.receive(buffer.clear());
            into.received(buffer.position(), RealtimeClock.nowNs());
            return 1;
        }
        int bytes = channel.read(buffer);
        into.received(bytes, RealtimeClock.nowNs());
        return bytes < 0 ? END : 1;
    }

    @Override
    public long drops() {
        return UNKNOWN;
    }

    @Override
    public void close() {
        // the owner closes the channel
    }
}
