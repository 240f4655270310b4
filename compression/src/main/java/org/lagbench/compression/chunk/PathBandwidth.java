package org.lagbench.compression.chunk;

import java.io.IOException;
import org.lagbench.core.text.Units;

/** An estimate of the bandwidth that a connection gets. One thread calls all methods; they allocate nothing. */
interface PathBandwidth {
    /** Begins a connection; see {@link ChunkChooser#connected}. The estimate of the bandwidth is kept. */
    void connected(long previousBytes);

    /** Updates the estimate with the state of the connection. */
    void progress(SocketState state);

    /** Returns whether earlier chunks were not all acknowledged at the last call of {@link #progress}. */
    boolean hasBacklog();

    /** Returns the bandwidth in bits per second; {@link ChunkChooser#UNKNOWN} at first. */
    double bitsPerS();

    /** Returns whether there is an estimate. */
    default boolean isKnown() {
        return bitsPerS() > 0;
    }

    /** Returns the time to transmit a number of bytes, in ns. The bandwidth must be known. */
    default double transmissionNs(double bytes) {
        return Units.BITS_PER_BYTE * Units.NS_PER_S * bytes / bitsPerS();
    }

    /** Releases the resources of the estimate. */
    default void close() throws IOException {}
}
