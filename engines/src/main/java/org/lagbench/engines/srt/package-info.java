/**
 * SRT: the transport {@code srt} and the engine {@code libsrt}, a program in C over libsrt (src/main/srt). The library
 * retransmits lost packets, and delivers each packet a fixed latency after it was sent.
 */
@NullMarked
package org.lagbench.engines.srt;

import org.jspecify.annotations.NullMarked;
