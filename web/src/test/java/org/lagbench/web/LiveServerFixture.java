package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;

/** A server of live pages with its log of events, and its clients. */
abstract class LiveServerFixture {
    static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);

    private final HttpClient client = HttpClient.newHttpClient();
    EventLog log = new EventLog(1_000);
    LiveServer server = start(ANY_PORT, null);

    @AfterEach
    void stop() {
        server.close();
    }

    LiveServer start(Endpoint endpoint, @Nullable SharedKey key) {
        LiveResponse large = LiveResponse.json("x".repeat(5_000_000));
        try {
            return LiveServer.start(
                    endpoint,
                    key,
                    LivePage.SWEEP,
                    Map.of(
                            "/echo",
                            (query, accept) -> LiveResponse.json(Integer.parseInt(query.get("n"))),
                            "/large",
                            (query, accept) -> large),
                    log);
        } catch (LagbenchException e) {
            throw new AssertionError(e);
        }
    }

    int port() {
        return URI.create(server.address()).getPort();
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.address()).resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** A client of the events. */
    record Reader(InputStream stream, BufferedReader lines) implements AutoCloseable {
        /** Returns the next lines that begin with these words, or "end". */
        List<String> next(int count, String... beginnings) throws IOException {
            List<String> found = new ArrayList<>();
            while (found.size() < count) {
                String line = lines.readLine();
                if (line == null) {
                    found.add("end");
                    break;
                }
                if (Stream.of(beginnings).anyMatch(line::startsWith)) {
                    found.add(line);
                }
            }
            return found;
        }

        @Override
        public void close() throws IOException {
            stream.close();
        }
    }

    Reader events(String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.address()).resolve("/events"));
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<InputStream> response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
        return new Reader(
                response.body(), new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8)));
    }

    /** Writes bytes to the server as they are, and returns its reply. */
    String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }
}
