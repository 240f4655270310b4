package org.lagbench.engines.netty;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.SocketChannel;

/** A connection over a channel of the JDK, which other classes of this package can access. */
public final class NioStream extends NioSocketChannel {
    /** Creates a connection, for Netty. */
    public NioStream() {}

    /** Returns the connection's channel of the JDK. */
    SocketChannel socket() {
        return javaChannel();
    }
}
