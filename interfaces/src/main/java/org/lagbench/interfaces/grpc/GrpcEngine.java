package org.lagbench.interfaces.grpc;

import org.lagbench.core.transport.Transport;
import org.lagbench.interfaces.message.LibraryEngine;
import org.lagbench.interfaces.message.SocketSettings;

/** The engine {@code grpc}: a client-streaming call of gRPC over HTTP/2 without TLS. */
public final class GrpcEngine extends LibraryEngine {
    /** Creates the engine, for the service loader. */
    public GrpcEngine() {
        super("grpc", 7, SocketSettings.ALL, "GrpcSides");
    }

    @Override
    protected boolean carries(Transport transport) {
        return transport.usesSockets() && transport.isConnectionOriented();
    }

    @Override
    protected boolean answersPackets() {
        return false;
    }
}
