package org.lagbench.engines.grpc;

import org.lagbench.core.model.Transport;
import org.lagbench.engines.message.LibraryEngine;
import org.lagbench.engines.message.SocketSettings;

/**
 * The engine {@code grpc}, over HTTP/2 without TLS: a client-streaming call for all packets or for each transfer, a
 * unary call for each round trip.
 */
public final class GrpcEngine extends LibraryEngine {
    /** Creates the engine, for the service loader. */
    public GrpcEngine() {
        super("grpc", 7, SocketSettings.ALL, "GrpcSides");
    }

    @Override
    protected boolean answersTransfers(Transport transport) {
        return true;
    }
}
