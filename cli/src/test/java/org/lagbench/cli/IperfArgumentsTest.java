package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lagbench.core.failure.ExitCode;

class IperfArgumentsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
        iperf3 -u -b 10M -l 1200 -t 10 | run udp --size 1200 --rate 10mbit --duration 10s
        -c h1 -u -b10m -l1200          | run udp h1 --size 1200 --rate 10mbit
        iperf3 -c h1 -p 5000           | run tcp h1:5000 --flood
        -c h1 -R --parallel=4          | run tcp h1 --flood --reverse --streams 4
        -c h1 -w 64K                   | run tcp h1 --flood --send-buffer 65536 --receive-buffer 65536
        -c h1 -C bbr -N                | run tcp h1 --flood --congestion-control bbr --no-delay true
        -c h1 -u -b 0 -l 8K            | run udp h1 --size 8192 --flood
        -c h1 -t 30                    | run tcp h1 --flood --packets 3780242 (-t as packets at 1 Gbit/s)
        iperf3 -u -c h1                | run udp h1 --size 1460 --rate 1mbit
        iperf3 --client h1 -i 1 -k 2K  | run tcp h1 --flood --packets 2048 (without -i)
        iperf3 -c h1 -i1 -f m -M1400   | run tcp h1 --flood (without -i -f -M)
        iperf3 -s                      | serve --new-key
        iperf3 -s -B 192.0.2.1 -p 5000 | serve --new-key --listen 192.0.2.1:5000
        -c h1 -B 192.0.2.1 --cport 600 | run tcp h1 --flood --bind 192.0.2.1 --data-port 600
        -c h1 --bind 192.0.2.1%eth0 -6 | run tcp h1 --flood --bind 192.0.2.1 --device eth0 -6
        -c h1 --bind-dev=eth0          | run tcp h1 --flood --device eth0
        -c fd88:2::2 -p 5000           | run tcp [fd88:2::2]:5000 --flood
        -c fd88:2::2 -u -b 1M          | run udp fd88:2::2 --size 1460 --rate 1mbit
        run -b 20M                     | run tcp --rate 20mbit
        run udp h1 -b 20M --size 1200  | run udp h1 --rate 20mbit --size 1200
        run tcp h1 -b 20M -t 5         | run tcp h1 --rate 20mbit --duration 5s
        run udp h1 -l 800              | run udp h1 --size 800
        run -b 20M udp h1              | run udp h1 --rate 20mbit
        run udp --size 800 -b 20M h1   | run udp h1 --rate 20mbit --size 800
        run udp --flood -t 1           | run udp --packets 126008 --flood (-t as packets at 1 Gbit/s)
        -c h1 -ub20M                   | run udp h1 --size 1460 --rate 20mbit
        -c [fd88:2::2] -p 5000         | run tcp [fd88:2::2]:5000 --flood
        """)
    void translatesArguments(String iperf, String lagbench) {
        assertThat(IperfArguments.translate(List.of(iperf.split(" "))))
                .hasValue("These are options of iperf3; the same with lagbench: lagbench " + lagbench);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--nonsense",
                "swep",
                "-b 10M",
                "iperf3 -c",
                "iperf3 -c $(id)",
                "iperf3 -u -b fast",
                "run udp h1 --sizee 5",
                "run udp -6 --nonsense"
            })
    void ignoresOtherArguments(String arguments) {
        assertThat(IperfArguments.translate(List.of(arguments.split(" ")))).isEmpty();
    }

    @Test
    void answersIperfArgumentsWithCommand() {
        CommandResult result = CommandResult.of("-u", "-b", "10M", "-l", "1200", "-t", "10");
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE.code());
        assertThat(result.err()).contains("lagbench run udp --size 1200 --rate 10mbit --duration 10s");
    }
}
