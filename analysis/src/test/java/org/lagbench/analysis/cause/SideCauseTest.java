package org.lagbench.analysis.cause;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lagbench.analysis.cause.SideCause.Role;
import org.lagbench.core.cause.Cause;

class SideCauseTest {
    @Test
    void groupsOwnThreadsBySide() {
        SideCause atReceiver = cause(Role.RECEIVER, "stall-meter").grouped();
        assertThat(atReceiver.title()).isEqualTo("Run queue: lagbench (own threads)");
        assertThat(cause(Role.RECEIVER, "control-51120").grouped()).isEqualTo(atReceiver);
        assertThat(cause(Role.RECEIVER, "clock-step-moni").grouped()).isEqualTo(atReceiver);
        assertThat(cause(Role.RECEIVER, "sender-output").grouped()).isEqualTo(atReceiver);
        assertThat(cause(Role.RECEIVER, "lagbench-onc-rp").grouped()).isEqualTo(atReceiver);
        assertThat(cause(Role.SENDER, "heartbeat").grouped()).isNotEqualTo(atReceiver);
    }

    @Test
    void namesProgramsOfThePath() {
        assertThat(cause(Role.SENDER, "lagbench-relay").grouped().title()).isEqualTo("Run queue: lagbench-relay");
        assertThat(cause(Role.SENDER, "lagbench-flow").grouped().title()).isEqualTo("Run queue: lagbench-flow");
    }

    @Test
    void groupsThreadsOfTheCompiler() {
        assertThat(cause(Role.SENDER, "C1 CompilerThre").grouped())
                .isEqualTo(cause(Role.SENDER, "C2 CompilerThre").grouped());
    }

    @Test
    void groupsIdleCpus() {
        SideCause idle = cause(Role.SENDER, "swapper/0");
        assertThat(idle.grouped()).isEqualTo(cause(Role.SENDER, "swapper/13").grouped());
        assertThat(List.of(idle.title(), idle.grouped().title())).containsOnly("Wake-up of an idle CPU");
    }

    @Test
    void namesSingleThreads() {
        assertThat(cause(Role.SENDER, "heartbeat").title()).isEqualTo("Run queue: lagbench (heartbeat)");
        assertThat(cause(Role.SENDER, "C2 CompilerThre").title()).isEqualTo("Run queue: JIT compiler");
        assertThat(new SideCause(Role.SENDER, Cause.COMPILATION, "C2 CompilerThre").title())
                .isEqualTo("JIT compilation");
        assertThat(cause(Role.SENDER, "control-panel").title()).isEqualTo("Run queue: control-panel");
        assertThat(cause(Role.SENDER, "ffmpeg").grouped()).isEqualTo(cause(Role.SENDER, "ffmpeg"));
    }

    private static SideCause cause(Role side, String program) {
        return new SideCause(side, Cause.RUN_QUEUE, program);
    }
}
