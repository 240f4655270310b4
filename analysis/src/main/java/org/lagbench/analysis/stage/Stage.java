package org.lagbench.analysis.stage;

/**
 * Where a packet can be between its scheduled time and the application that receives it, in this order. All but the
 * first add up to the lag.
 */
public enum Stage {
    /** From the scheduled time to the call that sends; before the lag begins. */
    APPLICATION(0, "application", "Application"),

    /**
     * In the socket's send buffer: from the call that sends to the queueing discipline. Here TCP holds what it may not
     * yet send.
     */
    SOCKET_BUFFER(1, "socketBuffer", "Socket buffer"),

    /** In the network interface's queue: from the queueing discipline to the driver. */
    QUEUEING_DISCIPLINE(2, "queueingDiscipline", "Queueing discipline"),

    /** In the transmit queue of IEEE-1394: from handing over to the start of the packet's cycle. */
    TRANSMIT_QUEUE(3, "transmitQueue", "Transmit queue"),

    /**
     * From the sender's driver to the receiver's; on IEEE-1394 the packet's cycle, or as much of it as was over when
     * the packet was received. A packet sent again by TCP waits here.
     */
    WIRE(4, "wire", "Wire"),

    /** In the receiver's buffer behind packets before it, or until the interrupt that tells of it. */
    RECEIVE_BUFFER(5, "receiveBuffer", "Receive buffer"),

    /** Until the reader has it, when no packet before it was in the way: the reader's wake-up and its receive call. */
    READER(6, "reader", "Reader");

    private final int place;
    private final String id;
    private final String title;

    Stage(int place, String id, String title) {
        this.place = place;
        this.id = id;
        this.title = title;
    }

    /** Which it is on the way, from 0. */
    int place() {
        return place;
    }

    /** The name in files. */
    public String id() {
        return id;
    }

    /** The name in tables. */
    public String title() {
        return title;
    }
}
