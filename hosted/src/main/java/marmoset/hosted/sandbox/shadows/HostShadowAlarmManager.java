package marmoset.hosted.sandbox.shadows;

import android.app.AlarmManager;
import android.os.Handler;
import android.os.Looper;
import android.os.Message;
import android.os.SystemClock;
import java.util.PriorityQueue;
import marmoset.hosted.sandbox.AppRuntime;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowAlarmManager;
import org.robolectric.util.ReflectionHelpers;

/**
 * Alarms go off when their time has come, also those that are set by the wall clock, which Robolectric reads as time since
 * the start; and all of the app's alarm managers know all of its alarms.
 */
@Implements(value = AlarmManager.class, isInAndroidSdk = false)
public class HostShadowAlarmManager extends ShadowAlarmManager {
  private static PriorityQueue<ScheduledAlarm> alarms = new PriorityQueue<>();

  public HostShadowAlarmManager() {
    ReflectionHelpers.setField(ShadowAlarmManager.class, this, "scheduledAlarms", alarms);
    ReflectionHelpers.setField(ShadowAlarmManager.class, this, "schedulingHandler", new Clock());
  }

  /** A new process of the app, without alarms. */
  public static void begin() {
    alarms = new PriorityQueue<>();
    setAutoSchedule(true);
  }

  /** What is posted to it are alarms. */
  private static final class Clock extends Handler {
    Clock() {
      super(Looper.getMainLooper());
    }

    @Override
    public boolean sendMessageAtTime(Message message, long uptimeMillis) {
      if (message.getCallback() instanceof ScheduledAlarm alarm
          && (alarm.getType() == AlarmManager.RTC || alarm.getType() == AlarmManager.RTC_WAKEUP)) {
        long delay = Math.max(0, alarm.getTriggerAtMs() - AppRuntime.currentTimeMillis());
        return super.sendMessageAtTime(message, SystemClock.uptimeMillis() + delay);
      }
      return super.sendMessageAtTime(message, uptimeMillis);
    }
  }
}
