package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lagbench.analysis.cause.SideCause.RunSide;
import org.lagbench.core.cause.Cause;

class SideCauseTest {
    @Test
    void groupsOwnThreadsBySide() {
        SideCause atReceiver = cause(RunSide.RECEIVER, "stall-meter").grouped();
        assertThat(atReceiver.title()).isEqualTo("Run queue: lagbench (own threads)");
        assertThat(cause(RunSide.RECEIVER, "control-51120").grouped()).isEqualTo(atReceiver);
        assertThat(cause(RunSide.RECEIVER, "clock-step-moni").grouped()).isEqualTo(atReceiver);
        assertThat(cause(RunSide.RECEIVER, "sender-output").grouped()).isEqualTo(atReceiver);
        assertThat(cause(RunSide.SENDER, "heartbeat").grouped()).isNotEqualTo(atReceiver);
    }

    @Test
    void groupsThreadsOfTheCompiler() {
        assertThat(cause(RunSide.SENDER, "C1 CompilerThre").grouped())
                .isEqualTo(cause(RunSide.SENDER, "C2 CompilerThre").grouped());
    }

    @Test
    void namesSingleThreads() {
        assertThat(cause(RunSide.SENDER, "heartbeat").title()).isEqualTo("Run queue: lagbench (heartbeat)");
        assertThat(cause(RunSide.SENDER, "C2 CompilerThre").title()).isEqualTo("Run queue: JIT compiler");
        assertThat(new SideCause(RunSide.SENDER, Cause.COMPILATION, "C2 CompilerThre").title())
                .isEqualTo("JIT compilation");
        assertThat(cause(RunSide.SENDER, "control-panel").title()).isEqualTo("Run queue: control-panel");
        assertThat(cause(RunSide.SENDER, "ffmpeg").grouped()).isEqualTo(cause(RunSide.SENDER, "ffmpeg"));
    }

    private static SideCause cause(RunSide side, String program) {
        return new SideCause(side, Cause.RUN_QUEUE, program);
    }
}
