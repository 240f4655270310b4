package org.lagbench.fuzz;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.lagbench.compression.counters.SnmpInput;
import org.lagbench.control.HandshakeInput;
import org.lagbench.control.MessageInput;
import org.lagbench.control.SidePipe;
import org.lagbench.core.clock.ChronyClient.ChronyException;
import org.lagbench.core.clock.TrackingInput;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.Checksums;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.timeseries.SeriesFiles;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.experiment.NetworkReader;
import org.lagbench.experiment.SitesReader;

/**
 * The inputs that lagbench reads from files, peers and programs that it does not trust. A target either accepts an
 * input or refuses it as its reader documents; anything else, such as another exception, is a finding. For one thread.
 */
public enum Target {
    /** An experiment file. What it accepts must be read again from its own record, and be the same. */
    EXPERIMENT {
        @Override
        void read(byte[] input) throws Exception {
            ExperimentReader reader = new ExperimentReader(Transports.load(), Engines.load());
            Experiment experiment = reader.read(Scratch.write("experiment.yaml", input));
            Experiment again =
                    reader.read(Scratch.write("again.yaml", experiment.toYaml().getBytes(StandardCharsets.UTF_8)));
            if (!again.toYaml().equals(experiment.toYaml())) {
                throw new AssertionError("the record of the experiment is read as another one: " + again.toYaml());
            }
        }
    },
    /** A file of an emulated network. */
    NETWORK {
        @Override
        void read(byte[] input) throws Exception {
            NetworkReader.read(Scratch.write("network.yaml", input));
        }
    },
    /** A file of the sites of a matrix. */
    SITES {
        @Override
        void read(byte[] input) throws Exception {
            SitesReader.read(Scratch.write("sites.yaml", input));
        }
    },
    /** A line of a control connection. A message that is accepted must not change when it is written and read again. */
    MESSAGE {
        @Override
        void read(byte[] input) throws Exception {
            byte[] written = MessageInput.readAndWrite(input);
            if (!Arrays.equals(MessageInput.readAndWrite(written), written)) {
                throw new AssertionError("a message changes when it is read and written");
            }
        }
    },
    /** The bytes of a control connection of either side, with or without a key; see {@link MessageInput#readAll}. */
    CONNECTION {
        @Override
        void read(byte[] input) throws Exception {
            MessageInput.readAll(input);
        }
    },
    /** What a peer sends before both sides have proven a key: only one with the key completes the handshake. */
    HANDSHAKE {
        @Override
        void read(byte[] input) throws Exception {
            HandshakeInput.perform(input);
        }
    },
    /** The request of a parent process. */
    REQUEST {
        @Override
        void read(byte[] input) {
            if (SidePipe.parse(text(input)) == null) {
                throw new IllegalArgumentException("no message of a parent process");
            }
        }
    },
    /** The JVM options of an experiment or a peer. */
    JVM_OPTIONS {
        @Override
        void read(byte[] input) {
            JvmOptions.parse(text(input)).doubtful();
        }
    },
    /** A reply of chronyd. */
    CHRONY {
        @Override
        void read(byte[] input) throws Exception {
            TrackingInput.read(input).boundNs();
        }
    },
    /** The replies of an SNMP agent. */
    SNMP {
        @Override
        void read(byte[] input) throws Exception {
            SnmpInput.read(input);
        }
    },
    /** The checksums of a run. */
    CHECKSUMS {
        @Override
        void read(byte[] input) throws Exception {
            Path directory =
                    Scratch.write("checksums/" + Checksums.FILE_NAME, input).resolveSibling("");
            Checksums checksums = Checksums.read(directory);
            if (checksums != null) {
                checksums.damage(directory);
            }
        }
    },
    /** A file of a monitor's series. */
    MONITOR_SERIES {
        @Override
        void read(byte[] input) throws Exception {
            SeriesFiles.fault(Scratch.write("rtt.2026-01-01.npy", input));
        }
    },
    /** The record of a run, also of one that still runs. It must not change when it is written and read again. */
    RECORD {
        @Override
        void read(byte[] input) throws Exception {
            RunRecord record = RunRecord.read(
                    Scratch.write("record/" + RunRecord.FILE_NAME, input).resolveSibling(""));
            Path again = Scratch.write("again/" + RunRecord.FILE_NAME, input).resolveSibling("");
            record.write(again);
            if (!RunRecord.read(again).equals(record)) {
                throw new AssertionError("a record changes when it is written and read");
            }
        }
    },
    /**
     * A file of a run: the first line says which, the rest replaces it, and the run is analyzed with all metrics. So
     * the record, each capture and the stamps of a peer are inputs.
     */
    RUN {
        @Override
        void read(byte[] input) throws Exception {
            RunInput.analyze(input);
        }
    },
    /** The bytes of a connection with chunks of every codec. */
    CHUNKS {
        @Override
        void read(byte[] input) throws Exception {
            ChunkInput.frame(input);
        }
    };

    abstract void read(byte[] input) throws Exception;

    /**
     * Gives an input to the target.
     *
     * @return whether it was accepted
     * @throws AssertionError if it was neither accepted nor refused as documented
     */
    boolean accepts(byte[] input) {
        try {
            read(input);
            return true;
        } catch (LagbenchException refused) {
            check(refused.exitCode() != ExitCode.INTERNAL, refused);
            checkSentence(refused.sentence(), input, refused);
        } catch (ProtocolException | ChronyException refused) {
            checkSentence(String.valueOf(refused.getMessage()), input, refused);
        } catch (IllegalArgumentException refused) {
            check(this == JVM_OPTIONS || this == REQUEST, refused);
        } catch (IOException failed) {
            check(this == CHUNKS || this == SNMP, failed);
        } catch (Exception | StackOverflowError | OutOfMemoryError failed) {
            check(false, failed);
        }
        return false;
    }

    /** Checks that a sentence names no class of Java, unless it quotes one of the input. */
    private void checkSentence(String sentence, byte[] input, Throwable refused) {
        check(!sentence.contains("Exception") || text(input).contains("Exception"), refused);
    }

    private void check(boolean isDocumented, Throwable failure) {
        if (!isDocumented) {
            throw new AssertionError(word() + ": " + failure, failure);
        }
    }

    /** Returns the target's name on the command line and of its corpus: {@code jvm-options}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the target with that word. */
    static Target named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static String text(byte[] input) {
        return new String(input, StandardCharsets.UTF_8);
    }
}
