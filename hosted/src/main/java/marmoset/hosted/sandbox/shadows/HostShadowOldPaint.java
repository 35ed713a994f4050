package marmoset.hosted.sandbox.shadows;

import android.graphics.Paint;
import android.graphics.Paint.FontMetrics;
import android.graphics.Paint.FontMetricsInt;
import android.graphics.Rect;
import android.graphics.RectF;
import android.graphics.Typeface;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.text.BreakIterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import marmoset.hosted.sandbox.Font;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowPaint;
import org.robolectric.util.ReflectionHelpers.ClassParameter;
import org.robolectric.util.reflector.Accessor;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;
import org.robolectric.versioning.AndroidVersions.M;
import org.robolectric.versioning.AndroidVersions.N;

import static org.robolectric.util.reflector.Reflector.reflector;

/**
 * Before Android 8, where Robolectric's native graphics begin, it gives text no width at all, and most of a screen is
 * empty. Here text is measured by the {@link Font} that a phone has for it, so that it is nearly as wide and high as on later
 * levels. Nothing is drawn with it. Any thread.
 */
@Implements(value = Paint.class, maxSdk = HostShadowOldPaint.LAST_SDK, isInAndroidSdk = false)
public class HostShadowOldPaint extends ShadowPaint {
  public static final int LAST_SDK = 25;

  private static final Cleaner CLEANER = Cleaner.create();
  private static final float DEFAULT_SIZE = 12;

  /** By the bits of Typeface's styles. */
  private static final Font[] FONTS = {
    load("Roboto-Regular"), load("Roboto-Bold"), load("Roboto-Italic"), load("Roboto-BoldItalic")
  };

  /** What of each paint text is measured by; the framework names a paint by a number. */
  private static final Map<Long, Measure> measures = new ConcurrentHashMap<>();

  private static final AtomicLong lastPaint = new AtomicLong();

  private static final class Measure {
    float size = DEFAULT_SIZE;
    float scaleX = 1;
    float letterSpacing;
    Font font = FONTS[0];

    float advance(int codePoint) {
      float advance = font.advance(codePoint) * size * scaleX;
      return advance == 0 ? 0 : advance + letterSpacing * size;
    }

    /** Fills in the advance of each character, if {@code out} is there; returns their sum. */
    float advances(char[] text, int index, int count, float[] out, int at) {
      float sum = 0;
      for (int i = index; i < index + count; ) {
        int codePoint = Character.codePointAt(text, i, index + count);
        float advance = advance(codePoint);
        for (int j = 0; j < Character.charCount(codePoint); j++, i++) {
          if (out != null) out[at + i - index] = j == 0 ? advance : 0;
        }
        sum += advance;
      }
      return sum;
    }

    int count(char[] text, int index, int count, boolean forwards, float most, float[] width) {
      float[] advances = new float[count];
      advances(text, index, count, advances, 0);
      float sum = 0;
      int fit = 0;
      while (fit < count) {
        float next = sum + advances[forwards ? fit : count - 1 - fit];
        if (next > most) break;
        sum = next;
        fit++;
      }
      if (width != null && width.length > 0) width[0] = sum;
      return fit;
    }

    void bounds(char[] text, int index, int count, Rect out) {
      RectF all = new RectF();
      float x = 0;
      for (int i = index; i < index + count; ) {
        int codePoint = Character.codePointAt(text, i, index + count);
        Font.Box box = font.box(codePoint);
        float across = size * scaleX;
        if (box != null) {
          all.union(x + box.left() * across, -box.top() * size, x + box.right() * across, -box.bottom() * size);
        }
        x += advance(codePoint);
        i += Character.charCount(codePoint);
      }
      all.roundOut(out);
    }

    int offset(char[] text, int start, int end, float advance) {
      float sum = 0;
      for (int i = start; i < end; ) {
        int codePoint = Character.codePointAt(text, i, end);
        float next = sum + advance(codePoint);
        if (advance < (sum + next) / 2) return i;
        sum = next;
        i += Character.charCount(codePoint);
      }
      return end;
    }

    float metrics(FontMetrics out) {
      if (out != null) {
        out.top = -font.top() * size;
        out.ascent = -font.ascent() * size;
        out.descent = font.descent() * size;
        out.bottom = font.bottom() * size;
        out.leading = 0;
      }
      return (font.ascent() + font.descent()) * size;
    }

    int metrics(FontMetricsInt out) {
      int ascent = Math.round(-font.ascent() * size);
      int descent = Math.round(font.descent() * size);
      if (out != null) {
        out.top = (int) Math.floor(-font.top() * size);
        out.ascent = ascent;
        out.descent = descent;
        out.bottom = (int) Math.ceil(font.bottom() * size);
        out.leading = 0;
      }
      return descent - ascent;
    }

    static int cursor(String text, int from, int to, int offset, int option) {
      BreakIterator characters = BreakIterator.getCharacterInstance();
      characters.setText(text);
      if (option == Paint.CURSOR_AFTER) return offset >= to ? to : Math.min(to, characters.following(offset));
      if (option == Paint.CURSOR_BEFORE) return offset <= from ? from : Math.max(from, characters.preceding(offset));
      if (characters.isBoundary(offset)) return offset;
      if (option == Paint.CURSOR_AT_OR_AFTER) return characters.following(offset);
      return option == Paint.CURSOR_AT_OR_BEFORE ? characters.preceding(offset) : -1;
    }
  }

  private static Font load(String name) {
    try (InputStream font = ShadowPaint.class.getClassLoader().getResourceAsStream("fonts/" + name + ".ttf")) {
      return new Font(font.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @RealObject private Paint real;

  @Implementation
  protected void __constructor__(int flags) {
    Shadow.invokeConstructor(Paint.class, real, ClassParameter.from(int.class, flags));
    begin();
    super.setTextSize(DEFAULT_SIZE);
    mirror();
  }

  @Override
  @Implementation
  protected void __constructor__(Paint other) {
    Shadow.invokeConstructor(Paint.class, real, ClassParameter.from(Paint.class, other));
    begin();
    copy(other);
  }

  private void copy(Paint other) {
    super.__constructor__(other);
    // Which Robolectric leaves out.
    super.setTextSize(other.getTextSize());
    super.setTypeface(other.getTypeface());
    super.setTextAlign(other.getTextAlign());
    mirror();
  }

  private void begin() {
    long number = reflector(RealPaint.class, real).getNumber();
    CLEANER.register(real, () -> measures.remove(number));
  }

  private Measure measure() {
    return measures.get(reflector(RealPaint.class, real).getNumber());
  }

  private void mirror() {
    Measure measure = measure();
    measure.size = getTextSize();
    measure.scaleX = getTextScaleX();
    measure.letterSpacing = getLetterSpacing();
    measure.font = font(getTypeface());
  }

  private static Font font(Typeface typeface) {
    return FONTS[typeface == null ? Typeface.NORMAL : typeface.getStyle() & Typeface.BOLD_ITALIC];
  }

  /** Of the paint that the framework knows by this number. */
  static float advances(long paint, char[] text, int index, int count, float[] out, int at) {
    return measures.get(paint).advances(text, index, count, out, at);
  }

  private static long add() {
    long number = lastPaint.incrementAndGet();
    measures.put(number, new Measure());
    return number;
  }

  @Implementation
  protected void set(Paint other) {
    reflector(RealPaint.class, real).set(other);
    copy(other);
  }

  @Implementation
  protected void reset() {
    reflector(RealPaint.class, real).reset();
    super.setTextSize(DEFAULT_SIZE);
    super.setTextScaleX(1);
    super.setTextSkewX(0);
    super.setLetterSpacing(0);
    super.setTypeface(null);
    mirror();
  }

  @Override
  @Implementation
  protected void setTextSize(float size) {
    if (size < 0) return;
    super.setTextSize(size);
    measure().size = size;
  }

  @Override
  @Implementation
  protected void setTextScaleX(float scale) {
    super.setTextScaleX(scale);
    measure().scaleX = scale;
  }

  @Override
  @Implementation
  protected void setLetterSpacing(float spacing) {
    super.setLetterSpacing(spacing);
    measure().letterSpacing = spacing;
  }

  @Override
  @Implementation
  protected Typeface setTypeface(Typeface typeface) {
    measure().font = font(typeface);
    return super.setTypeface(typeface);
  }

  @Override
  @Implementation
  protected float measureText(char[] text, int index, int count) {
    if (count == 0) return 0;
    return (float) Math.ceil(measure().advances(text, index, count, null, 0));
  }

  @Override
  @Implementation
  protected float measureText(String text, int start, int end) {
    char[] part = text.substring(start, end).toCharArray();
    return measureText(part, 0, part.length);
  }

  @Override
  @Implementation
  protected float measureText(String text) {
    return measureText(text, 0, text.length());
  }

  @Override
  @Implementation
  protected float measureText(CharSequence text, int start, int end) {
    return measureText(text.subSequence(start, end).toString());
  }

  @Implementation
  protected int breakText(char[] text, int index, int count, float most, float[] width) {
    return measure().count(text, index, Math.abs(count), count >= 0, most, width);
  }

  @Implementation
  protected int breakText(String text, boolean forwards, float most, float[] width) {
    return measure().count(text.toCharArray(), 0, text.length(), forwards, most, width);
  }

  @Implementation
  protected int getTextWidths(char[] text, int index, int count, float[] widths) {
    measure().advances(text, index, count, widths, 0);
    return count;
  }

  @Implementation
  protected int getTextWidths(String text, int start, int end, float[] widths) {
    return getTextWidths(text.toCharArray(), start, end - start, widths);
  }

  @Implementation
  protected float getTextRunAdvances(
      char[] text, int index, int count, int from, int length, boolean rtl, float[] out, int at) {
    return measure().advances(text, index, count, out, at);
  }

  @Implementation
  protected float getTextRunAdvances(
      String text, int start, int end, int from, int to, boolean rtl, float[] out, int at) {
    return measure().advances(text.toCharArray(), start, end - start, out, at);
  }

  @Implementation
  protected int getTextRunCursor(char[] text, int from, int length, int direction, int offset, int option) {
    return Measure.cursor(new String(text), from, from + length, offset, option);
  }

  @Implementation
  protected int getTextRunCursor(String text, int from, int to, int direction, int offset, int option) {
    return Measure.cursor(text, from, to, offset, option);
  }

  @Implementation
  protected float getRunAdvance(char[] text, int start, int end, int from, int to, boolean rtl, int offset) {
    return measure().advances(text, start, offset - start, null, 0);
  }

  @Implementation
  protected int getOffsetForAdvance(char[] text, int start, int end, int from, int to, boolean rtl, float advance) {
    return measure().offset(text, start, end, advance);
  }

  @Implementation
  protected void getTextBounds(char[] text, int index, int count, Rect out) {
    measure().bounds(text, index, count, out);
  }

  @Implementation
  protected void getTextBounds(String text, int start, int end, Rect out) {
    measure().bounds(text.toCharArray(), start, end - start, out);
  }

  @Implementation
  protected float getFontMetrics(FontMetrics out) {
    return measure().metrics(out);
  }

  @Override
  @Implementation
  protected int getFontMetricsInt(FontMetricsInt out) {
    return measure().metrics(out);
  }

  @Implementation
  protected float ascent() {
    return -measure().font.ascent() * measure().size;
  }

  @Implementation
  protected float descent() {
    return measure().font.descent() * measure().size;
  }

  // A new native paint, by its names in Android 7 and 6.

  @Implementation(minSdk = N.SDK_INT)
  protected static long nInit() {
    return add();
  }

  @Implementation(minSdk = N.SDK_INT)
  protected static long nInitWithPaint(long other) {
    return add();
  }

  @Implementation(maxSdk = M.SDK_INT)
  protected static long native_init() {
    return add();
  }

  @Implementation(maxSdk = M.SDK_INT)
  protected static long native_initWithPaint(long other) {
    return add();
  }

  /** The framework's own methods behind the shadow, and its number. */
  @ForType(Paint.class)
  interface RealPaint {
    @Direct
    void set(Paint other);

    @Direct
    void reset();

    @Accessor("mNativePaint")
    long getNumber();
  }
}
