package marmoset.hosted.sandbox.shadows;

import android.text.StaticLayout;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import marmoset.hosted.sandbox.LineBreaker;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowStaticLayout;
import org.robolectric.util.ReflectionHelpers;

/** Breaks text into lines before Android 8 ({@link LineBreaker}), where Robolectric makes one of each paragraph. Any thread. */
@Implements(value = StaticLayout.class, maxSdk = HostShadowOldPaint.LAST_SDK, isInAndroidSdk = false)
public class HostShadowOldStaticLayout extends ShadowStaticLayout {
  private static final int TAB = 0x20000000;

  private static final Map<Long, Paragraph> builders = new HashMap<>();
  private static long lastBuilder;

  /** What a builder knows of the paragraph at hand. */
  private static final class Paragraph {
    char[] text = {};
    LineBreaker breaker = new LineBreaker(text, 0);
  }

  private static synchronized Paragraph of(long builder) {
    return builders.get(builder);
  }

  @Implementation
  protected static synchronized long nNewBuilder() {
    builders.put(++lastBuilder, new Paragraph());
    return lastBuilder;
  }

  @Implementation
  protected static synchronized void nFreeBuilder(long builder) {
    builders.remove(builder);
  }

  @Implementation
  protected static void nSetupParagraph(
      long builder, char[] text, int length, float firstWidth, int firstLines, float otherWidth, int[] tabStops,
      int tabWidth, int strategy, int hyphenation) {
    Paragraph paragraph = of(builder);
    paragraph.text = text;
    paragraph.breaker = new LineBreaker(text, length);
    paragraph.breaker.setLineWidths(firstWidth, firstLines, otherWidth);
    paragraph.breaker.setTabs(tabStops, tabWidth);
  }

  @Implementation
  protected static float nAddStyleRun(long builder, long paint, long typeface, int start, int end, boolean rtl) {
    Paragraph paragraph = of(builder);
    return HostShadowOldPaint.advances(paint, paragraph.text, start, end - start, paragraph.breaker.widths(), start);
  }

  @Implementation
  protected static void nAddMeasuredRun(long builder, int start, int end, float[] widths) {
    System.arraycopy(widths, start, of(builder).breaker.widths(), start, end - start);
  }

  @Implementation
  protected static void nAddReplacementRun(long builder, int start, int end, float width) {
    of(builder).breaker.widths()[start] = width;
  }

  @Implementation
  protected static void nGetWidths(long builder, float[] widths) {
    float[] known = of(builder).breaker.widths();
    System.arraycopy(known, 0, widths, 0, Math.min(known.length, widths.length));
  }

  @Implementation
  public static int nComputeLineBreaks(
      long builder, Object recycle, int[] ends, float[] widths, int[] flags, int length) {
    List<LineBreaker.Line> lines = of(builder).breaker.lines();
    if (lines.size() > length) {
      ends = new int[lines.size()];
      widths = new float[lines.size()];
      flags = new int[lines.size()];
      ReflectionHelpers.setField(recycle, "breaks", ends);
      ReflectionHelpers.setField(recycle, "widths", widths);
      ReflectionHelpers.setField(recycle, "flags", flags);
    }
    for (int i = 0; i < lines.size(); i++) {
      ends[i] = lines.get(i).end();
      widths[i] = lines.get(i).width();
      flags[i] = lines.get(i).tab() ? TAB : 0;
    }
    return lines.size();
  }
}
