package org.lagbench.analysis.stage;

/**
 * A stage between a packet's scheduled time and the application that receives it, in this order. All stages except the
 * first add up to the lag.
 */
public enum Stage {
    /** From the scheduled time to the send call, before the lag begins. */
    APPLICATION(0, "application", "Application"),

    /** In the socket's send buffer, until the queueing discipline; TCP keeps packets here that it may not send yet. */
    SOCKET_BUFFER(1, "socketBuffer", "Socket buffer"),

    /** In the network interface's queue: from the queueing discipline to the driver. */
    QUEUEING_DISCIPLINE(2, "queueingDiscipline", "Queueing discipline"),

    /** In the transmit queue of IEEE-1394: from queueing to the start of the packet's cycle. */
    TRANSMIT_QUEUE(3, "transmitQueue", "Transmit queue"),

    /** TCP: from the first time that the sender's driver had the packet to the last before it arrived. */
    RETRANSMISSION(4, "retransmission", "Retransmission"),

    /** From the sender's driver to the receiver's; on IEEE-1394 the packet's cycle, until the packet was received. */
    WIRE(5, "wire", "Wire"),

    /** TCP: in the receiver's kernel, waiting for earlier packets of which one was lost or overtaken. */
    HEAD_OF_LINE(6, "headOfLine", "Head of line"),

    /** In the receiver's buffer, waiting for the interrupt or behind packets that the reader has not received yet. */
    RECEIVE_BUFFER(7, "receiveBuffer", "Receive buffer"),

    /**
     * In the receiver's buffer with no packet ahead, until the reader has the packet: the reader's wake-up and its
     * receive call.
     */
    READER(8, "reader", "Reader");

    private final int place;
    private final String id;
    private final String title;

    Stage(int place, String id, String title) {
        this.place = place;
        this.id = id;
        this.title = title;
    }

    /** Returns the position on the packet's way, from 0. */
    int place() {
        return place;
    }

    /** Returns the name in files. */
    public String id() {
        return id;
    }

    /** Returns the name in tables. */
    public String title() {
        return title;
    }
}
