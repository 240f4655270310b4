package org.lagbench.receiver;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.lagbench.control.Access;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;

/** A receiver in this process, at a port of 127.0.0.1. */
public final class LoopbackReceiver implements AutoCloseable {
    /** The only site to which agents here send. */
    private static final Endpoint SITE = new Endpoint("192.0.2.8", 5394);

    private final ReceiverServer server;
    private final CompletableFuture<ExitCode> serving;

    /** @param port 0 for any free port */
    public LoopbackReceiver(Path directory, int port) throws LagbenchException {
        this(directory, port, new SenderPrograms(List.of(), null, ClockPolicy.DEFAULT.chrony()));
    }

    /** Returns an agent whose sender is a shell script, which reads requests of runs. */
    public static LoopbackReceiver agent(Path directory, String script) throws LagbenchException {
        return new LoopbackReceiver(
                directory,
                0,
                new SenderPrograms(List.of("sh", "-c", script, "sh"), null, Endpoint.parse("127.0.0.1:1")));
    }

    private LoopbackReceiver(Path directory, int port, SenderPrograms senders) throws LagbenchException {
        server = new ReceiverServer(
                new Endpoint("127.0.0.1", port),
                new Access(Access.of(null, Set.of(Access.Grant.values())).permissions(), Set.of(SITE)),
                LocalEnd.ANY,
                directory,
                new ChronyClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), ChronyClient.DEFAULT_PORT)),
                senders);
        serving = CompletableFuture.supplyAsync(
                () -> server.serve(Long.MAX_VALUE), task -> new Thread(task, "serving").start());
    }

    public Endpoint endpoint() {
        return server.endpoint();
    }

    @Override
    public void close() throws ExecutionException {
        server.close();
        Uninterruptibly.get(serving);
    }
}
