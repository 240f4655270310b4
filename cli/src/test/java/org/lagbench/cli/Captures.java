package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.run.RunRecord;

/** Writes sessions of one run whose packets all took 700 ns, without sending any. */
final class Captures {
    private static final long EPOCH_NS = 1_790_000_000_000_000_000L;

    private Captures() {}

    /** Writes a session below a directory. */
    static Path session(Path directory, int packets) throws IOException {
        Path session = directory.resolve("session");
        run(session.resolve("runs/0001-udp-24-r1"), packets);
        return session;
    }

    static Path run(Path run, int packets) throws IOException {
        Files.createDirectories(run);
        try (SenderCapture sender = SenderCapture.create(run.resolve(SenderCapture.FILE_NAME), packets, false);
                ReceiverCapture receiver =
                        ReceiverCapture.create(run.resolve(ReceiverCapture.FILE_NAME), packets, false)) {
            for (int i = 0; i < packets; i++) {
                long sentNs = EPOCH_NS + i * 1_000L;
                sender.append(i, SenderCapture.UNSCHEDULED, sentNs, sentNs + 1);
                receiver.append(i, sentNs + 700, 0);
            }
        }
        Files.writeString(
                run.resolve(RunRecord.FILE_NAME),
                RECORD.replace("NAME", String.valueOf(run.getFileName()))
                        .replace("PACKETS", Integer.toString(packets)));
        return run;
    }

    private static final String RECORD =
            """
            {"format": "lagbench-run-1", "name": "NAME", "transport": "udp", "transportTitle": "UDP/IP",
             "packetBytes": 24, "packets": PACKETS, "warmUpPackets": 0, "repeat": 1, "paceMode": "flood",
             "paceIntervalNs": 0, "settings": {}, "engine": "java", "jvm": "", "state": "COMPLETE", "failure": null,
             "startedAt": "2026-11-20T00:00:00Z", "endedAt": "2026-11-20T00:00:01Z",
             "sender": {"host": "here", "bootId": "boot", "java": "17", "metadata": {}},
             "receiver": null, "counts": null, "clock": null}
            """;
}
