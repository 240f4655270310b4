package org.lagbench.packetio.socket;

import java.io.IOException;
import org.lagbench.packetio.transport.PacketAccounting;
import org.lagbench.packetio.transport.SocketIo;

/**
 * Finds the packets of a run in the data that its socket receives. One thread calls it. Allocates nothing per packet.
 */
public interface PacketFramer {
    /**
     * Waits for packets and passes each to the accounting.
     *
     * @return the number of packets, or {@link SocketIo#END}
     * @throws java.net.ProtocolException if a stream does not belong to the run; the message is a sentence
     */
    int receive(SocketIo io, PacketAccounting accounting) throws IOException;
}
