package org.lagbench.report.plot;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** Portable Network Graphics. */
final class PngFile {
    private static final double METRES_PER_INCH = 0.0254;

    private PngFile() {}

    /** An image as a file that tells its resolution. */
    static byte[] of(BufferedImage image, int dotsPerInch) {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(bytes)) {
            ImageWriteParam parameters = writer.getDefaultWriteParam();
            IIOMetadata metadata =
                    writer.getDefaultImageMetadata(ImageTypeSpecifier.createFromRenderedImage(image), parameters);
            String pixels = Long.toString(Math.round(dotsPerInch / METRES_PER_INCH));
            IIOMetadataNode size = new IIOMetadataNode("pHYs");
            size.setAttribute("pixelsPerUnitXAxis", pixels);
            size.setAttribute("pixelsPerUnitYAxis", pixels);
            size.setAttribute("unitSpecifier", "meter");
            IIOMetadataNode root = new IIOMetadataNode(metadata.getNativeMetadataFormatName());
            root.appendChild(size);
            metadata.mergeTree(metadata.getNativeMetadataFormatName(), root);
            writer.setOutput(stream);
            writer.write(null, new IIOImage(image, null, metadata), parameters);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // an array takes everything
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }
}
