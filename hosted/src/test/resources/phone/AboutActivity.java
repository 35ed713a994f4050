package org.marmoset.ledger;

import android.app.Activity;
import android.app.Fragment;
import android.content.Context;
import android.content.pm.ActivityInfo;
import android.os.Bundle;
import android.os.Handler;
import android.os.SystemClock;
import android.util.Log;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import java.io.BufferedReader;
import java.io.File;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Does what its intent says: looks at the phone's files, keeps its main thread busy in one way or another,
 * or takes memory. */
public final class AboutActivity extends Activity {
  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    String what = String.valueOf(getIntent().getStringExtra("what"));
    setContentView(new ReadView(this, what));
    switch (what) {
      case "files":
        files();
        break;
      case "posts":
        new Poster().run();
        break;
      case "sleeps":
        SystemClock.sleep(6000);
        break;
      case "loops":
        while (Thread.currentThread() != null) {}
        break;
      case "part":
        log("part of this process " + (Fragment.instantiate(this, Part.class.getName()) instanceof Part));
        break;
      case "eats":
        while (true) EATEN.add(new byte[1 << 16]);
      case "eats on":
        eatOn();
        break;
      case "eats beside":
        new Thread(AboutActivity::eatOn, "eater").start();
        break;
      case "one bite":
        try {
          log("" + new int[1 << 30].length);
        } catch (OutOfMemoryError e) {
          log("refused");
        }
        break;
      default:
        break;
    }
  }

  private static final List<Object> EATEN = new ArrayList<>();

  private static void eatOn() {
    while (true) {
      try {
        EATEN.add(new Object[4]);
      } catch (OutOfMemoryError e) {
        // Tries again.
      }
    }
  }

  private static void log(String text) {
    Log.i("phone", text);
  }

  private void files() {
    log("root " + Arrays.toString(new File("/").list()));
    log("cpu " + read("/proc/cpuinfo") + ", " + read("/proc/../proc/self/../cpuinfo"));
    log("passwd " + read("/etc/passwd"));
    log("host " + new File("/usr/lib/jvm").exists() + new File("/lib64").exists() + Files.exists(Paths.get("/usr")));
    log("write " + write("/system/x") + ", " + write("/x") + ", " + new File("/new").mkdir());
    log("shared " + write("/sdcard/x") + ", " + read("/storage/emulated/0/x"));
    log("own " + write(getFilesDir() + "/x") + ", " + read("/data/data/" + getPackageName() + "/files/x"));
    log("changed " + new File(getFilesDir(), "x").lastModified());
    log("properties " + System.getProperty("os.arch") + " " + System.getenv("ANDROID_ROOT") + " " + System.getenv("USER"));
    try {
      log("temporary " + File.createTempFile("abc", null).exists());
      Runtime.getRuntime().exec("id");
      log("ran");
    } catch (IOException e) {
      log("exec " + e.getMessage());
    }
  }

  private static String read(String path) {
    try (BufferedReader in = new BufferedReader(new FileReader(path))) {
      return in.readLine();
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private static String write(String path) {
    try (FileWriter out = new FileWriter(path)) {
      out.write("text");
      return "written";
    } catch (IOException e) {
      return e.getMessage();
    }
  }

  private static final class Poster implements Runnable {
    private final Handler handler = new Handler();

    @Override
    public void run() {
      handler.post(this);
    }
  }

  public static final class Part extends Fragment {}

  /** Its accessibility node throws or takes a long time, or it asks for another orientation while it is measured. */
  private static final class ReadView extends View {
    private final String what;

    ReadView(Context context, String what) {
      super(context);
      this.what = what;
    }

    @Override
    protected void onMeasure(int width, int height) {
      super.onMeasure(width, height);
      if (what.equals("turns")) {
        ((Activity) getContext()).setRequestedOrientation(ActivityInfo.SCREEN_ORIENTATION_LANDSCAPE);
      }
    }

    @Override
    public void onInitializeAccessibilityNodeInfo(AccessibilityNodeInfo info) {
      super.onInitializeAccessibilityNodeInfo(info);
      if (what.equals("read throws")) throw new IllegalStateException("read");
      if (what.equals("read sleeps")) SystemClock.sleep(7000);
    }
  }
}
