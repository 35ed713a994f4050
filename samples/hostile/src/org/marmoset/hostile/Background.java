package org.marmoset.hostile;

import android.app.Activity;
import android.app.AlarmManager;
import android.app.Notification;
import android.app.NotificationChannel;
import android.app.NotificationManager;
import android.app.PendingIntent;
import android.app.job.JobInfo;
import android.app.job.JobParameters;
import android.app.job.JobScheduler;
import android.app.job.JobService;
import android.content.BroadcastReceiver;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.os.Handler;
import android.os.SystemClock;
import android.util.Log;

/** Comes back later by all ways that Android has for it, and says so in the log. */
final class Background {
    private static final long SOON = 200;
    private static final int IMMUTABLE = PendingIntent.FLAG_IMMUTABLE | PendingIntent.FLAG_UPDATE_CURRENT;

    /** Declared in the manifest without a filter, as receivers of alarms are. */
    public static final class Alarm extends BroadcastReceiver {
        @Override
        public void onReceive(Context context, Intent intent) {
            say("alarm " + intent.getStringExtra("what"));
        }
    }

    /** Takes a while, wants a second run, and is then content. */
    public static final class Job extends JobService {
        private static int runs;

        @Override
        public boolean onStartJob(JobParameters parameters) {
            say("job " + parameters.getJobId() + " " + parameters.getExtras().getString("what"));
            new Handler().postDelayed(() -> jobFinished(parameters, ++runs < 2), SOON);
            return true;
        }

        @Override
        public boolean onStopJob(JobParameters parameters) {
            return false;
        }
    }

    private Background() {}

    private static void say(String text) {
        Log.i("background", text);
    }

    static String plan(Activity activity) {
        AlarmManager alarms = (AlarmManager) activity.getSystemService(Context.ALARM_SERVICE);
        Intent alarm = new Intent(activity, Alarm.class).putExtra("what", "later");
        alarms.set(
                AlarmManager.ELAPSED_REALTIME,
                SystemClock.elapsedRealtime() + SOON,
                PendingIntent.getBroadcast(activity, 1, alarm, IMMUTABLE));
        alarms.set(
                AlarmManager.RTC_WAKEUP,
                System.currentTimeMillis() + SOON,
                "listener",
                () -> say("alarm of a listener"),
                null);

        android.os.PersistableBundle extras = new android.os.PersistableBundle();
        extras.putString("what", "sync");
        JobScheduler scheduler = (JobScheduler) activity.getSystemService(Context.JOB_SCHEDULER_SERVICE);
        scheduler.schedule(
                new JobInfo.Builder(7, new ComponentName(activity, Job.class))
                        .setMinimumLatency(SOON)
                        .setRequiredNetworkType(JobInfo.NETWORK_TYPE_ANY)
                        .setBackoffCriteria(10_000, JobInfo.BACKOFF_POLICY_LINEAR)
                        .setExtras(extras)
                        .build());
        scheduler.schedule(
                new JobInfo.Builder(8, new ComponentName(activity, Job.class)).setMinimumLatency(SOON).build());
        scheduler.cancel(8);

        NotificationManager notifications =
                (NotificationManager) activity.getSystemService(Context.NOTIFICATION_SERVICE);
        notifications.createNotificationChannel(
                new NotificationChannel("news", "News", NotificationManager.IMPORTANCE_DEFAULT));
        Intent open = new Intent(activity, HostileActivity.class).putExtra("from", "notification");
        open.addFlags(Intent.FLAG_ACTIVITY_SINGLE_TOP);
        Intent snooze = new Intent(activity, Alarm.class).putExtra("what", "snoozed");
        notifications.notify(
                5,
                new Notification.Builder(activity, "news")
                        .setSmallIcon(android.R.drawable.ic_dialog_info)
                        .setContentTitle("One new message")
                        .setContentText("Come back")
                        .setAutoCancel(true)
                        .setContentIntent(PendingIntent.getActivity(activity, 2, open, IMMUTABLE))
                        .addAction(
                                new Notification.Action.Builder(
                                                null, "Snooze", PendingIntent.getBroadcast(activity, 3, snooze, IMMUTABLE))
                                        .build())
                        .build());
        return "planned " + scheduler.getAllPendingJobs().size() + " job";
    }
}
