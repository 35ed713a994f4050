package marmoset.hosted.sandbox;

import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import android.text.InputType;
import android.view.KeyEvent;
import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The soft keyboard as it lies on the screen: where its keys are, and what they do to the focused field. A recording of
 * coordinates types by tapping on keys, so the measures matter: four rows, for text below a strip for suggestions (which
 * makes none). Those of Android 4 are of Android's own keyboard; the later ones fit what recordings from Android 6 show.
 * It covers the app, whose window may make room for it ({@link KeyboardRoom}). Main thread.
 */
final class Keyboard {
  /** A key; {@code text} is what it types, or the name of what it does. */
  record Key(String text, Rect bounds) {}

  static final String DELETE = "Delete";
  static final String SHIFT = "Shift";
  static final String ENTER = "Enter";
  static final String SYMBOLS = "?123";
  static final String LETTERS = "ABC";

  // Of Android 4, and of later phones.
  private static final float[] ROW_DP = {51.4f, 53.5f};
  private static final float[] STRIP_DP = {40, 48};

  private static final String[] LETTER_ROWS = {"qwertyuiop", "asdfghjkl", "zxcvbnm"};
  private static final String[] SYMBOL_ROWS = {"1234567890", "@#$%&-+()", "*\"':;!?"};

  private static final String[][] NUMBER_ROWS = {
    {"1", "2", "3", "-"}, {"4", "5", "6", ","}, {"7", "8", "9", DELETE}, {" ", "0", ".", ENTER}
  };

  private final DisplayState display;
  private final float rowDp;
  private final float stripDp;
  private boolean shifted;
  private boolean symbols;

  Keyboard(DisplayState display) {
    this.display = display;
    rowDp = ROW_DP[display.isAndroid4() ? 0 : 1];
    stripDp = STRIP_DP[display.isAndroid4() ? 0 : 1];
  }

  /** A field that shows the keyboard afresh starts with letters. */
  void hidden() {
    shifted = false;
    symbols = false;
  }

  Rect bounds(View root) {
    Rect area = display.area();
    float height = 4 * rowDp + (isNumeric(root) ? 0 : stripDp);
    return new Rect(area.left, area.bottom - Math.round(height * display.density() / 160), area.right, area.bottom);
  }

  List<Key> keys(View root) {
    Rect area = display.area();
    int row = Math.round(rowDp * display.density() / 160);
    int top = area.bottom - 4 * row;
    List<Key> keys = new ArrayList<>();
    if (isNumeric(root)) {
      for (String[] names : NUMBER_ROWS) {
        // The last column is narrower.
        for (int i = 0; i < 4; i++) add(keys, names[i], i * 26.67f, i < 3 ? (i + 1) * 26.67f : 100, top, row);
        top += row;
      }
      return keys;
    }
    String[] rows = symbols ? SYMBOL_ROWS : LETTER_ROWS;
    for (int i = 0; i < 3; i++) {
      float left = i == 0 ? 0 : i == 1 ? 5 : 15;
      if (i == 2) add(keys, SHIFT, 0, 15, top, row);
      for (int j = 0; j < rows[i].length(); j++) {
        String text = rows[i].substring(j, j + 1);
        if (!symbols && isUpper(root)) text = text.toUpperCase(Locale.ROOT);
        add(keys, text, left + j * 10, left + (j + 1) * 10, top, row);
      }
      if (i == 2) add(keys, DELETE, 85, 100, top, row);
      top += row;
    }
    add(keys, symbols ? LETTERS : SYMBOLS, 0, 15, top, row);
    add(keys, ",", 15, 25, top, row);
    add(keys, " ", 25, 75, top, row);
    add(keys, ".", 75, 85, top, row);
    add(keys, ENTER, 85, 100, top, row);
    return keys;
  }

  /** In percent of the width. */
  private void add(List<Key> keys, String text, float left, float right, int top, int height) {
    int width = display.width();
    keys.add(new Key(text, new Rect(Math.round(left * width / 100), top, Math.round(right * width / 100), top + height)));
  }

  void draw(Canvas canvas, View root) {
    Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    paint.setColor(0xffcfd4d9);
    canvas.drawRect(bounds(root), paint);
    paint.setColor(Color.BLACK);
    paint.setTextAlign(Paint.Align.CENTER);
    paint.setTextSize(18f * display.density() / 160);
    for (Key key : keys(root)) {
      canvas.drawText(key.text, key.bounds.exactCenterX(), key.bounds.centerY() + paint.getTextSize() / 3, paint);
    }
  }

  /** A finger on the keyboard. A place between the keys does nothing. */
  void tap(View root, int x, int y) {
    for (Key key : keys(root)) {
      if (key.bounds.contains(x, y)) {
        press(root, key.text);
        return;
      }
    }
  }

  private void press(View root, String text) {
    switch (text) {
      case SHIFT -> shifted = !shifted;
      case SYMBOLS -> symbols = true;
      case LETTERS -> symbols = false;
      case DELETE -> send(root, KeyEvent.KEYCODE_DEL);
      case ENTER -> enter(root);
      default -> {
        TextInput.type(root, text, false);
        shifted = false;
      }
    }
  }

  private static void send(View root, int code) {
    root.dispatchKeyEvent(new KeyEvent(KeyEvent.ACTION_DOWN, code));
    root.dispatchKeyEvent(new KeyEvent(KeyEvent.ACTION_UP, code));
  }

  /** The field's action, or a line break where it wants that or has none. */
  private static void enter(View root) {
    View field = root.findFocus();
    EditorInfo info = info(field);
    InputConnection connection = field == null ? null : field.onCreateInputConnection(info);
    int action = info.imeOptions & EditorInfo.IME_MASK_ACTION;
    boolean line = (info.imeOptions & EditorInfo.IME_FLAG_NO_ENTER_ACTION) != 0;
    boolean has = action != EditorInfo.IME_ACTION_NONE && action != EditorInfo.IME_ACTION_UNSPECIFIED;
    if (connection != null && has && !line) connection.performEditorAction(action);
    else send(root, KeyEvent.KEYCODE_ENTER);
  }

  private static EditorInfo info(View field) {
    EditorInfo info = new EditorInfo();
    if (field != null) {
      info.packageName = field.getContext().getPackageName();
      info.fieldId = field.getId();
    }
    return info;
  }

  private static int inputType(View root) {
    View field = root.findFocus();
    if (field == null || !field.onCheckIsTextEditor()) return InputType.TYPE_CLASS_TEXT;
    EditorInfo info = info(field);
    field.onCreateInputConnection(info);
    return info.inputType;
  }

  private static boolean isNumeric(View root) {
    int kind = inputType(root) & InputType.TYPE_MASK_CLASS;
    return kind == InputType.TYPE_CLASS_NUMBER
        || kind == InputType.TYPE_CLASS_PHONE
        || kind == InputType.TYPE_CLASS_DATETIME;
  }

  /** By the shift key, or where the field wants a capital letter. */
  private boolean isUpper(View root) {
    View field = root.findFocus();
    if (field == null || !field.onCheckIsTextEditor()) return shifted;
    EditorInfo info = info(field);
    InputConnection connection = field.onCreateInputConnection(info);
    return shifted != (connection != null && connection.getCursorCapsMode(info.inputType) != 0);
  }
}
