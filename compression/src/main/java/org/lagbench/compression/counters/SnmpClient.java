package org.lagbench.compression.counters;

import java.io.IOException;
import java.util.List;
import org.snmp4j.CommunityTarget;
import org.snmp4j.PDU;
import org.snmp4j.Snmp;
import org.snmp4j.event.ResponseEvent;
import org.snmp4j.mp.SnmpConstants;
import org.snmp4j.smi.Counter64;
import org.snmp4j.smi.Integer32;
import org.snmp4j.smi.OID;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.UdpAddress;
import org.snmp4j.smi.UnsignedInteger32;
import org.snmp4j.smi.Variable;
import org.snmp4j.smi.VariableBinding;
import org.snmp4j.transport.DefaultUdpTransportMapping;

/** Requests to one SNMP agent, SNMPv2c over UDP. Used by one thread. */
final class SnmpClient implements AutoCloseable {
    private static final String DEFAULT_PORT = "161";
    private static final int TIMEOUT_MS = 1_000;
    private static final int RETRIES = 2;
    private static final int MAXIMUM_ROWS = 4_096;

    private final Snmp snmp;
    private final CommunityTarget<UdpAddress> target;

    SnmpClient(Snmp snmp, CommunityTarget<UdpAddress> target) {
        this.snmp = snmp;
        this.target = target;
    }

    /** @param agent host or host:port */
    static SnmpClient open(String agent, String community) throws IOException {
        int colon = agent.lastIndexOf(':');
        String host = colon < 0 ? agent : agent.substring(0, colon);
        String port = colon < 0 ? DEFAULT_PORT : agent.substring(colon + 1);
        UdpAddress address = new UdpAddress();
        if (!address.parseAddress(host + "/" + port)) {
            throw new IOException("\"" + agent + "\" is not an address");
        }
        CommunityTarget<UdpAddress> target = new CommunityTarget<>(address, new OctetString(community));
        target.setVersion(SnmpConstants.version2c);
        target.setTimeout(TIMEOUT_MS);
        target.setRetries(RETRIES);
        Snmp snmp = new Snmp(new DefaultUdpTransportMapping());
        snmp.listen();
        return new SnmpClient(snmp, target);
    }

    /** Returns whether a variable is a value, not an SNMP exception such as noSuchObject. */
    static boolean isValue(Variable variable) {
        return !variable.isException();
    }

    /** Returns whether a variable is a number, whose {@link Variable#toLong} is valid. */
    static boolean isNumber(Variable variable) {
        return variable instanceof Integer32 || variable instanceof UnsignedInteger32 || variable instanceof Counter64;
    }

    /** Returns the values of objects. The value of a missing object is an SNMP exception, see {@link #isValue}. */
    List<Variable> get(List<OID> objects) throws IOException {
        return request(PDU.GET, objects).stream()
                .<Variable>map(VariableBinding::getVariable)
                .toList();
    }

    /** Returns the index of the first table row with this value in a column; -1 if there is none. */
    int index(OID column, String value) throws IOException {
        OID last = column;
        for (int row = 0; row < MAXIMUM_ROWS; row++) {
            VariableBinding next = request(PDU.GETNEXT, List.of(last)).get(0);
            if (!next.getOid().startsWith(column) || !isValue(next.getVariable())) {
                return -1;
            }
            last = next.getOid();
            if (next.getVariable().toString().equals(value)) {
                return last.last();
            }
        }
        return -1;
    }

    private List<? extends VariableBinding> request(int type, List<OID> objects) throws IOException {
        PDU request = new PDU();
        request.setType(type);
        objects.forEach(object -> request.add(new VariableBinding(object)));
        ResponseEvent<UdpAddress> event = snmp.send(request, target);
        PDU response = event == null ? null : event.getResponse();
        if (response == null) {
            throw new IOException("it does not answer");
        }
        if (response.getErrorStatus() != PDU.noError || response.size() != objects.size()) {
            throw new IOException("it answers " + response.getErrorStatusText());
        }
        return response.getVariableBindings();
    }

    @Override
    public void close() throws IOException {
        snmp.close();
    }
}
