package org.lagbench.engines.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.netty.channel.EventLoopGroup;
import io.netty.util.internal.PlatformDependent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lagbench.core.recorder.PacketThread;

/** What an event loop has done before the first packet arrives. */
class NettyIoTest {
    @ParameterizedTest
    @EnumSource(NettyIo.class)
    void eventLoopReadsItsOwnDatagram(NettyIo io) {
        assumeTrue(io.unavailabilityCause() == null);
        EventLoopGroup eventLoop = io.newEventLoop();
        try {
            assertThat(io.readOwnDatagram(eventLoop)).isTrue();
        } finally {
            NettyIo.end(eventLoop);
        }
    }

    @Test
    void findsThreadOfEventLoopUntilItEnds() throws Exception {
        EventLoopGroup eventLoop = NettyIo.NIO.newEventLoop();
        try {
            PacketThread thread = NettyIo.threadOf(eventLoop);
            assertThat(thread).isNotNull();
            assertThat(thread.directory().resolve("comm")).content().startsWith("netty-loop");
        } finally {
            NettyIo.end(eventLoop);
        }
        assertThat(NettyIo.threadOf(eventLoop)).isNull();
    }

    /** Netty's first event of JFR took the event loop 300 ms on an idle machine, and all packets of a short run. */
    @Test
    void eventLoopRecordsNoJfrEvents() {
        assertThat(NettyIo.values()).isNotEmpty();

        assertThat(PlatformDependent.isJfrEnabled()).isFalse();
    }
}
