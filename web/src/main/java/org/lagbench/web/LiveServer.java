package org.lagbench.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;

/**
 * Serves a live page to browsers: its files, its data, and its events as a stream of server-sent events. Only GET is
 * answered. Without a key it listens on this machine only, and answers only its own user.
 */
public final class LiveServer implements AutoCloseable {
    /** The maximum number of clients that get events at the same time. */
    public static final int MAX_CLIENTS = 50;

    /** The default port of the page. */
    public static final int DEFAULT_PORT = 5396;

    private static final String EVENTS = "/events";
    private static final int OTHER_THREADS = 14;
    private static final int BACKLOG = 64;
    private static final long HEARTBEAT_S = 15;
    private static final long DRAIN_S = 2;

    /** Seconds that a request may take to arrive; read once by the JDK's server. */
    private static final String REQUEST_LIMIT = "sun.net.httpserver.maxReqTime";

    /** Whether an event leaves before the earlier one was acknowledged; read once by the JDK's server. */
    private static final String NO_DELAY = "sun.net.httpserver.nodelay";

    private static final String POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:;"
            + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    private final HttpServer server;
    private final RequestThreads threads = new RequestThreads(MAX_CLIENTS + OTHER_THREADS);
    private final Semaphore places = new Semaphore(MAX_CLIENTS);
    private final LiveAccess access;
    private final Map<String, LiveResponse> files;
    private final Map<String, LiveResponse.Source> sources;
    private final EventLog events;

    private LiveServer(
            HttpServer server,
            LiveAccess access,
            LivePage page,
            Map<String, LiveResponse.Source> sources,
            EventLog events) {
        this.server = server;
        this.access = access;
        this.files = page.files();
        this.sources = Map.copyOf(sources);
        this.events = events;
    }

    /**
     * Starts a server.
     *
     * @param endpoint where it listens; port 0 selects a free one
     * @param key null if only this machine may read the page
     * @param sources the data of the page by path
     * @throws LagbenchException if the endpoint cannot be used
     */
    public static LiveServer start(
            Endpoint endpoint,
            @Nullable SharedKey key,
            LivePage page,
            Map<String, LiveResponse.Source> sources,
            EventLog events)
            throws LagbenchException {
        InetSocketAddress address = endpoint.resolve();
        if (key == null && !address.getAddress().isLoopbackAddress()) {
            throw new LagbenchException(
                    ExitCode.KEY,
                    "The live page listens on " + endpoint.host()
                            + " only with a key, as other hosts reach it there; give --live-key FILE.");
        }
        System.setProperty(REQUEST_LIMIT, "10");
        System.setProperty(NO_DELAY, "true");
        try {
            HttpServer server = HttpServer.create(address, BACKLOG);
            LiveServer live = new LiveServer(server, new LiveAccess(key, server.getAddress()), page, sources, events);
            server.setExecutor(live.threads);
            server.createContext("/", live::handle);
            server.start();
            return live;
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE,
                    "The live page cannot listen on " + endpoint + ": " + IoErrors.reason(e)
                            + ". Select another port with --live PORT; 0 selects a free one.",
                    e);
        }
    }

    /** Returns the page's address. */
    public String address() {
        return "http://" + Endpoint.of(server.getAddress()) + "/";
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        LiveResponse refusal =
                access.refusal(exchange.getRequestHeaders(), exchange.getRemoteAddress(), exchange.getLocalAddress());
        if (refusal != null) {
            exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"lagbench\", charset=\"UTF-8\"");
            send(exchange, refusal);
        } else if (!exchange.getRequestMethod().equals("GET")) {
            exchange.getResponseHeaders().set("Allow", "GET");
            send(exchange, LiveResponse.refusal(405, "Only GET is answered."));
        } else if (!EVENTS.equals(path)) {
            send(exchange, answer(path, exchange));
        } else if (places.tryAcquire()) {
            threads.keep();
            try {
                stream(exchange);
            } finally {
                places.release();
            }
        } else {
            exchange.getResponseHeaders().set("Retry-After", "5");
            send(exchange, LiveResponse.refusal(503, "The page has " + MAX_CLIENTS + " readers already."));
        }
    }

    private LiveResponse answer(String path, HttpExchange exchange) {
        LiveResponse file = files.get(path);
        LiveResponse.Source source = sources.get(path);
        if (file != null) {
            return file;
        }
        if (source == null) {
            return LiveResponse.refusal(404, "There is no such page.");
        }
        try {
            return source.answer(
                    parameters(exchange.getRequestURI().getRawQuery()),
                    String.join(",", exchange.getRequestHeaders().getOrDefault("Accept", List.of())));
        } catch (IllegalArgumentException e) {
            return LiveResponse.refusal(400, String.valueOf(e.getMessage()));
        } catch (IOException | LagbenchException e) {
            return LiveResponse.refusal(500, IoErrors.reason(e));
        }
    }

    private static Map<String, String> parameters(@Nullable String query) {
        Map<String, String> parameters = new HashMap<>();
        for (String part : query == null ? new String[0] : query.split("&")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parameters.put(
                        part.substring(0, equals),
                        URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
            }
        }
        return parameters;
    }

    private static void send(HttpExchange exchange, LiveResponse response) throws IOException {
        try (exchange) {
            setHeaders(exchange, response.type());
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.sendResponseHeaders(response.status(), -1);
                return;
            }
            byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static void setHeaders(HttpExchange exchange, String type) {
        Headers headers = exchange.getResponseHeaders();
        headers.set("Content-Type", type);
        headers.set("Cache-Control", "no-store");
        headers.set("Content-Security-Policy", POLICY);
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("Referrer-Policy", "no-referrer");
    }

    /** Writes events until the client leaves, is dropped, or the log ends. */
    private void stream(HttpExchange exchange) throws IOException {
        boolean isDropped = false;
        try (EventLog.Subscription subscription =
                events.subscribe(exchange.getRequestHeaders().getFirst("Last-Event-ID"))) {
            setHeaders(exchange, "text/event-stream");
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            for (String event = subscription.next(HEARTBEAT_S); event != null; event = subscription.next(HEARTBEAT_S)) {
                body.write(event.getBytes(StandardCharsets.UTF_8));
                if (!subscription.hasNext()) {
                    body.flush();
                }
            }
        } catch (InterruptedException e) {
            isDropped = true;
        } finally {
            if (isDropped) {
                Thread.currentThread().interrupt(); // so that writing the last chunk closes the socket
            }
            exchange.close();
            Thread.interrupted(); // the thread serves further requests
        }
    }

    /** Ends the streams after their pending events, and stops. */
    @Override
    public void close() {
        events.close();
        threads.shutdown();
        try {
            threads.awaitTermination(DRAIN_S, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        server.stop(0);
        threads.shutdownNow();
    }

    /**
     * The threads of a live page, one for each request while it arrives and is answered. If all are used, a new request
     * replaces the oldest one that the client has not completely sent or has not completely read the reply to.
     * Thread-safe.
     */
    private static final class RequestThreads extends ThreadPoolExecutor {
        private static final long IDLE_S = 10;
        private static final long HANDOVER_S = 1;

        /** The threads whose request has not been answered, except those that send events, the oldest first. */
        private final Set<Thread> open = new LinkedHashSet<>();

        RequestThreads(int maximum) {
            super(0, maximum, IDLE_S, TimeUnit.SECONDS, new SynchronousQueue<>());
            AtomicInteger started = new AtomicInteger();
            setThreadFactory(task -> {
                Thread thread = new Thread(task, "live-page-" + started.incrementAndGet());
                thread.setDaemon(true);
                return thread;
            });
            setRejectedExecutionHandler((task, threads) -> replaceOldest(task));
        }

        /** Interrupts the thread of the oldest open request, which closes its connection, and hands it the new one. */
        private void replaceOldest(Runnable task) {
            synchronized (open) {
                Iterator<Thread> oldest = open.iterator();
                if (!isShutdown() && oldest.hasNext()) {
                    oldest.next().interrupt();
                    oldest.remove();
                }
            }
            try {
                if (!isShutdown() && getQueue().offer(task, HANDOVER_S, TimeUnit.SECONDS)) {
                    return;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new RejectedExecutionException("all threads of the live page are used");
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            synchronized (open) {
                open.add(thread);
            }
        }

        @Override
        protected void afterExecute(Runnable task, @Nullable Throwable failure) {
            keep();
        }

        /** Protects the request of the current thread from being replaced. */
        void keep() {
            synchronized (open) {
                open.remove(Thread.currentThread());
            }
        }
    }
}
