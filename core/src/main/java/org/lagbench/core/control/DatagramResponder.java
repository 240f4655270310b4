package org.lagbench.core.control;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.StampedDatagrams;
import org.lagbench.core.failure.BackgroundThread;

/** The receiver's side of two-way exchanges by datagrams: a thread that answers {@link DatagramExchange}. */
public final class DatagramResponder implements AutoCloseable {
    private static final int WAIT_MS = 60_000;

    private final StampedDatagrams socket;
    private final ExchangeDatagram datagram;
    private final BackgroundThread thread = new BackgroundThread("clock-exchange", this::answerAll);

    private DatagramResponder(StampedDatagrams socket, SharedKey key) {
        this.socket = socket;
        this.datagram = new ExchangeDatagram(key);
    }

    /** Answers a request to open a socket. Returns null if this host does not support stamps. */
    public static @Nullable DatagramResponder open(ControlConnection connection, ControlMessage.OpenExchange request)
            throws IOException {
        DatagramResponder responder = start(connection, request);
        connection.write(new ControlMessage.ExchangeOpened(
                responder == null ? ControlMessage.ExchangeOpened.NONE : responder.port()));
        return responder;
    }

    private static @Nullable DatagramResponder start(ControlConnection connection, ControlMessage.OpenExchange request)
            throws IOException {
        StampedDatagrams socket = StampedDatagrams.open(connection.localAddress());
        if (socket == null) {
            return null;
        }
        try {
            socket.connect(new InetSocketAddress(connection.peerAddress(), request.port()));
        } catch (IOException e) {
            socket.close();
            return null; // the sender uses the control connection
        }
        DatagramResponder responder = new DatagramResponder(socket, connection.exchangeKey(request.nonce()));
        responder.thread.start();
        return responder;
    }

    int port() {
        return socket.port();
    }

    private void answerAll() {
        try {
            while (true) {
                long receivedNs = socket.receive(datagram.buffer(), WAIT_MS);
                if (datagram.is(ExchangeDatagram.REQUEST)) {
                    long number = datagram.number();
                    long repliedNs = socket.send(datagram.make(ExchangeDatagram.REPLY, number, 0, 0));
                    socket.send(datagram.make(ExchangeDatagram.STAMPS, number, receivedNs, repliedNs));
                }
            }
        } catch (IOException e) {
            return; // closed, or the sender has closed its socket: it uses the control connection
        }
    }

    /** Ends the thread. */
    @Override
    public void close() throws IOException {
        socket.end();
        thread.close();
        socket.close();
    }
}
