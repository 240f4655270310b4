package org.lagbench.engines.oncrpc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.engines.message.EngineProgram;

/** The engine without its program. */
class OncRpcEngineTest {
    private final OncRpcEngine engine = new OncRpcEngine();

    @TempDir
    private Path directory;

    @BeforeEach
    void hideProgram() {
        System.setProperty(EngineProgram.DIRECTORY_PROPERTY, directory.toString());
    }

    @AfterEach
    void showProgram() {
        System.clearProperty(EngineProgram.DIRECTORY_PROPERTY);
    }

    @Test
    void reportsBuildWithoutLibtirpc() throws Exception {
        Transport tcp = Transports.load().named("tcp");
        assertThat(engine.unavailableReason(tcp))
                .hasMessageStartingWith("engine: onc-rpc is not available: it was built without libtirpc.")
                .hasMessageContaining("apt-get install libtirpc-dev")
                .extracting(LagbenchException::exitCode)
                .isEqualTo(ExitCode.UNAVAILABLE);
    }

    @Test
    void namesTheMissingDirectoryOfItsProgram() throws Exception {
        Path missing = directory.resolve("missing");
        System.setProperty(EngineProgram.DIRECTORY_PROPERTY, missing.toString());
        assertThat(engine.unavailableReason(Transports.load().named("tcp")))
                .hasMessageContaining(missing.resolve("lagbench-onc-rpc") + ", which does not exist");
    }
}
