package org.lagbench.runner.sweep;

import java.io.IOException;
import java.nio.file.Path;

/** Scheduling of threads that must not delay packets. */
final class IdleScheduling {
    private IdleScheduling() {}

    /**
     * Gives the calling thread the policy SCHED_IDLE, by chrt of util-linux: it runs when no other thread needs its
     * processor. Not for a JVM that moves packets: its safepoints would wait for such a thread.
     *
     * @return whether the thread has the policy; false if chrt is missing or fails
     */
    static boolean begin() {
        try {
            String thread =
                    Path.of("/proc/thread-self").toRealPath().getFileName().toString();
            return new ProcessBuilder("chrt", "--idle", "--pid", "0", thread)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
