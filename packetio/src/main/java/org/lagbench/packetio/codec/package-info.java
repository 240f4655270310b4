/** The codecs of chunks: the JDK's zlib, zstd-jni, lz4-java and snappy-java. */
@NullMarked
package org.lagbench.packetio.codec;

import org.jspecify.annotations.NullMarked;
