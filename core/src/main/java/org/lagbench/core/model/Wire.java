package org.lagbench.core.model;

/** What a transport puts packets on. Engines declare the wires that they serve. */
public enum Wire {
    /** A connection of TCP: a byte stream, in order, without loss. */
    TCP,
    /** Datagrams of UDP: with bounds, in any order, some lost. */
    UDP,
    /** A library with its own protocol over IP. */
    LIBRARY,
    /** Ethernet frames without IP. */
    ETHERNET,
    /** The isochronous packets of a bus, whose cycles both sides record. */
    BUS;

    /** Returns whether packets go over IP, and so through an emulated network. */
    public boolean isOverIp() {
        return this == TCP || this == UDP || this == LIBRARY;
    }

    /** Returns whether packets have no bounds, and none is lost during the connection. */
    public boolean isStream() {
        return this == TCP;
    }
}
