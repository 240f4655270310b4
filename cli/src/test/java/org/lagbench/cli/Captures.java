package org.lagbench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.run.RunRecord;

/** Writes sessions of runs whose packets all took 700 ns, without sending any. */
public final class Captures {
    private static final long EPOCH_NS = 1_790_000_000_000_000_000L;

    private Captures() {}

    /** Writes a session below a directory. */
    public static Path session(Path directory, int packets) throws IOException {
        Path session = directory.resolve("session");
        run(session.resolve("runs/0001-udp-24-r1"), packets);
        return session;
    }

    /** Writes a session whose runs are the repeats of one point, with a packet each of these times. */
    static Path session(Path session, long... intervalsNs) throws IOException {
        for (int repeat = 1; repeat <= intervalsNs.length; repeat++) {
            run(session.resolve("runs/000" + repeat + "-udp-24-r" + repeat), 100, repeat, intervalsNs[repeat - 1]);
        }
        return session;
    }

    static Path run(Path run, int packets) throws IOException {
        return run(run, packets, 1, 1_000);
    }

    private static Path run(Path run, int packets, int repeat, long intervalNs) throws IOException {
        Files.createDirectories(run);
        try (SenderCapture sender = SenderCapture.create(run.resolve(SenderCapture.FILE_NAME), packets, false);
                ReceiverCapture receiver =
                        ReceiverCapture.create(run.resolve(ReceiverCapture.FILE_NAME), packets, false)) {
            for (int i = 0; i < packets; i++) {
                long sentNs = EPOCH_NS + i * intervalNs;
                sender.append(i, SenderCapture.UNSCHEDULED, sentNs, sentNs + 1);
                receiver.append(i, sentNs + 700, 0);
            }
        }
        Files.writeString(
                run.resolve(RunRecord.FILE_NAME),
                RECORD.replace("NAME", String.valueOf(run.getFileName()))
                        .replace("REPEAT", Integer.toString(repeat))
                        .replace("PACKETS", Integer.toString(packets)));
        return run;
    }

    private static final String RECORD =
            """
            {"format": "lagbench-run-2", "run": {"name": "NAME", "point": {"transport": "udp",
             "packetBytes": 24, "packets": PACKETS, "warmUpPackets": 0,
             "pace": {"mode": "flood", "intervalNs": 0, "burst": 1},
             "traffic": {"kind": "one-way", "inFlight": 1, "replyTimeout": "PT1S", "transfer": null}, "settings": {},
             "program": {"engine": "java", "settings": {}, "jvmOptions": ""}, "observe": []}, "repeat": REPEAT,
             "stream": null}, "transportTitle": "UDP/IP", "state": "COMPLETE", "failure": null,
             "startedAt": "2026-11-20T00:00:00Z", "endedAt": "2026-11-20T00:00:01Z",
             "sender": {"host": "here", "bootId": "boot", "java": "17", "metadata": {}},
             "receiver": null, "counts": null, "clock": null, "machine": null, "lab": null}
            """;
}
