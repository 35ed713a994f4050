package marmoset.hosted.sandbox;

import android.app.Activity;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.pm.ActivityInfo;
import android.content.res.TypedArray;
import android.os.Build.VERSION;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.os.Parcel;
import android.util.AndroidRuntimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import marmoset.hosted.RequestError;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.shadow.api.Shadow;
import org.robolectric.shadows.ShadowActivity;
import org.robolectric.versioning.AndroidVersions.N;
import org.robolectric.versioning.AndroidVersions.P;

/**
 * Android's activity manager, as far as an app can see it: tasks, launch modes, intent flags, results, finishing, and the
 * order of the lifecycle calls. Robolectric only records what was started; this class does it.
 *
 * <p>All tasks are in one list from back to front; records of the front task are contiguous at its end. Requests arrive
 * from the app's code and take effect in a message of the main looper, as on a phone, where they come back from another
 * process. Main thread only. Exceptions of the app's code pass through.
 */
final class ActivityStack {
  private static final int DONT_CARE = -1;

  private final Context context;
  private final Events events;
  private final Lifecycle lifecycle;
  private final Permissions permissions;
  private final DisplayState display;
  private final Handler handler = new Handler(Looper.getMainLooper());
  private final List<ActivityRecord> records = new ArrayList<>();
  private final List<SystemScreen> overlays = new ArrayList<>();
  private boolean home = true;
  private int nextTask = 1;

  ActivityStack(Context context, Events events, Lifecycle lifecycle, Permissions permissions, DisplayState display) {
    this.context = context;
    this.events = events;
    this.lifecycle = lifecycle;
    this.permissions = permissions;
    this.display = display;
  }

  /** All activities from back to front. */
  List<ActivityRecord> records() {
    return records;
  }

  /** The front activity; null on the home screen. */
  ActivityRecord top() {
    return home || records.isEmpty() ? null : records.get(records.size() - 1);
  }

  /** The screen of the system or of another app that covers the app; null where there is none. */
  SystemScreen overlay() {
    return overlays.isEmpty() ? null : overlays.get(overlays.size() - 1);
  }

  boolean isHome() {
    return home && overlays.isEmpty();
  }

  ActivityRecord find(Activity activity) {
    for (ActivityRecord record : records) {
      if (record.is(activity)) return record;
    }
    return null;
  }

  /** Android 7 and 8 forgot to ask for it, which later ones grant to apps that were made for them. */
  private boolean isNewTaskNeeded() {
    if (VERSION.SDK_INT < N.SDK_INT) return true;
    if (VERSION.SDK_INT < P.SDK_INT) return false;
    int target = context.getApplicationInfo().targetSdkVersion;
    return target < N.SDK_INT || target >= P.SDK_INT;
  }

  /** The app starts an activity. Throws what startActivity throws: nobody answers the intent, or a wrong context. */
  void start(Context caller, String who, Intent intent, int requestCode, Bundle options) {
    Activity callingActivity = caller instanceof Activity activity ? activity : null;
    ActivityRecord source = callingActivity == null ? null : find(outermost(callingActivity));
    if (Permissions.isRequest(intent)) {
      handler.post(() -> askPermissions(source, who, requestCode, intent));
      return;
    }
    if (callingActivity == null && (intent.getFlags() & Intent.FLAG_ACTIVITY_NEW_TASK) == 0 && isNewTaskNeeded()) {
      throw new AndroidRuntimeException(
          "Calling startActivity() from outside of an Activity context requires the FLAG_ACTIVITY_NEW_TASK flag."
              + " Is this really what you want?");
    }
    Intent copy = new Intent(intent);
    IntentResolver.Answer answer = IntentResolver.resolve(context, copy);
    if (answer.neighbour() != null) {
      boolean blocked = display.neighboursBlocked();
      events.add("left_app", "intent", intent.toString(), "answer", blocked ? "canceled" : "stub");
      handler.post(() -> showNeighbour(answer.neighbour(), copy, source, who, requestCode, blocked));
      return;
    }
    copy.setComponent(new ComponentName(answer.activity().packageName, answer.activity().name));
    handler.post(() -> launch(answer.activity(), copy, source, who, requestCode, options));
  }

  /** The user starts an activity from the launcher or the tester names one. */
  void launchFromHome(Intent intent) {
    IntentResolver.Answer answer = IntentResolver.resolve(context, intent);
    if (answer.activity() == null) throw new IllegalArgumentException("no activity of the app: " + intent);
    Intent copy = new Intent(intent).addFlags(Intent.FLAG_ACTIVITY_NEW_TASK);
    copy.setComponent(new ComponentName(answer.activity().packageName, answer.activity().name));
    handler.post(() -> launch(answer.activity(), copy, null, null, DONT_CARE, null));
  }

  private static Activity outermost(Activity activity) {
    Activity outer = activity;
    while (outer.getParent() != null) outer = outer.getParent();
    return outer;
  }

  private void launch(
      ActivityInfo info, Intent intent, ActivityRecord source, String who, int requestCode, Bundle options) {
    String className = info.targetActivity != null ? info.targetActivity : info.name;
    int flags = intent.getFlags();
    boolean newTask =
        (flags & Intent.FLAG_ACTIVITY_NEW_TASK) != 0
            || source == null
            || info.launchMode == ActivityInfo.LAUNCH_SINGLE_TASK
            || info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE
            || source.info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    ActivityRecord resultTo = requestCode >= 0 ? source : null;
    if (resultTo != null && newTask && (flags & Intent.FLAG_ACTIVITY_NEW_TASK) != 0) {
      // A result cannot cross tasks: the caller hears "cancelled" at once.
      lifecycle.deliverResult(resultTo, who, requestCode, Activity.RESULT_CANCELED, null);
      resultTo = null;
    }
    if (top() != null && source != null) lifecycle.userLeaving(top());

    int task = newTask ? findTask(info, className) : source.task;
    if (task != 0) {
      boolean wasHome = home;
      home = false;
      moveToFront(task);
      if ((flags & Intent.FLAG_ACTIVITY_CLEAR_TASK) != 0) {
        clearTask(task);
      } else if (reuse(info, className, intent, task, newTask, wasHome)) {
        return;
      }
    } else {
      task = nextTask++;
    }
    home = false;
    push(info, className, intent, resultTo, who, requestCode, task, options);
  }

  /** Brings an existing activity of the task to the front where launch mode or flags say so. */
  private boolean reuse(
      ActivityInfo info, String className, Intent intent, int task, boolean newTask, boolean wasHome) {
    int flags = intent.getFlags();
    ActivityRecord front = records.get(records.size() - 1);
    boolean single =
        info.launchMode == ActivityInfo.LAUNCH_SINGLE_TASK || info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE;
    boolean clearTop = (flags & Intent.FLAG_ACTIVITY_CLEAR_TOP) != 0 || single;
    boolean singleTop =
        (flags & Intent.FLAG_ACTIVITY_SINGLE_TOP) != 0 || info.launchMode == ActivityInfo.LAUNCH_SINGLE_TOP;
    ActivityRecord existing = findInTask(task, className);
    if (clearTop && existing != null) {
      finishAbove(existing);
      if (single || singleTop) {
        revive(existing);
        lifecycle.newIntent(existing, intent);
        resumeTop();
        return true;
      }
      records.remove(existing);
      lifecycle.destroy(existing);
      return false;
    }
    if ((flags & Intent.FLAG_ACTIVITY_REORDER_TO_FRONT) != 0 && existing != null) {
      if (existing != front) {
        lifecycle.pause(front);
        records.remove(existing);
        records.add(existing);
      }
      revive(existing);
      lifecycle.newIntent(existing, intent);
      resumeTop();
      lifecycle.stopHidden(records);
      return true;
    }
    if (singleTop && front.className.equals(className)) {
      revive(front);
      lifecycle.newIntent(front, intent);
      resumeTop();
      return true;
    }
    // The launcher brings a running app back as it was left.
    boolean fromLauncher = wasHome && newTask && sameRoot(task, intent);
    if (fromLauncher) {
      resumeTop();
      return true;
    }
    return false;
  }

  private boolean sameRoot(int task, Intent intent) {
    for (ActivityRecord record : records) {
      if (record.task == task) return record.intent.filterEquals(intent);
    }
    return false;
  }

  private ActivityRecord findInTask(int task, String className) {
    for (int i = records.size() - 1; i >= 0; i--) {
      ActivityRecord record = records.get(i);
      if (record.task == task && record.className.equals(className) && !record.isFinishing()) return record;
    }
    return null;
  }

  /** The task that a new-task start joins: one of the same affinity; its own for singleInstance; 0 for none. */
  private int findTask(ActivityInfo info, String className) {
    for (int i = records.size() - 1; i >= 0; i--) {
      ActivityRecord record = records.get(i);
      if (record.info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE
          || info.launchMode == ActivityInfo.LAUNCH_SINGLE_INSTANCE) {
        if (record.className.equals(className)) return record.task;
      } else if (Objects.equals(record.info.taskAffinity, info.taskAffinity)) {
        return record.task;
      }
    }
    return 0;
  }

  private void moveToFront(int task) {
    ActivityRecord front = records.get(records.size() - 1);
    if (front.task == task) return;
    lifecycle.pause(front);
    List<ActivityRecord> moved = new ArrayList<>();
    for (ActivityRecord record : records) {
      if (record.task == task) moved.add(record);
    }
    records.removeAll(moved);
    records.addAll(moved);
  }

  private void clearTask(int task) {
    for (int i = records.size() - 1; i >= 0; i--) {
      ActivityRecord record = records.get(i);
      if (record.task == task) {
        records.remove(i);
        lifecycle.destroy(record);
      }
    }
  }

  private void finishAbove(ActivityRecord record) {
    while (records.get(records.size() - 1) != record) {
      lifecycle.destroy(records.remove(records.size() - 1));
    }
  }

  private void push(
      ActivityInfo info,
      String className,
      Intent intent,
      ActivityRecord resultTo,
      String who,
      int requestCode,
      int task,
      Bundle options) {
    ActivityRecord below = records.isEmpty() ? null : records.get(records.size() - 1);
    if (below != null) lifecycle.pause(below);
    ActivityRecord record =
        new ActivityRecord(info, className, intent, resultTo, who, requestCode, task, isTranslucent(info));
    record.make(options);
    records.add(record);
    if (!bringUp(record)) return;
    display.onTopChanged(record.activity());
    lifecycle.stopHidden(records);
    if (below != null && (below.intent.getFlags() & Intent.FLAG_ACTIVITY_NO_HISTORY) != 0
        || below != null && (below.info.flags & ActivityInfo.FLAG_NO_HISTORY) != 0) {
      below.activity().finish();
      settle();
    }
  }

  /** Begins the life of an instance. False where it has finished itself in onCreate. */
  private boolean bringUp(ActivityRecord record) {
    ShadowActivity shadow = Shadow.extract(record.activity());
    if (record.resultTo != null) shadow.setCallingActivity(record.resultTo.component());
    int at = records.indexOf(record);
    shadow.setIsTaskRoot(at == 0 || records.get(at - 1).task != record.task);
    events.add("activity", "name", record.className);
    if (lifecycle.create(record, record.savedState)) return true;
    settle();
    return false;
  }

  /** Makes an activity anew whose process has ended. */
  private void revive(ActivityRecord record) {
    if (record.state != ActivityRecord.State.SAVED) return;
    record.configurationChanged = false;
    record.make(null);
    bringUp(record);
  }

  private boolean isTranslucent(ActivityInfo info) {
    int theme = info.getThemeResource();
    if (theme == 0) return false;
    TypedArray attributes =
        RuntimeEnvironment.getApplication()
            .getResources()
            .newTheme()
            .obtainStyledAttributes(theme, com.android.internal.R.styleable.Window);
    try {
      return attributes.getBoolean(com.android.internal.R.styleable.Window_windowIsTranslucent, false)
          || attributes.getBoolean(com.android.internal.R.styleable.Window_windowIsFloating, false);
    } finally {
      attributes.recycle();
    }
  }

  /** An activity has called finish(); takes effect in a later message. */
  void finishing() {
    handler.post(this::settle);
  }

  /** finishAffinity(): this activity and all below it in its task. */
  void finishAffinity(Activity activity) {
    ActivityRecord record = find(activity);
    if (record == null) return;
    for (ActivityRecord other : records) {
      boolean below = other.task == record.task && records.indexOf(other) < records.indexOf(record);
      if (below && other.state != ActivityRecord.State.SAVED) other.activity().finish();
    }
    records.removeIf(other -> other.task == record.task && other.state == ActivityRecord.State.SAVED);
    finishing();
  }

  /**
   * Destroys what is finishing, from the top, delivers results and resumes what comes to the front. The app's own code
   * runs in between and may end more activities, or come back here.
   */
  private void settle() {
    for (ActivityRecord record = lastFinishing(); record != null; record = lastFinishing()) {
      boolean wasTop = record == records.get(records.size() - 1);
      if (wasTop && record.state == ActivityRecord.State.RESUMED) lifecycle.pause(record);
      if (!records.remove(record)) continue;
      lifecycle.takeResult(record, records);
      if (wasTop && overlays.isEmpty() && !home) resumeTop();
      lifecycle.destroy(record);
    }
    if (records.isEmpty() && !home) {
      home = true;
      events.add("finished");
    }
  }

  private ActivityRecord lastFinishing() {
    for (int i = records.size() - 1; i >= 0; i--) {
      ActivityRecord record = records.get(i);
      if (record.isFinishing() && record.state != ActivityRecord.State.DESTROYED) return record;
    }
    return null;
  }

  private void resumeTop() {
    if (records.isEmpty()) return;
    ActivityRecord top = records.get(records.size() - 1);
    if (top.isFinishing()) return;
    revive(top);
    if (top.isFinishing()) return;
    lifecycle.resume(top);
    display.onTopChanged(top.activity());
    lifecycle.stopHidden(records);
  }

  /** The HOME key, or an activity that moves its task to the back. */
  void goHome() {
    overlays.clear();
    ActivityRecord top = top();
    home = true;
    if (top == null) return;
    lifecycle.userLeaving(top);
    lifecycle.pause(top);
    lifecycle.stopAll(records);
  }

  /** The display has turned or its configuration has changed: all activities learn of it, hidden ones later. */
  void configurationChanged() {
    for (ActivityRecord record : new ArrayList<>(records)) {
      if (record == top()) lifecycle.applyConfiguration(record);
      else record.configurationChanged = true;
    }
  }

  /** recreate(): the same activity with a new instance, its state kept. */
  void recreate(Activity activity) {
    handler.post(
        () -> {
          ActivityRecord record = find(activity);
          if (record != null && !activity.isFinishing()) lifecycle.recreate(record);
        });
  }

  private void showNeighbour(
      Neighbours.App app, Intent intent, ActivityRecord source, String who, int requestCode, boolean blocked) {
    if (blocked) {
      if (source != null && requestCode >= 0 && records.contains(source)) {
        lifecycle.deliverResult(source, who, requestCode, Activity.RESULT_CANCELED, null);
      }
      return;
    }
    if (Neighbours.isHome(app) && requestCode < 0) {
      goHome();
      return;
    }
    ActivityRecord top = top();
    if (top != null) {
      lifecycle.userLeaving(top);
      lifecycle.pause(top);
      lifecycle.stopAll(records);
    }
    boolean picks = requestCode >= 0 && Neighbours.isContacts(app) && Contacts.isPick(intent);
    SystemScreen screen =
        SystemScreen.neighbour(
            display.area(),
            display.density(),
            app,
            picks ? Contacts.PICKER : ".Main",
            () -> closeOverlay(source, who, requestCode, Activity.RESULT_CANCELED, null));
    if (picks) {
      SystemScreen.Rows rows = new SystemScreen.Rows(screen, display.density());
      Contacts.choices(intent)
          .forEach(
              (text, uri) ->
                  rows.add(
                      "",
                      text,
                      () -> closeOverlay(source, who, requestCode, Activity.RESULT_OK, Contacts.picked(uri))));
    }
    overlays.add(screen);
  }

  /** Puts a screen of the system over the app, whose activity stays where it is in its life. */
  void cover(SystemScreen screen) {
    overlays.add(screen);
  }

  /** Takes the front one of these screens away. */
  void uncover() {
    overlays.remove(overlays.size() - 1);
  }

  private void askPermissions(ActivityRecord source, String who, int requestCode, Intent request) {
    if (source == null) return;
    Permissions.Question question = permissions.ask(context, request);
    if (question.text() == null) {
      lifecycle.deliverResult(source, who, requestCode, Activity.RESULT_OK, permissions.answer(request));
      return;
    }
    if (source == top()) lifecycle.pause(source);
    Runnable allow =
        () -> {
          permissions.grant(question.asked());
          closeOverlay(source, who, requestCode, Activity.RESULT_OK, permissions.answer(request));
        };
    Runnable deny =
        () -> {
          permissions.deny(question.asked());
          closeOverlay(source, who, requestCode, Activity.RESULT_OK, permissions.answer(request));
        };
    overlays.add(SystemScreen.permission(display.area(), display.density(), question.text(), allow, deny));
  }

  /** A screen of the system is left, with a result for who has asked for one. */
  private void closeOverlay(ActivityRecord source, String who, int requestCode, int code, Intent data) {
    uncover();
    if (source != null && requestCode >= 0 && records.contains(source)) source.addResult(who, requestCode, code, data);
    if (overlays.isEmpty() && !home) resumeTop();
  }

  /**
   * What the system keeps of the activities when their process ends, as bytes: no object of the process survives in it.
   * REQUIRES: all are stopped. Throws what the app's own Parcelables throw.
   */
  byte[] save() {
    Parcel parcel = Parcel.obtain();
    parcel.writeInt(nextTask);
    List<ActivityRecord> kept = new ArrayList<>(records);
    kept.removeIf(ActivityRecord::isFinishing);
    parcel.writeInt(kept.size());
    for (ActivityRecord record : kept) {
      parcel.writeString(record.info.name);
      parcel.writeString(record.className);
      parcel.writeParcelable(record.intent, 0);
      parcel.writeInt(kept.indexOf(record.resultTo));
      parcel.writeString(record.resultWho);
      parcel.writeInt(record.requestCode);
      parcel.writeInt(record.task);
      parcel.writeInt(record.translucent ? 1 : 0);
      parcel.writeBundle(record.savedState);
      parcel.writeInt(record.results().size());
      for (ActivityRecord.Result result : record.results()) {
        parcel.writeString(result.who());
        parcel.writeInt(result.requestCode());
        parcel.writeInt(result.resultCode());
        parcel.writeParcelable(result.data(), 0);
      }
    }
    try {
      return parcel.marshall();
    } catch (RuntimeException e) {
      // A phone's system keeps binders of other processes; bytes cannot.
      throw new RequestError(RequestError.HOST_GAP, "process death: the state of an activity cannot be kept: " + e, e);
    } finally {
      parcel.recycle();
    }
  }

  /** The user comes back to the activities of a process that has ended: what shows of them is made anew. */
  void restore(byte[] saved) {
    Parcel parcel = Parcel.obtain();
    parcel.unmarshall(saved, 0, saved.length);
    parcel.setDataPosition(0);
    nextTask = parcel.readInt();
    int count = parcel.readInt();
    for (int i = 0; i < count; i++) records.add(read(parcel));
    parcel.recycle();
    if (records.isEmpty()) return;
    home = false;
    int shown = records.size() - 1;
    while (shown > 0 && records.get(shown).translucent) shown--;
    for (ActivityRecord record : new ArrayList<>(records.subList(shown, records.size()))) {
      if (records.indexOf(record) > 0) lifecycle.pause(records.get(records.indexOf(record) - 1));
      revive(record);
    }
    if (top() != null) display.onTopChanged(top().activity());
  }

  private ActivityRecord read(Parcel parcel) {
    ClassLoader loader = AppClasses.loader();
    String name = parcel.readString();
    String className = parcel.readString();
    Intent intent = parcel.readParcelable(loader);
    intent.setExtrasClassLoader(loader);
    int resultTo = parcel.readInt();
    ActivityRecord record =
        new ActivityRecord(
            IntentResolver.own(context, new ComponentName(context, name)),
            className,
            intent,
            resultTo < 0 ? null : records.get(resultTo),
            parcel.readString(),
            parcel.readInt(),
            parcel.readInt(),
            parcel.readInt() != 0);
    record.savedState = parcel.readBundle(loader);
    int results = parcel.readInt();
    for (int i = 0; i < results; i++) {
      record.addResult(
          parcel.readString(), parcel.readInt(), parcel.readInt(), parcel.readParcelable(loader));
    }
    record.state = ActivityRecord.State.SAVED;
    return record;
  }
}
