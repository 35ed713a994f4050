package marmoset.hosted.sandbox;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * How wide and high the characters of a TrueType font are, in units of its size. No kerning, no ligatures; what the font
 * does not have is as wide as the size. Reads only fonts that come with the libraries. Any thread.
 */
public final class Font {
  /** A glyph's box from its origin, y upwards. */
  public record Box(float left, float bottom, float right, float top) {}

  private static final int UNICODE_FORMAT = 4;
  private static final int WINDOWS = 3;

  private final ByteBuffer file;
  private final Map<String, Integer> tables = new HashMap<>();
  private final float unit;
  private final int wideGlyphs;
  private final int characters;

  public Font(byte[] bytes) {
    file = ByteBuffer.wrap(bytes);
    int count = unsigned(4);
    for (int i = 0; i < count; i++) {
      int at = 12 + 16 * i;
      tables.put(new String(bytes, at, 4, StandardCharsets.ISO_8859_1), file.getInt(at + 8));
    }
    unit = 1f / unsigned(tables.get("head") + 18);
    wideGlyphs = unsigned(tables.get("hhea") + 34);
    characters = characterTable();
  }

  /** Above the base line, in sizes; positive. */
  public float ascent() {
    return file.getShort(tables.get("hhea") + 4) * unit;
  }

  /** Below it; positive. */
  public float descent() {
    return -file.getShort(tables.get("hhea") + 6) * unit;
  }

  /** Of the highest glyph. */
  public float top() {
    return file.getShort(tables.get("head") + 42) * unit;
  }

  /** Of the lowest; positive. */
  public float bottom() {
    return -file.getShort(tables.get("head") + 38) * unit;
  }

  public float advance(int codePoint) {
    int glyph = glyph(codePoint);
    if (glyph == 0) return isInvisible(codePoint) ? 0 : 1;
    return unsigned(tables.get("hmtx") + 4 * Math.min(glyph, wideGlyphs - 1)) * unit;
  }

  /** Null for a blank. */
  public Box box(int codePoint) {
    int glyph = glyph(codePoint);
    boolean wide = unsigned(tables.get("head") + 50) != 0;
    int loca = tables.get("loca");
    int from = wide ? file.getInt(loca + 4 * glyph) : 2 * unsigned(loca + 2 * glyph);
    int to = wide ? file.getInt(loca + 4 * glyph + 4) : 2 * unsigned(loca + 2 * glyph + 2);
    if (from == to) return null;
    int at = tables.get("glyf") + from + 2;
    return new Box(
        file.getShort(at) * unit, file.getShort(at + 2) * unit, file.getShort(at + 4) * unit,
        file.getShort(at + 6) * unit);
  }

  private static boolean isInvisible(int codePoint) {
    int type = Character.getType(codePoint);
    return type == Character.CONTROL
        || type == Character.FORMAT
        || type == Character.NON_SPACING_MARK
        || type == Character.ENCLOSING_MARK;
  }

  private int unsigned(int at) {
    return file.getShort(at) & 0xffff;
  }

  /** Where the table of the characters below 0x10000 begins. */
  private int characterTable() {
    int cmap = tables.get("cmap");
    for (int i = 0; i < unsigned(cmap + 2); i++) {
      int at = cmap + file.getInt(cmap + 8 + 8 * i);
      if (unsigned(cmap + 4 + 8 * i) == WINDOWS && unsigned(at) == UNICODE_FORMAT) return at;
    }
    throw new IllegalArgumentException("a font without a table of Unicode characters");
  }

  /** 0 where the font does not have the character. */
  private int glyph(int codePoint) {
    if (codePoint > 0xffff) return 0;
    int segments = unsigned(characters + 6) / 2;
    int ends = characters + 14;
    int starts = ends + 2 * segments + 2;
    for (int i = 0; i < segments; i++) {
      if (unsigned(ends + 2 * i) < codePoint) continue;
      int start = unsigned(starts + 2 * i);
      if (start > codePoint) return 0;
      int delta = unsigned(starts + 2 * segments + 2 * i);
      int offsetAt = starts + 4 * segments + 2 * i;
      int offset = unsigned(offsetAt);
      if (offset == 0) return (codePoint + delta) & 0xffff;
      int glyph = unsigned(offsetAt + offset + 2 * (codePoint - start));
      return glyph == 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  }
}
