package org.lagbench.analysis.series;

import java.util.List;

/** The series that there are. */
public final class AllSeries {
    /** The time from sending to receiving. */
    public static final Series TRANSMIT_LAG = new TransmitLag();

    /** The inter-packet delay at the sender. */
    public static final Series SEND_DELAY = new SendDelay();

    /** The inter-packet delay at the receiver. */
    public static final Series RECEIVE_DELAY = new ReceiveDelay();

    /** How late packets were sent. */
    public static final Series LATENESS = new Lateness();

    /** The time from the scheduled sending to receiving. */
    public static final Series LAG_FROM_SCHEDULE = new LagFromSchedule();

    /** All, in the order of tables and files. */
    public static final List<Series> IN_ORDER =
            List.of(TRANSMIT_LAG, SEND_DELAY, RECEIVE_DELAY, LATENESS, LAG_FROM_SCHEDULE);

    private AllSeries() {}
}
