package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LiveServerTest {
    private static final Endpoint ANY_PORT = new Endpoint("127.0.0.1", 0);
    private static final String SECRET = "0123456789abcdef";

    private final HttpClient client = HttpClient.newHttpClient();
    private EventLog log = new EventLog(1_000);
    private LiveServer server = start(ANY_PORT, null);

    @AfterEach
    void stop() {
        server.close();
    }

    private LiveServer start(Endpoint endpoint, @Nullable SharedKey key) {
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

    private int port() {
        return URI.create(server.address()).getPort();
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.address()).resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    /** A client of the events. */
    private record Reader(InputStream stream, BufferedReader lines) implements AutoCloseable {
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

    private Reader events(String... headers) throws Exception {
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
    private String raw(String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Test
    void servesPageThatMayRequestOnlyItself() throws Exception {
        HttpResponse<String> page = get("/");
        assertThat(page.statusCode()).isEqualTo(200);
        assertThat(page.body()).startsWith("<!DOCTYPE html>").doesNotContain("http:", "https:");
        assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                .startsWith("default-src 'none'; script-src 'self';");
        for (String file : List.of("live.css", "live.js", "charts.js", "sweep.js")) {
            assertThat(get("/" + file).statusCode()).as(file).isEqualTo(200);
        }
    }

    @Test
    void repeatsEventsForLaterClient() throws Exception {
        log.keep("{\"n\":1}");
        log.pass("{\"n\":2}");
        log.keep("{\"n\":3}");
        try (Reader reader = events()) {
            assertThat(reader.next(5, "retry", "event", "data: {"))
                    .containsExactly(
                            "retry: 1000", "event: reset", "data: {\"n\":1}", "data: {\"n\":2}", "data: {\"n\":3}");
            log.pass("{\"n\":4}");
            assertThat(reader.next(1, "data: {")).containsExactly("data: {\"n\":4}");
        }
    }

    @Test
    void continuesAfterLastEventOfClient() throws Exception {
        log.keep("1");
        log.keep("2");
        String id;
        try (Reader reader = events()) {
            id = reader.next(2, "id: ").get(1).substring("id: ".length());
        }
        log.pass("3");
        try (Reader reader = events("Last-Event-ID", id)) {
            assertThat(reader.next(1, "event", "data")).containsExactly("data: 3");
        }
    }

    @Test
    void resetsClientThatMissedForgottenEvents() throws Exception {
        log = new EventLog(2);
        server.close();
        server = start(ANY_PORT, null);
        log.keep("first");
        String id;
        try (Reader reader = events()) {
            id = reader.next(1, "id: ").get(0).substring("id: ".length());
        }
        for (int i = 0; i < 5; i++) {
            log.pass("passing " + i);
        }
        try (Reader reader = events("Last-Event-ID", id)) {
            assertThat(reader.next(5, "event", "data"))
                    .containsExactly("event: reset", "data:", "data: first", "data: passing 3", "data: passing 4");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"other-1", "x", "-", "9999999999999999999999", "a-99999999999999999999"})
    void resetsClientOfAnotherServer(String id) throws Exception {
        log.keep("1");
        try (Reader reader = events("Last-Event-ID", id)) {
            assertThat(reader.next(3, "event", "data")).containsExactly("event: reset", "data:", "data: 1");
        }
    }

    @Test
    void servesFiftyClientsAndRefusesOneMore() throws Exception {
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < LiveServer.MAX_CLIENTS; i++) {
            readers.add(events());
        }
        HttpResponse<String> refused = get("/events");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("50 readers");
        assertThat(get("/").statusCode()).as("other requests").isEqualTo(200);
        for (int i = 0; i < 20; i++) {
            log.pass("event " + i);
        }
        for (Reader reader : readers) {
            List<String> got = reader.next(20, "data: e");
            assertThat(got).hasSize(20).endsWith("data: event 19");
        }
        readers.get(0).close();
        await().until(() -> {
            log.pass("x"); // a closed connection is noticed by writing
            return log.clients() < LiveServer.MAX_CLIENTS;
        });
        events().close();
        for (Reader reader : readers) {
            reader.close();
        }
    }

    @Test
    void dropsSlowClientAndKeepsOthers() throws Exception {
        try (Socket slow = new Socket();
                Reader fast = events()) {
            slow.setReceiveBufferSize(4096);
            slow.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
            slow.getOutputStream()
                    .write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> log.clients() == 2);
            String large = "x".repeat(20_000);
            int sent = 0;
            while (log.clients() == 2) {
                log.pass(large);
                sent++;
                fast.next(1, "data: x");
            }
            assertThat(sent).isGreaterThan(EventLog.Subscription.CAPACITY);
            log.pass("y");
            assertThat(fast.next(1, "data: y")).containsExactly("data: y");
            // the server has closed its end: what it wrote before is followed by the end of the stream or a reset
            slow.setSoTimeout(20_000);
            byte[] buffer = new byte[65_536];
            long got = 0;
            try {
                for (int n; (n = slow.getInputStream().read(buffer)) > 0; ) {
                    got += n;
                }
            } catch (SocketException e) {
                assertThat(e).hasMessageContaining("reset");
            }
            assertThat(got).isLessThan((long) sent * large.length());
        }
    }

    @Test
    void endsStreamsAfterLastEvent() throws Exception {
        try (Reader reader = events()) {
            log.keep("last");
            server.close();
            assertThat(reader.next(9, "data: l")).containsExactly("data: last", "end");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../pom.xml",
                "/%2e%2e/pom.xml",
                "/..%2f..%2fetc/passwd",
                "//etc/passwd",
                "/LiveServer.class",
                "/live.css/",
                "/sweep.html",
                "/favicon.ico"
            })
    void hasNoOtherFiles(String path) throws Exception {
        assertRefused(
                "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                404,
                "There is no such page.\n");
    }

    /**
     * Asserts that a request gets this refusal, or that of a JDK that serves nothing after a request it finds
     * malformed.
     */
    private void assertRefused(String request, int status, String body) throws IOException {
        String[] parts = raw(request).split("\r\n\r\n", 2);
        if (parts[0].startsWith("HTTP/1.1 400 ")) {
            assertThat(parts[1]).matches("<h1>400 Bad Request</h1>[\\w /:.]*");
        } else {
            assertThat(parts[0]).startsWith("HTTP/1.1 " + status + " ");
            assertThat(parts[1]).isEqualTo(body);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000\u0001\u00ff\r\n\r\n",
                "GET\r\n\r\n",
                "GET / HTTP/1.1\r\nHost\r\n\r\n",
                "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET / HTTP/9.9\r\n\r\n",
                "\r\n\r\n\r\n"
            })
    void servesPageAfterGarbage(String request) throws Exception {
        assertThat(raw(request)).doesNotContain("200 OK");
        assertThat(get("/").statusCode()).isEqualTo(200);
    }

    @Test
    void servesOthersDespiteUnfinishedRequests() throws Exception {
        List<Socket> unfinished = new ArrayList<>();
        try (Reader reader = events()) {
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), port());
                unfinished.add(socket);
                socket.getOutputStream().write("GET / HTTP/1.1\r\nHo".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(get("/").statusCode()).isEqualTo(200);
            log.keep("{\"event\":\"last\"}");
            assertThat(reader.next(1, "data: ")).singleElement().asString().contains("last");
        } finally {
            for (Socket socket : unfinished) {
                socket.close();
            }
        }
    }

    @Test
    void servesOthersDespiteClientsThatDoNotRead() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (Reader reader = events()) {
            for (int i = 0; i < 100; i++) {
                Socket socket = new Socket();
                slow.add(socket);
                socket.setReceiveBufferSize(4096);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
                socket.getOutputStream()
                        .write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
            assertThat(get("/").statusCode()).isEqualTo(200);
            log.keep("{\"event\":\"last\"}");
            assertThat(reader.next(1, "data: ")).singleElement().asString().contains("last");
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    @Test
    void answersOnlyGetAndValidParameters() throws Exception {
        assertThat(raw("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 405 ")
                .contains("Allow: GET");
        assertThat(get("/echo?n=7").body()).isEqualTo("7");
        assertThat(get("/echo?n=seven").statusCode()).isEqualTo(400);
        assertThat(get("/echo").statusCode()).isEqualTo(400);
    }

    /** A page of another site can make its name resolve to this machine. */
    @Test
    void refusesOtherNamesOfThisMachine() throws Exception {
        String refusal = "Open this page as 127.0.0.1 or localhost.\n";
        assertRefused("GET / HTTP/1.1\r\nHost: example.org:80\r\nConnection: close\r\n\r\n", 403, refusal);
        assertRefused("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 403, refusal);
        assertThat(raw("GET / HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void requiresKey() throws Exception {
        server.close();
        log = new EventLog(1);
        server = start(ANY_PORT, new SharedKey(SECRET.getBytes(StandardCharsets.US_ASCII)));
        for (String path : List.of("/", "/events", "/echo?n=1")) {
            HttpResponse<String> refused = get(path);
            assertThat(refused.statusCode()).isEqualTo(401);
            assertThat(refused.headers().firstValue("WWW-Authenticate").orElseThrow())
                    .startsWith("Basic ");
        }
        assertThat(get("/", "Authorization", basic("anyone:" + SECRET)).statusCode())
                .isEqualTo(200);
        assertThat(get("/", "Authorization", "Bearer " + SECRET).statusCode()).isEqualTo(200);
        for (String wrong :
                List.of(basic("a:" + SECRET + "x"), basic("a:"), basic(""), "Basic %", "Bearer ", "Digest x")) {
            assertThat(get("/", "Authorization", wrong).statusCode()).as(wrong).isEqualTo(401);
        }
    }

    private static String basic(String credentials) {
        return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void listensBeyondLoopbackOnlyWithKey() {
        assertThatThrownBy(() -> LiveServer.start(new Endpoint("0.0.0.0", 0), null, LivePage.SWEEP, Map.of(), log))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.KEY))
                .hasMessageContaining("--live-key");
    }

    @Test
    void reportsPortInUse() {
        assertThatThrownBy(
                        () -> LiveServer.start(new Endpoint("127.0.0.1", port()), null, LivePage.SWEEP, Map.of(), log))
                .isInstanceOfSatisfying(
                        LagbenchException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.UNAVAILABLE))
                .hasMessageContaining("127.0.0.1:" + port())
                .hasMessageContaining("--live PORT");
    }

    @Test
    void servesOnlyListedFiles() throws Exception {
        for (LivePage page : LivePage.values()) {
            assertThat(page.files())
                    .allSatisfy(
                            (path, file) -> assertThat(file.body()).isNotEmpty().doesNotContain("{name}", "{body}"));
        }
        try (Stream<Path> files = Files.list(Path.of("src/main/resources/org/lagbench/web"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "frame.html",
                            "live.css",
                            "live.js",
                            "sweep.html",
                            "sweep.js",
                            "monitor.html",
                            "monitor.js");
        }
    }
}
