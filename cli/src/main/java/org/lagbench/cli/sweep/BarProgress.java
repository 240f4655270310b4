package org.lagbench.cli.sweep;

import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarStyle;
import org.lagbench.core.run.RunGroup;

/** A progress bar with the remaining time, for a terminal. */
final class BarProgress implements Progress {
    private static final int UPDATE_INTERVAL_MS = 500;

    private final PrintStream terminal;
    private final int columns;
    private final ProgressBar bar;
    private volatile String name = "";

    /**
     * Shows the bar.
     *
     * @param columns width of the terminal
     * @param remaining returns the remaining time of all runs; called on the bar's own thread
     */
    BarProgress(PrintStream terminal, int columns, int total, Supplier<Duration> remaining) {
        this.terminal = terminal;
        this.columns = columns;
        this.bar = ProgressBar.builder()
                .setTaskName("runs")
                .setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII)
                .setUpdateIntervalMillis(UPDATE_INTERVAL_MS)
                .setEtaFunction(state -> Optional.of(remaining.get()))
                .continuousUpdate()
                .setConsumer(new ConsoleProgressBarConsumer(terminal, columns - 1))
                .build();
    }

    @Override
    public void started(RunGroup run) {
        name = run.name();
        bar.setExtraMessage(" " + name);
    }

    @Override
    public void ended(RunGroup run, String result, Duration taken, Duration remaining) {
        bar.step();
    }

    @Override
    public void note(String sentence) {
        bar.setExtraMessage(" " + sentence);
    }

    @Override
    public void sent(SentPackets packets) {
        bar.setExtraMessage(
                " " + name + " " + packets.sent() + "/" + packets.packets() + " " + packets.perSecond() + "/s");
    }

    @Override
    public void error(String sentence) {
        bar.pause();
        terminal.print("\r" + " ".repeat(columns - 1) + "\r" + sentence + System.lineSeparator());
        terminal.flush();
        bar.resume();
    }

    @Override
    public void close() {
        bar.setExtraMessage("");
        bar.close();
    }
}
