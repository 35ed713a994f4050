package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.io.IOException;
import java.io.InputStream;
import marmoset.hosted.sandbox.Font;
import org.junit.Test;

/** Against the figures that FreeType gives for Roboto, whose unit is a 2048th of the size. */
public class FontTest {
  private static final float UNIT = 1 / 2048f;

  private static Font roboto(String style) throws IOException {
    try (InputStream file = FontTest.class.getResourceAsStream("/fonts/Roboto-" + style + ".ttf")) {
      return new Font(file.readAllBytes());
    }
  }

  @Test
  public void charactersAreAsWideAsInTheFont() throws Exception {
    Font font = roboto("Regular");
    assertEquals(1222 * UNIT, font.advance('T'), 0);
    assertEquals(508 * UNIT, font.advance(' '), 0);
    float width = 0;
    for (char character : "Train tickets".toCharArray()) width += font.advance(character);
    assertEquals("with kerning 230.877", 230.9, width * 42, 2);
    assertEquals("not in the font", 1, font.advance('\u4e2d'), 0);
    assertEquals("beyond its table", 1, font.advance(0x1f600), 0);
    assertEquals("a joiner", 0, font.advance('\u200d'), 0);
  }

  @Test
  public void aLineIsAsHighAsOnAPhone() throws Exception {
    Font font = roboto("Bold");
    assertEquals(1900 * UNIT, font.ascent(), 0);
    assertEquals(500 * UNIT, font.descent(), 0);
    assertEquals(2163 * UNIT, font.top(), 0);
    assertEquals(555 * UNIT, font.bottom(), 0);
  }

  @Test
  public void aGlyphHasABoxAndABlankNone() throws Exception {
    Font font = roboto("Regular");
    Font.Box box = font.box('T');
    assertEquals(0, box.bottom(), 0);
    assertEquals("a capital", 1456 * UNIT, box.top(), 0);
    assertNull(font.box(' '));
  }
}
