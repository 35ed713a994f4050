package org.marmoset.ledger;

import android.app.Activity;
import android.content.ActivityNotFoundException;
import android.content.Intent;
import android.hardware.Sensor;
import android.hardware.SensorManager;
import android.net.Uri;
import android.os.Build;
import android.os.Bundle;
import android.util.Log;
import java.util.Arrays;
import java.util.Locale;
import java.util.TimeZone;

/** Tells which phone it is on. */
public final class AboutActivity extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    say(Build.MANUFACTURER + " " + Build.MODEL + " " + Build.BOARD + " " + Arrays.toString(Build.SUPPORTED_ABIS));
    say(Locale.getDefault() + " " + TimeZone.getDefault().getID());
    SensorManager manager = (SensorManager) getSystemService(SENSOR_SERVICE);
    for (Sensor sensor : manager.getSensorList(Sensor.TYPE_ALL)) {
      say(sensor.getName() + " by " + sensor.getVendor() + " " + sensor.getStringType());
    }
    say("light " + (manager.getDefaultSensor(Sensor.TYPE_LIGHT) != null));
    open("tel:1");
    open("https://example.com");
  }

  private void open(String uri) {
    try {
      startActivity(new Intent(Intent.ACTION_VIEW, Uri.parse(uri)));
      say("opened " + uri);
    } catch (ActivityNotFoundException e) {
      say("nobody opens " + uri);
    }
  }

  private static void say(String text) {
    Log.i("phone", text);
  }
}
