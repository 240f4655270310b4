package org.lagbench.compression.counters;

import java.io.IOException;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.snmp4j.CommandResponder;
import org.snmp4j.CommandResponderEvent;
import org.snmp4j.MessageException;
import org.snmp4j.PDU;
import org.snmp4j.Snmp;
import org.snmp4j.mp.StatusInformation;
import org.snmp4j.smi.Address;
import org.snmp4j.smi.Null;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/** An SNMP agent with constant objects. */
final class StubAgent implements CommandResponder, AutoCloseable {
    private final NavigableMap<OID, Variable> objects = new TreeMap<>();
    private final DefaultUdpTransportMapping transport;
    private final Snmp snmp;

    StubAgent(Map<String, Variable> objects) throws IOException {
        objects.forEach((name, value) -> this.objects.put(new OID(name), value));
        transport = new DefaultUdpTransportMapping(new UdpAddress("127.0.0.1/0"));
        snmp = new Snmp(transport);
        snmp.addCommandResponder(this);
        snmp.listen();
    }

    String address() {
        return "127.0.0.1:" + transport.getListenAddress().getPort();
    }

    @Override
    public <A extends Address> void processPdu(CommandResponderEvent<A> event) {
        PDU request = event.getPDU();
        PDU response = (PDU) request.clone();
        response.setType(PDU.RESPONSE);
        response.setVariableBindings(request.getVariableBindings().stream()
                .map(binding -> answer(request.getType(), binding.getOid()))
                .toList());
        try {
            event.getMessageDispatcher()
                    .returnResponsePdu(
                            event.getMessageProcessingModel(),
                            event.getSecurityModel(),
                            event.getSecurityName(),
                            event.getSecurityLevel(),
                            response,
                            event.getMaxSizeResponsePDU(),
                            event.getStateReference(),
                            new StatusInformation());
        } catch (MessageException e) {
            throw new IllegalStateException(e);
        }
    }

    private VariableBinding answer(int type, OID name) {
        if (type == PDU.GET) {
            return new VariableBinding(name, objects.getOrDefault(name, Null.noSuchObject));
        }
        Map.Entry<OID, Variable> next = objects.higherEntry(name);
        return next == null
                ? new VariableBinding(name, Null.endOfMibView)
                : new VariableBinding(next.getKey(), next.getValue());
    }

    @Override
    public void close() throws IOException {
        snmp.close();
    }
}
