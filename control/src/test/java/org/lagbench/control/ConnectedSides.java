package org.lagbench.control;

import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.lagbench.control.Access.Grant;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;

/** A sender and a receiver with a control connection over loopback. */
abstract class ConnectedSides {
    static final SharedKey KEY = key("a key of more than sixteen bytes");
    static final SharedKey OTHER_KEY = key("another key of the same length!!");

    ServerSocket server;
    Socket senderSocket;
    Socket receiverSocket;
    ControlConnection sender;
    ControlConnection receiver;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        senderSocket = new Socket(server.getInetAddress(), server.getLocalPort());
        receiverSocket = server.accept();
        sender = ControlConnection.ofSender(senderSocket);
        receiver = ControlConnection.ofReceiver(receiverSocket);
    }

    @AfterEach
    void close() throws IOException {
        sender.close();
        receiver.close();
        server.close();
    }

    /** The exception of the sender's side of the handshake, or null. */
    @Nullable
    Throwable handshake(@Nullable SharedKey sendersKey, @Nullable SharedKey receiversKey) throws Exception {
        CompletableFuture<@Nullable Throwable> receiving = inBackground(() -> {
            try {
                Handshake.authenticate(receiver, Access.of(receiversKey, Grant.DEFAULT));
            } catch (LagbenchException e) {
                receiver.close();
            }
        });
        Throwable thrown = catchThrowable(() -> Handshake.introduce(sender, sendersKey));
        if (thrown != null) {
            sender.close();
        }
        receiving.get(60, TimeUnit.SECONDS);
        return thrown;
    }

    static CompletableFuture<@Nullable Throwable> inBackground(ThrowingCallable work) {
        return CompletableFuture.supplyAsync(
                () -> catchThrowable(work), task -> new Thread(task, "background").start());
    }

    static SharedKey key(String text) {
        return new SharedKey(text.getBytes(StandardCharsets.US_ASCII));
    }
}
