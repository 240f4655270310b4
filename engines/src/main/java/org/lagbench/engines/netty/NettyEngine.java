package org.lagbench.engines.netty;

import java.util.List;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Transport;
import org.lagbench.engines.message.LibraryEngine;
import org.lagbench.engines.message.SocketSettings;

/** The engine {@code netty}: the channels and the event loop of Netty 4. */
public final class NettyEngine extends LibraryEngine {
    /** The name of the engine, and of the directory of its libraries. */
    static final String NAME = "netty";

    /** The name of the setting for the kind of I/O. */
    static final String IO = "io";

    /** Creates the engine, for the service loader. */
    public NettyEngine() {
        super(NAME, 5, SocketSettings.ALL, "NettySides");
    }

    @Override
    public List<Parameter<?>> settings() {
        return List.of(
                Parameter.choice(IO, List.of("nio", "epoll", "io_uring"))
                        .byDefault("nio")
                        .described(
                                "How Netty waits for its sockets: nio through the JDK, epoll and io_uring by its own native code."));
    }

    @Override
    protected boolean carries(Transport transport) {
        return transport.usesSockets();
    }

    @Override
    protected boolean answersTransfers(Transport transport) {
        return transport.isConnectionOriented();
    }
}
