package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;

@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LiveServerTest extends LiveServerFixture {
    private static final String SECRET = "0123456789abcdef";

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
