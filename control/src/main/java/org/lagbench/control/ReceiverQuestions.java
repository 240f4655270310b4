package org.lagbench.control;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.ClockReadings;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;

/**
 * What a sender asks the receiver about its host, over the control connection. For one thread at a time, which is also
 * the only one that exchanges messages about the clocks.
 *
 * @param replyTimeout how long to wait for each reply, on an idle machine
 */
public record ReceiverQuestions(ControlReader reader, Duration replyTimeout) {
    /** Returns how busy the host is. */
    public HostLoad load() throws LagbenchException {
        return ask(ControlMessage.Question.LOAD, ControlMessage.LoadIs.class).load();
    }

    /** Returns why the kernel refuses the observer, as a sentence; null if it does not. */
    public @Nullable String observerRefusal() throws LagbenchException {
        return ask(ControlMessage.Question.OBSERVER, ControlMessage.ObserverIs.class)
                .refusal();
    }

    /** Returns what the host's time daemon says. */
    ClockState clock() throws LagbenchException {
        return ask(ControlMessage.Question.CLOCK, ControlMessage.ClockIs.class).state();
    }

    /** Returns readings of the host's clocks. */
    ClockReadings readings() throws LagbenchException {
        return ask(ControlMessage.Question.READINGS, ControlMessage.ReadingsAre.class)
                .readings();
    }

    private <T extends ControlMessage> T ask(ControlMessage.Question question, Class<T> type) throws LagbenchException {
        try {
            return reader.ask(new ControlMessage.Ask(question), type, replyTimeout);
        } catch (IOException e) {
            throw reader.explain(e);
        }
    }
}
