package org.lagbench.packetio.engine;

import java.util.ServiceLoader;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.StreamFramer;

/** Sends and receives the pieces of transfers as compressed chunks. A service provider implements it. */
public interface PieceCompression {
    /**
     * Checks that a codec or policy exists.
     *
     * @throws LagbenchException if not; the message lists the codecs
     */
    void check(CompressionSpec compression) throws LagbenchException;

    /** Returns connections over which pieces are sent as chunks. All share one encoder. */
    TransferLoop.Connections connections(SideConfig config, CompressionSpec compression) throws LagbenchException;

    /** Creates what cuts received streams into chunks, decodes and records them. */
    StreamFramer newFramer(SideConfig config) throws LagbenchException;

    /** Returns the implementation on the class path. */
    static PieceCompression load() {
        return ServiceLoader.load(PieceCompression.class)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the class path has no implementation of compression"));
    }
}
