package org.lagbench.control;

import java.io.IOException;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.UntrustedText;

/** The peer refused the connection or the run. */
public final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    private final Refusal reason;

    public RefusedException(ControlMessage.Refused refusal) {
        super(UntrustedText.line(refusal.text()));
        this.reason = refusal.reason();
    }

    public Refusal reason() {
        return reason;
    }

    /** Returns the refusal as a failure of this program. */
    public LagbenchException asFailure() {
        return reason.exitCode().failure(String.valueOf(getMessage()), this);
    }
}
