package org.lagbench.commandline;

import java.util.Iterator;
import org.lagbench.core.model.Transports;

/** The names of all transports, for help texts and completion. */
public final class TransportNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return Transports.load().names().iterator();
    }
}
