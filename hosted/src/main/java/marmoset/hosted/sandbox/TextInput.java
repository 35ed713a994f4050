package marmoset.hosted.sandbox;

import android.os.Build;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.View;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;

/** Text from the soft keyboard: through the focused view's input connection, else as key presses. Main thread. */
final class TextInput {
  private TextInput() {}

  /** False where no view takes text. */
  static boolean type(View root, String text, boolean replace) {
    View focused = root.findFocus();
    if (focused == null) return false;
    EditorInfo info = new EditorInfo();
    info.packageName = focused.getContext().getPackageName();
    info.fieldId = focused.getId();
    InputConnection connection = focused.onCheckIsTextEditor() ? focused.onCreateInputConnection(info) : null;
    if (connection == null) return keys(root, text);
    connection.beginBatchEdit();
    try {
      if (replace) connection.performContextMenuAction(android.R.id.selectAll);
      if (text.isEmpty() && replace) {
        connection.commitText("", 1);
      } else {
        connection.finishComposingText();
        connection.commitText(text, 1);
      }
    } finally {
      connection.endBatchEdit();
    }
    if (Build.VERSION.SDK_INT >= 24) connection.closeConnection();
    return true;
  }

  private static boolean keys(View root, String text) {
    KeyEvent[] events = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD).getEvents(text.toCharArray());
    if (events == null) return false;
    for (KeyEvent event : events) root.dispatchKeyEvent(event);
    return true;
  }
}
