package org.lagbench.engines.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** The remote object that a receiver exports: each packet is a call. */
public interface PacketSink extends Remote {
    void accept(byte[] packet) throws RemoteException;

    /** Receives a packet and returns it with the stamp of the reply. */
    byte[] answer(byte[] packet) throws RemoteException;
}
