package org.lagbench.engines.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.driver.media.UdpChannelTransport;
import io.aeron.exceptions.AeronEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.core.run.PacketError;

class DriverTest {
    /** Aeron reports the error of a call as text only. */
    @Test
    void recognizesRefusedDatagram() {
        List<Throwable> reported = new ArrayList<>();
        UdpChannelTransport.onSendError(
                new IOException("Permission denied"),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 9),
                reported::add);
        assertThat(reported).hasSize(1);
        assertThat(Driver.failedSend(reported.get(0))).isEqualTo(PacketError.EACCES);
    }

    @Test
    void ignoresErrorOfReceivedDatagram() {
        assertThat(Driver.failedSend(new AeronEvent("channel error - Connection refused")))
                .isNull();
    }
}
