package org.lagbench.core.cause;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EventLogTest {
    private static final int HALF = EventLog.CAPACITY / 2;

    private final EventLog log = new EventLog();

    private void add(Cause cause, int count) {
        long[] wait = new long[SchedulerRecord.FIELDS];
        wait[0] = cause.code();
        for (int i = 0; i < count; i++) {
            log.addAll(wait, 1);
        }
    }

    @Test
    void countsSleepsBeyondHalfOfCapacity() {
        add(Cause.WIRE_OR_WAKE_UP, HALF + 3);
        assertThat(log.size()).isEqualTo(HALF);
        assertThat(log.forgotten()).isEqualTo(3);

        add(Cause.RUN_QUEUE, HALF + 1);
        assertThat(log.size()).isEqualTo(EventLog.CAPACITY);
        assertThat(log.forgotten()).isEqualTo(4);
    }
}
