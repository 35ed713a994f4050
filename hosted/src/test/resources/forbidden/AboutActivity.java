package org.marmoset.ledger;

import android.app.Activity;
import android.content.Intent;
import android.graphics.Bitmap;
import android.graphics.Canvas;
import android.graphics.Rect;
import android.graphics.Region;
import android.net.Uri;
import android.os.Bundle;
import android.util.ArrayMap;
import android.util.Log;
import java.net.InetAddress;
import java.net.Socket;

/** Does what Android forbids to apps that were made for a recent version of it, and logs what it threw. */
public final class AboutActivity extends Activity {
  private interface Attempt {
    void run() throws Exception;
  }

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    attempt("name", () -> InetAddress.getByName("example.com"));
    attempt("connection", () -> new Socket(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 9));
    Thread beside = new Thread(() -> attempt("name beside", () -> InetAddress.getByName("example.com")));
    beside.start();
    attempt("join", beside::join);
    Uri picture = Uri.parse("file:///sdcard/picture.png");
    attempt("file", () -> startActivity(new Intent(Intent.ACTION_VIEW).setDataAndType(picture, "image/png")));
    ArrayMap<String, String> map = new ArrayMap<>();
    map.put("first", "");
    attempt("index", () -> map.valueAt(1));
    Canvas canvas = new Canvas(Bitmap.createBitmap(9, 9, Bitmap.Config.ARGB_8888));
    attempt("clip", () -> canvas.clipRect(new Rect(0, 0, 9, 9), Region.Op.XOR));
  }

  private static void attempt(String name, Attempt attempt) {
    try {
      attempt.run();
      Log.i("phone", name + ": allowed");
    } catch (Exception e) {
      Log.i("phone", name + ": " + e.getClass().getSimpleName());
    }
  }
}
