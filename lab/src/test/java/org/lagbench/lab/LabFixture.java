package org.lagbench.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import org.lagbench.experiment.NetworkReader;

/** Labs with real namespaces, which need root, and a separate program that sends packets through them. */
abstract class LabFixture {
    /**
     * Sends numbered datagrams from one socket, alternating between CPUs, and prints the numbers that another socket
     * receives.
     */
    private static final String DATAGRAMS =
            """
            import socket, subprocess, sys, os
            there, here, address, count, size, at_a_time = sys.argv[1:4] + [int(n) for n in sys.argv[4:7]]
            receiver = '''
            import socket, sys
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.setsockopt(socket.SOL_SOCKET, 33, 64 << 20)
            s.bind((sys.argv[1], 7))
            print("ready", flush=True)
            s.settimeout(60)
            while True:
                packet = s.recv(65536)
                if packet == b"end":
                    break
                print(int(packet[:8]))
            '''
            to = subprocess.Popen(["ip", "netns", "exec", there, sys.executable, "-c", receiver, address],
                                  stdout=subprocess.PIPE, text=True)
            to.stdout.readline()
            sender = '''
            import os, socket, sys
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            cpus = sorted(os.sched_getaffinity(0))
            for i in range(int(sys.argv[2])):
                if i % int(sys.argv[4]) == 0:
                    os.sched_setaffinity(0, [cpus[i // int(sys.argv[4]) % len(cpus)]])
                s.sendto(b"%08d" % i + bytes(int(sys.argv[3]) - 8), (sys.argv[1], 7))
            '''
            subprocess.run(["ip", "netns", "exec", here, sys.executable, "-c", sender, address, str(count), str(size),
                            str(at_a_time)],
                           check=True)
            end = '''
            import socket, sys
            s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            s.sendto(b"end", (sys.argv[1], 7))
            '''
            while to.poll() is None:
                subprocess.run(["ip", "netns", "exec", here, sys.executable, "-c", end, address], check=True)
                try:
                    out, _ = to.communicate(timeout=0.2)
                    print(out, end="")
                except subprocess.TimeoutExpired:
                    pass
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void onlyRootMakesNamespaces() throws Exception {
        try {
            LabDirectory.requirePrivileges();
        } catch (LagbenchException e) {
            assumeTrue(false, e.sentence());
        }
        String probe = "lagbench-lab-test-" + ProcessHandle.current().pid();
        boolean made =
                NetworkTools.attempt(List.of("ip", "netns", "add", probe), "").exitCode() == 0;
        assumeTrue(made, "this machine, maybe a container, lets root make no network namespaces");
        NetworkTools.run("ip netns delete " + probe);
        assumeTrue(Files.exists(Path.of("/dev/net/tun")), "this machine has no /dev/net/tun");
    }

    Network network(String yaml) throws Exception {
        return NetworkReader.read(Files.writeString(directory.resolve("network.yaml"), yaml));
    }

    static String name(String test) {
        return "test-" + pid() + "-" + test;
    }

    static long pid() {
        return ProcessHandle.current().pid();
    }

    static Station station(Lab lab, String place) throws Exception {
        return lab.stations().stream()
                .filter(station -> station.place().equals(place))
                .findFirst()
                .orElseThrow();
    }

    /** Sends numbered datagrams from the lab's sender to its receiver; returns the numbers in the order of arrival. */
    List<Integer> send(Lab lab, int count, int size) throws Exception {
        return send(lab, count, size, count);
    }

    List<Integer> send(Lab lab, int count, int size, int atATime) throws Exception {
        return run(List.of(
                        "python3",
                        script(DATAGRAMS).toString(),
                        lab.namespaces().get("receiver"),
                        lab.namespaces().get("sender"),
                        lab.addresses().get("receiver"),
                        Integer.toString(count),
                        Integer.toString(size),
                        Integer.toString(atATime)))
                .lines()
                .map(Integer::valueOf)
                .toList();
    }

    String python(Lab lab, String host, String program, String argument) throws Exception {
        List<String> command = new ArrayList<>(lab.commandOn(host));
        command.addAll(List.of("python3", script(program).toString(), argument));
        return run(command);
    }

    Path script(String program) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "program", ".py"), program);
    }

    static String run(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        return output;
    }
}
