package marmoset.hosted.sandbox;

import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Breaks one paragraph into lines: each takes as many words as fit, and a word that fits on no line is broken where it
 * must be. Before Android 8 the framework asks native code for this that is not here. Not thread-safe.
 */
public final class LineBreaker {
  /** Where a line ends (the index of the next character), how wide it is without the blanks at its end, has it a tab. */
  public record Line(int end, float width, boolean tab) {}

  private final char[] text;
  private final float[] widths;
  private int firstLines;
  private float firstWidth;
  private float otherWidth;
  private int[] tabStops = {};
  private int tabWidth = 1;

  public LineBreaker(char[] text, int length) {
    this.text = Arrays.copyOf(text, length);
    widths = new float[length];
  }

  /** The first lines may have another width than the others. */
  public void setLineWidths(float first, int firstCount, float others) {
    firstWidth = first;
    firstLines = firstCount;
    otherWidth = others;
  }

  /** {@code stops} may be null; beyond them a tab goes to the next multiple of {@code width}. */
  public void setTabs(int[] stops, int width) {
    tabStops = stops == null ? new int[0] : stops;
    tabWidth = Math.max(1, width);
  }

  /** How wide each character is; to be filled in by the caller. */
  public float[] widths() {
    return widths;
  }

  public List<Line> lines() {
    BreakIterator words = BreakIterator.getLineInstance();
    words.setText(new String(text));
    List<Line> lines = new ArrayList<>();
    int start = 0;
    while (start < text.length) {
      Line line = line(start, words, lines.size() < firstLines ? firstWidth : otherWidth);
      lines.add(line);
      start = line.end;
    }
    return lines;
  }

  private Line line(int start, BreakIterator words, float available) {
    float width = 0;
    float inked = 0;
    boolean tab = false;
    Line best = null;
    for (int i = start; i < text.length; i++) {
      width = after(width, i);
      tab |= text[i] == '\t';
      if (!Character.isWhitespace(text[i])) inked = width;
      if (inked > available && i > start) {
        if (best != null) return best;
        int end = startOfCharacter(i, start);
        return new Line(end, width(start, end), tab);
      }
      if (i + 1 == text.length || words.isBoundary(i + 1)) best = new Line(i + 1, inked, tab);
    }
    return best;
  }

  /** Not within a pair of surrogates or before a mark without width, as long as the line keeps a character. */
  private int startOfCharacter(int at, int start) {
    int end = at;
    while (end > start + 1 && widths[end] == 0) end--;
    return end;
  }

  private float width(int start, int end) {
    float width = 0;
    for (int i = start; i < end; i++) width = after(width, i);
    return width;
  }

  /** So wide is a line that was this wide before the character. */
  private float after(float width, int character) {
    if (text[character] != '\t') return width + widths[character];
    for (int stop : tabStops) if (stop > width) return stop;
    return (float) (Math.floor(width / tabWidth) + 1) * tabWidth;
  }
}
