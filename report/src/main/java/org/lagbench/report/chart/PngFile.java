package org.lagbench.report.chart;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Encodes images as Portable Network Graphics. */
final class PngFile {
    private static final double METERS_PER_INCH = 0.0254;

    private PngFile() {}

    /** Returns an image as a file that states its resolution. */
    static byte[] of(BufferedImage image, int dotsPerInch) {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(bytes)) {
            IIOMetadata metadata =
                    writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(image), null);
            String pixelsPerMeter = Long.toString(Math.round(dotsPerInch / METERS_PER_INCH));
            IIOMetadataNode size = new IIOMetadataNode("pHYs");
            size.setAttribute("pixelsPerUnitXAxis", pixelsPerMeter);
            size.setAttribute("pixelsPerUnitYAxis", pixelsPerMeter);
            size.setAttribute("unitSpecifier", "meter");
            IIOMetadataNode root = new IIOMetadataNode(metadata.getNativeMetadataFormatName());
            root.appendChild(size);
            metadata.mergeTree(metadata.getNativeMetadataFormatName(), root);
            writer.setOutput(stream);
            writer.write(new IIOImage(image, null, metadata));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a byte array does not fail
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }
}
