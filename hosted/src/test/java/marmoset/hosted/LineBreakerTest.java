package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import marmoset.hosted.sandbox.LineBreaker;
import org.junit.Test;

public class LineBreakerTest {
  /** Each character is one wide. */
  private static LineBreaker breaker(String text, int width) {
    LineBreaker breaker = new LineBreaker((text + "not of it").toCharArray(), text.length());
    Arrays.fill(breaker.widths(), 1);
    breaker.setLineWidths(width, 1, width);
    return breaker;
  }

  private static List<String> lines(String text, LineBreaker breaker) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    for (LineBreaker.Line line : breaker.lines()) {
      lines.add(text.substring(start, line.end()));
      start = line.end();
    }
    return lines;
  }

  private static List<String> lines(String text, int width) {
    return lines(text, breaker(text, width));
  }

  @Test
  public void eachLineTakesTheWordsThatFit() {
    assertEquals(List.of("one two ", "three"), lines("one two three", 8));
    assertEquals("blanks at its end need no room", List.of("one two ", "three"), lines("one two three", 7));
    assertEquals(List.of("one ", "two ", "three"), lines("one two three", 6));
    assertEquals(List.of("a-", "b"), lines("a-b", 2));
    assertEquals(List.of(), lines("", 5));
    assertEquals(List.of("all\n"), lines("all\n", 5));
  }

  @Test
  public void aWordThatFitsOnNoLineIsBroken() {
    assertEquals(List.of("a ", "long", "word"), lines("a longword", 4));
    assertEquals("each line has a character", List.of("a", "b"), lines("ab", 0));
  }

  @Test
  public void aMarkStaysWithItsCharacter() {
    String text = "ae\u0301o";
    LineBreaker breaker = breaker(text, 2);
    breaker.widths()[2] = 0;
    breaker.widths()[0] = 1.5f;
    assertEquals(List.of("a", "e\u0301o"), lines(text, breaker));
  }

  @Test
  public void theFirstLinesMayBeNarrower() {
    LineBreaker breaker = breaker("a b c d e f", 5);
    breaker.setLineWidths(1, 2, 5);
    assertEquals(List.of("a ", "b ", "c d e ", "f"), lines("a b c d e f", breaker));
  }

  @Test
  public void aTabGoesToTheNextStop() {
    LineBreaker breaker = breaker("a\tb\tc", 100);
    breaker.setTabs(new int[] {3}, 10);
    LineBreaker.Line line = breaker.lines().get(0);
    assertEquals(11, line.width(), 0);
    assertTrue(line.tab());
  }

  /** Against what must hold of any lines. */
  @Test
  public void linesAreFullAndNotTooFull() {
    Random random = new Random(1);
    for (int i = 0; i < 3000; i++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(40);
      for (int j = 0; j < length; j++) text.append(random.nextInt(4) == 0 ? ' ' : 'x');
      int width = 1 + random.nextInt(12);
      List<String> lines = lines(text.toString(), width);
      assertEquals(text.toString(), String.join("", lines));
      for (int j = 0; j < lines.size(); j++) {
        String line = lines.get(j).stripTrailing();
        assertTrue(lines + " in " + width, line.length() <= width);
        if (j + 1 == lines.size()) continue;
        String next = lines.get(j + 1);
        String word = next.substring(0, (next + " ").indexOf(' '));
        boolean broken = !lines.get(j).endsWith(" ");
        int most = broken ? line.length() + 1 : lines.get(j).length() + word.length();
        assertTrue(lines + " in " + width + ": more fits on line " + j, most > width);
      }
    }
  }
}
