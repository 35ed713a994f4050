package marmoset.hosted.sandbox;

import android.content.res.Resources;
import android.graphics.Rect;
import android.os.Build.VERSION;
import android.view.View;
import android.view.ViewGroup;
import android.view.accessibility.AccessibilityNodeInfo;
import android.webkit.WebView;
import android.widget.AbsListView;
import android.widget.EditText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import marmoset.hosted.sandbox.shadows.HostShadowWebView;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.versioning.AndroidVersions.O;

/**
 * Reads the screen as uiautomator would: all windows, their visible widgets in pre-order, attributes from the widgets'
 * accessibility nodes. Main thread; the app's own view code runs while it is read.
 */
final class ScreenReader {
  private final DisplayState display;
  private final String appPackage;

  ScreenReader(DisplayState display, String appPackage) {
    this.display = display;
    this.appPackage = appPackage;
  }

  /** The protocol's screen object. */
  Map<String, Object> read(ActivityStack stack, Actions actions) {
    boolean keyboard = actions.keyboardVisible();
    SystemScreen overlay = stack.overlay();
    ActivityRecord top = stack.top();
    Map<String, Object> screen = new LinkedHashMap<>();
    List<Map<String, Object>> windows = new ArrayList<>();
    if (overlay != null) {
      screen.put("package", overlay.packageName);
      screen.put("activity", overlay.activityName);
    } else if (top != null) {
      screen.put("package", appPackage);
      screen.put("activity", top.activity().getClass().getName());
    } else {
      screen.put("package", "com.android.launcher");
      screen.put("activity", "");
    }
    screen.put("width", display.width());
    screen.put("height", display.height());
    screen.put("rotation", display.rotation());
    screen.put("keyboard", keyboard && overlay == null && top != null);
    int notifications = actions.notifications().posted().size();
    if (notifications > 0) screen.put("notifications", notifications);
    screen.put("windows", windows);
    if (overlay == null || overlay.dialog) {
      List<Windows.Window> visible = Windows.visible(stack);
      Windows.Window focused = overlay == null ? Windows.focused(visible) : null;
      for (Windows.Window window : visible) windows.add(read(window, window == focused));
    }
    Actions.Typing typing = overlay == null ? actions.typing() : null;
    if (typing != null && typing.onTop()) windows.add(read(actions.keyboard(), typing.root()));
    if (overlay != null) windows.add(read(overlay));
    return screen;
  }

  /** What is on the screen when no app is. */
  static Map<String, Object> home(int width, int height, int rotation) {
    Map<String, Object> screen = new LinkedHashMap<>();
    screen.put("package", "com.android.launcher");
    screen.put("activity", "");
    screen.put("width", width);
    screen.put("height", height);
    screen.put("rotation", rotation);
    screen.put("keyboard", false);
    screen.put("windows", new ArrayList<>());
    return screen;
  }

  private Map<String, Object> read(Windows.Window window, boolean focused) {
    Rect area = display.area();
    Rect bounds = new Rect(0, 0, window.root().getWidth(), window.root().getHeight());
    bounds.offset(window.x(), window.y() + display.statusBar());
    // A window that fills the app's area has the bars behind it, as on a phone.
    if (bounds.contains(area)) bounds.set(0, 0, display.width(), display.height());
    List<Map<String, Object>> widgets = new ArrayList<>();
    addWidget(window.root(), -1, 0, window.x(), window.y() + display.statusBar(), widgets);
    CharSequence title = window.params().getTitle();
    // A popup's title ends in the object's hash, which says nothing and differs from run to run.
    String name = title == null ? "" : title.toString().replaceFirst("^(PopupWindow):[0-9a-f]+$", "$1");
    return window(name, window.type(), bounds, focused, widgets);
  }

  private static Map<String, Object> window(
      String title, String type, Rect bounds, boolean focused, List<Map<String, Object>> widgets) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("title", title);
    result.put("type", type);
    result.put("bounds", box(bounds));
    result.put("focused", focused);
    result.put("widgets", widgets);
    return result;
  }

  private static int[] box(Rect rect) {
    return new int[] {rect.left, rect.top, rect.right, rect.bottom};
  }

  private void addWidget(View view, int parent, int index, int dx, int dy, List<Map<String, Object>> widgets) {
    if (view.getVisibility() != View.VISIBLE || view.getAlpha() <= 0) return;
    Rect bounds = new Rect();
    if (!view.getGlobalVisibleRect(bounds)) return;
    bounds.offset(dx, dy);
    AccessibilityNodeInfo node = view.createAccessibilityNodeInfo();
    if (node == null) return;
    addListItem(view, node);
    Map<String, Object> widget = new LinkedHashMap<>();
    widget.put("parent", parent);
    widget.put("index", index);
    widget.put("class", text(node.getClassName(), view.getClass().getName()));
    widget.put("id", id(view));
    widget.put("text", text(node.getText(), ""));
    widget.put("desc", text(node.getContentDescription(), ""));
    if (view instanceof WebView web) addPage(web, widget);
    widget.put("hint", VERSION.SDK_INT >= O.SDK_INT ? text(node.getHintText(), "") : "");
    widget.put("package", appPackage);
    widget.put("bounds", box(bounds));
    widget.put("flags", flags(view, node));
    int self = widgets.size();
    widgets.add(widget);
    if (view instanceof ViewGroup group) {
      for (int i = 0; i < group.getChildCount(); i++) addWidget(group.getChildAt(i), self, i, dx, dy, widgets);
    }
  }

  /** A browser is a leaf that holds its page's address and text. */
  private static void addPage(WebView web, Map<String, Object> widget) {
    HostShadowWebView page = Shadow.extract(web);
    widget.put("text", page.text());
    widget.put("desc", page.address());
  }

  /** A list makes its rows clickable in their accessibility nodes, but only while a screen reader is on. */
  private static void addListItem(View view, AccessibilityNodeInfo node) {
    if (!(view.getParent() instanceof AbsListView list)) return;
    int position = list.getPositionForView(view);
    if (position >= 0) list.onInitializeAccessibilityNodeInfoForItem(view, position, node);
  }

  private static String text(CharSequence text, String fallback) {
    return text == null ? fallback : text.toString();
  }

  private static String id(View view) {
    if (view.getId() == View.NO_ID || (view.getId() >>> 24) == 0) return "";
    try {
      return view.getResources().getResourceName(view.getId());
    } catch (Resources.NotFoundException e) {
      return "";
    }
  }

  private static List<String> flags(View view, AccessibilityNodeInfo node) {
    List<String> flags = new ArrayList<>(4);
    if (node.isCheckable()) flags.add("checkable");
    if (node.isChecked()) flags.add("checked");
    if (node.isClickable()) flags.add("clickable");
    if (node.isEnabled()) flags.add("enabled");
    if (node.isFocusable()) flags.add("focusable");
    if (node.isFocused()) flags.add("focused");
    if (node.isScrollable()) flags.add("scrollable");
    if (node.isLongClickable()) flags.add("long_clickable");
    if (node.isPassword()) flags.add("password");
    if (node.isSelected()) flags.add("selected");
    if (node.isEditable() || view instanceof EditText) flags.add("editable");
    return flags;
  }

  private Map<String, Object> read(SystemScreen screen) {
    List<Map<String, Object>> widgets = new ArrayList<>();
    widgets.add(systemWidget(screen.packageName, -1, 0, "android.widget.FrameLayout", "", "", screen.bounds, false));
    for (SystemScreen.Item item : screen.items) {
      widgets.add(
          systemWidget(
              screen.packageName, 0, widgets.size() - 1, item.widgetClass(), item.id(), item.text(), item.bounds(),
              item.onTap() != null));
    }
    String title = screen.packageName + "/" + screen.activityName;
    return window(title, screen.dialog ? "system" : "activity", screen.bounds, true, widgets);
  }

  private static Map<String, Object> read(Keyboard keyboard, View typing) {
    String owner = "com.android.inputmethod.latin";
    Rect bounds = keyboard.bounds(typing);
    List<Map<String, Object>> widgets = new ArrayList<>();
    widgets.add(systemWidget(owner, -1, 0, "android.widget.FrameLayout", "", "", bounds, false));
    for (Keyboard.Key key : keyboard.keys(typing)) {
      widgets.add(
          systemWidget(owner, 0, widgets.size() - 1, "android.view.View", "", key.text(), key.bounds(), true));
    }
    return window("InputMethod", "keyboard", bounds, false, widgets);
  }

  private static Map<String, Object> systemWidget(
      String owner, int parent, int index, String type, String id, String text, Rect bounds, boolean clickable) {
    Map<String, Object> widget = new LinkedHashMap<>();
    widget.put("parent", parent);
    widget.put("index", index);
    widget.put("class", type);
    widget.put("id", id);
    widget.put("text", text);
    widget.put("desc", "");
    widget.put("hint", "");
    widget.put("package", owner);
    widget.put("bounds", box(bounds));
    widget.put("flags", clickable ? List.of("clickable", "enabled", "focusable") : List.of("enabled"));
    return widget;
  }
}
