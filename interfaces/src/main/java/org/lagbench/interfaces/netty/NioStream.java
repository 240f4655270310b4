package org.lagbench.interfaces.netty;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.channels.SocketChannel;

/** A connection through the JDK whose socket other classes may use too. */
public final class NioStream extends NioSocketChannel {
    /** Creates a connection, for Netty. */
    public NioStream() {}

    /** Returns the connection's channel of the JDK. */
    SocketChannel socket() {
        return javaChannel();
    }
}
