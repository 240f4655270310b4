package org.lagbench.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stream of events of a live page: what its readers get, and when it ends. */
@Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LiveEventsTest extends LiveServerFixture {
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
        await().atMost(Duration.ofMinutes(2)).until(() -> {
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
            await().atMost(Duration.ofMinutes(2)).until(() -> log.clients() == 2);
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
}
