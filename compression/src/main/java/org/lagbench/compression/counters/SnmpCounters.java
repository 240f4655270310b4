package org.lagbench.compression.counters;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.bandwidth.Bottleneck;
import org.lagbench.core.bandwidth.CounterSource;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
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

/**
 * The counters of an interface from an SNMP agent (RFC 2863). Uses the 64-bit counters, or the 32-bit counters if the
 * agent has no others. Agents cache the counters. Net-SNMP reports its cache timeout; other agents are assumed to have
 * one of 5 s.
 */
public final class SnmpCounters implements CounterSource {
    /** The tables of interfaces. In both, the column after the one of octets has the packets. */
    private static final OID IF_TABLE = new OID("1.3.6.1.2.1.2.2.1");

    private static final OID IF_X_TABLE = new OID("1.3.6.1.2.1.31.1.1.1");
    private static final int IF_DESCRIPTION = 2;
    private static final int IF_NAME = 1;
    private static final int IN_OCTETS = 10;
    private static final int OUT_OCTETS = 16;
    private static final int HC_IN_OCTETS = 6;
    private static final int HC_OUT_OCTETS = 10;

    /** NET-SNMP-AGENT-MIB::nsCacheTimeout of the table of interfaces, in s. */
    private static final OID CACHE_TIMEOUT = new OID("1.3.6.1.4.1.8072.1.5.3.1.2.1.3.6.1.2.1.2.2");

    private static final long DEFAULT_STALE_S = 5;
    private static final long MAXIMUM_STALE_S = 3_600;

    @Override
    public String name() {
        return "snmp";
    }

    @Override
    public Counters open(Bottleneck bottleneck) throws LagbenchException {
        if (bottleneck.agent().isEmpty()) {
            throw ExitCode.USAGE.failure(
                    "The bottleneck names no SNMP agent; add agent=HOST or use the kernel's counters.");
        }
        try {
            SnmpClient client = SnmpClient.open(bottleneck.agent(), bottleneck.community());
            try {
                return open(client, bottleneck);
            } catch (IOException | RuntimeException e) {
                client.close();
                throw e;
            }
        } catch (IOException e) {
            throw ExitCode.UNAVAILABLE.failure(
                    "The SNMP agent " + bottleneck.agent() + " does not report the interface " + bottleneck.device()
                            + ": " + IoErrors.reason(e) + "; check the agent, its community and the interface's name.",
                    e);
        }
    }

    static Counters open(SnmpClient client, Bottleneck bottleneck) throws IOException {
        int index = client.index(at(IF_X_TABLE, IF_NAME), bottleneck.device());
        if (index < 0) {
            index = client.index(at(IF_TABLE, IF_DESCRIPTION), bottleneck.device());
        }
        if (index < 0) {
            throw new IOException("it has no interface of this name");
        }
        Variable timeout = client.get(List.of(CACHE_TIMEOUT)).get(0);
        long staleS = SnmpClient.isNumber(timeout)
                ? Math.max(0, Math.min(MAXIMUM_STALE_S, timeout.toLong()))
                : DEFAULT_STALE_S;
        List<OID> wide = counters(IF_X_TABLE, bottleneck.isReceiver() ? HC_IN_OCTETS : HC_OUT_OCTETS, index);
        List<OID> narrow = counters(IF_TABLE, bottleneck.isReceiver() ? IN_OCTETS : OUT_OCTETS, index);
        boolean isWide = client.get(wide).stream().allMatch(SnmpClient::isNumber);
        List<OID> objects = isWide ? wide : narrow;
        if (!isWide && !client.get(narrow).stream().allMatch(SnmpClient::isNumber)) {
            throw new IOException("it returns no numbers for the counters of the interface");
        }
        return new SnmpInterface(
                client, objects, isWide ? Long.SIZE : Integer.SIZE, TimeUnit.SECONDS.toNanos(staleS + 1));
    }

    private static List<OID> counters(OID table, int octets, int index) {
        return List.of(at(at(table, octets), index), at(at(table, octets + 1), index));
    }

    private static OID at(OID prefix, int number) {
        return new OID(prefix).append(number);
    }

    private record SnmpInterface(SnmpClient client, List<OID> objects, int bits, long staleNs) implements Counters {
        @Override
        public CounterSource.CounterReading read() throws IOException {
            List<Variable> values = client.get(objects);
            for (Variable value : values) {
                if (!SnmpClient.isNumber(value)) {
                    throw new IOException("the agent no longer has the counters of the interface");
                }
            }
            return new CounterSource.CounterReading(
                    values.get(0).toLong(), values.get(1).toLong(), bits);
        }

        @Override
        public void close() throws IOException {
            client.close();
        }
    }

    /** Requests to one SNMP agent, SNMPv2c over UDP. Used by one thread. */
    static final class SnmpClient implements AutoCloseable {
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
            return variable instanceof Integer32
                    || variable instanceof UnsignedInteger32
                    || variable instanceof Counter64;
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
}
