package org.lagbench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.summary.RunDirectory;
import org.lagbench.analysis.summary.Session;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.core.timeseries.SeriesIndex;
import org.lagbench.core.timeseries.SeriesInfo;
import picocli.CommandLine.Command;

/** {@code lagbench verify}: compares the files of a session with their checksums. */
@Listed(in = HelpSection.RESULTS, order = 70)
@Command(
        name = "verify",
        description = {
            "Compare the files of a session, of its runs directory, or of one run with their checksums, which were"
                    + " written when each run ended. Without checksums, only check that the run can be read. The same"
                    + " for the series of a monitor's session.",
            "",
            "Ends with exit code 7 if a file is damaged. The other commands leave damaged files out and name them."
        },
        footer = {"  lagbench verify results/quickstart-20260101T120000Z"})
public final class VerifyCommand extends SessionCommand {
    @Override
    public Integer call() throws LagbenchException {
        if (SeriesIndex.isIn(directory())) {
            return verifySeries();
        }
        Session session = openSession();
        session.damage().forEach((file, what) -> out().println(session.name() + ": " + file + " " + what + "."));
        int damaged = 0;
        int withoutChecksums = 0;
        for (RunDirectory run : session.runs()) {
            List<String> faults = faults(run);
            boolean hasChecksums = Files.exists(run.path().resolve(Checksums.FILE_NAME));
            damaged += faults.isEmpty() ? 0 : 1;
            withoutChecksums += hasChecksums ? 0 : 1;
            if (faults.isEmpty()) {
                out().println(run.name() + ": " + (hasChecksums ? "intact" : "readable, but without checksums")
                        + (hasCaptures(run) ? "." : "; it has no captures."));
            }
            faults.forEach(fault -> out().println(run.name() + ": " + fault + (fault.endsWith(".") ? "" : ".")));
        }
        int runs = session.runs().size();
        out().println((runs == 1 ? "1 run, " : runs + " runs, ") + damaged + " damaged, " + withoutChecksums
                + " without checksums.");
        return (damaged > 0 || !session.damage().isEmpty() ? ExitCode.FILES : ExitCode.OK).code();
    }

    /** Verifies the files of a monitor's session, which a monitor may be continuing. */
    private int verifySeries() throws LagbenchException {
        Path series = directory().resolve(SeriesFiles.DIRECTORY);
        Checksums checksums = Checksums.read(series);
        Checksums ofSession = Checksums.read(directory());
        Map<String, String> faults = new TreeMap<>(ofSession == null ? Map.of() : ofSession.damage(directory()));
        faults.putAll(checksums == null ? Map.of() : checksums.damage(series));
        int files = 0;
        int withoutChecksums = 0;
        for (SeriesInfo info : SeriesIndex.read(directory()).series()) {
            for (Path file : SeriesFiles.of(directory(), info.name())) {
                String name = String.valueOf(file.getFileName());
                String fault = SeriesFiles.fault(file);
                if (fault != null) {
                    faults.putIfAbsent(name, fault);
                }
                files++;
                withoutChecksums += checksums != null && checksums.files().containsKey(name) ? 0 : 1;
            }
        }
        faults.forEach((file, fault) -> out().println(file + " " + fault + "."));
        out().println(files + (files == 1 ? " file of series, " : " files of series, ") + faults.size() + " damaged, "
                + withoutChecksums + " without checksums.");
        return (faults.isEmpty() ? ExitCode.OK : ExitCode.FILES).code();
    }

    /** Returns whether a side has written a capture. A run that failed before its first packet has none. */
    private static boolean hasCaptures(RunDirectory run) {
        return Stream.of(SenderCapture.FILE_NAME, ReceiverCapture.FILE_NAME)
                .anyMatch(file -> Files.exists(run.path().resolve(file)));
    }

    private static List<String> faults(RunDirectory run) {
        List<String> faults = new ArrayList<>();
        String problem = run.problem();
        if (problem != null && Files.exists(run.path().resolve(RunRecord.FILE_NAME))) {
            faults.add(problem);
        }
        run.damage().forEach((file, what) -> faults.add(file + " " + what));
        RunRecord record = run.record();
        if (faults.isEmpty() && record != null && record.state() == RunRecord.State.COMPLETE) {
            try (JoinedRun captures = run.open()) {
                String mismatch = run.mismatch(captures);
                if (mismatch != null) {
                    faults.add(mismatch);
                }
            } catch (LagbenchException e) {
                faults.add(e.sentence());
            }
        }
        return faults;
    }
}
