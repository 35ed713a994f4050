package org.marmoset.ledger;

import android.app.Activity;
import android.os.AsyncTask;
import android.os.Bundle;
import android.os.Handler;
import android.os.HandlerThread;
import android.os.SystemClock;
import android.util.Log;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Takes the place of the sample app's activity in a test: all the ways in which an Android app uses threads. */
public final class AboutActivity extends Activity {
  private long start;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    start = SystemClock.uptimeMillis();
    for (int i = 0; i < 3; i++) {
      task("pool" + i).executeOnExecutor(AsyncTask.THREAD_POOL_EXECUTOR);
      task("serial" + i).execute();
    }
    CompletableFuture.supplyAsync(() -> "future").thenAcceptAsync(this::log);
    HandlerThread thread = new HandlerThread("handler");
    thread.start();
    Handler handler = new Handler(thread.getLooper());
    handler.post(() -> log("handler"));
    handler.postDelayed(() -> log("delayed"), 150);
    HandlerThread slow = new HandlerThread("slow");
    slow.start();
    Handler waiting = new Handler(slow.getLooper());
    waiting.post(() -> {
      SystemClock.sleep(160);
      log("slow");
    });
    waiting.post(() -> log("late"));
    getSharedPreferences("threads", 0).edit().putInt("number", 1).apply();
    log("preference" + getSharedPreferences("others", 0).getInt("number", 0));
    new Timer().schedule(
        new TimerTask() {
          @Override
          public void run() {
            log("timer");
          }
        },
        120);
    Executors.newScheduledThreadPool(1).schedule(() -> log("scheduled"), 130, TimeUnit.MILLISECONDS);
    new Thread(
            () -> {
              try {
                Thread.sleep(140);
              } catch (InterruptedException e) {
                log("interrupted");
              }
              runOnUiThread(() -> log("ui"));
            })
        .start();
  }

  private AsyncTask<Void, Void, Void> task(String name) {
    return new AsyncTask<Void, Void, Void>() {
      @Override
      protected Void doInBackground(Void... nothing) {
        log(name);
        return null;
      }

      @Override
      protected void onPostExecute(Void nothing) {
        log("post-" + name);
      }
    };
  }

  private void log(String what) {
    Log.i("order", what + "@" + (SystemClock.uptimeMillis() - start));
  }
}
