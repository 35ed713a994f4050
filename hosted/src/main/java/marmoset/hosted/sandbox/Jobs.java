package marmoset.hosted.sandbox;

import android.app.Notification;
import android.app.job.IJobCallback;
import android.app.job.IJobService;
import android.app.job.JobInfo;
import android.app.job.JobParameters;
import android.app.job.JobWorkItem;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.os.Binder;
import android.os.Build.VERSION;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import android.os.RemoteException;
import java.lang.reflect.Field;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.versioning.AndroidVersions.N;
import org.robolectric.versioning.AndroidVersions.S;
import org.robolectric.versioning.AndroidVersions.U;

/**
 * Runs the app's jobs, in its own process, as the phone's job scheduler would: each when its delay is over. Network,
 * charger, storage and idleness are always as a job wants them. What is scheduled ends with the app's process. Requests
 * may come from any thread; jobs start on the main one.
 */
public final class Jobs {
  /** As long as a phone takes at least to start a job that may run at once. */
  private static final long SOON_MILLIS = 100;

  private static final long MOST_BACKOFF_MILLIS = 5 * 60 * 60 * 1000L;

  private final class Job implements IJobCallback, ServiceConnection {
    final JobInfo info;
    final Runnable onDone;
    final Runnable start = this::start;
    final Queue<JobWorkItem> waiting = new ArrayDeque<>();
    private final Binder binder = new Binder();
    private JobParameters parameters;
    private IJobService service;
    private int itemsDealtOut;
    private int openItems;
    private int failures;

    Job(JobInfo info, Runnable onDone) {
      this.info = info;
      this.onDone = onDone;
      binder.attachInterface(this, "android.app.job.IJobCallback");
    }

    @Override
    public IBinder asBinder() {
      return binder;
    }

    void startIn(long millis) {
      handler.postDelayed(start, Math.max(SOON_MILLIS, millis));
    }

    private void start() {
      Services services = Services.current();
      if (services == null || service != null) return;
      parameters = parameters();
      if (!services.bind(new Intent().setComponent(info.getService()), this, Context.BIND_AUTO_CREATE, null)) finish();
    }

    /** The constructor has other arguments at each level of the platform; the fields keep their names. */
    private JobParameters parameters() {
      JobParameters made = ReflectionHelpers.newInstance(JobParameters.class);
      Fields.set(Fields.of(JobParameters.class, "callback"), made, binder);
      for (String name : new String[] {"jobId", "extras", "transientExtras", "clipData", "clipGrantFlags"}) {
        Field field = Fields.ifPresent(JobParameters.class, name);
        if (field != null) Fields.set(field, made, Fields.get(Fields.of(JobInfo.class, name), info));
      }
      if (VERSION.SDK_INT >= S.SDK_INT) {
        Fields.set(Fields.of(JobParameters.class, "mIsExpedited"), made, info.isExpedited());
      }
      if (VERSION.SDK_INT >= U.SDK_INT) {
        Fields.set(Fields.of(JobParameters.class, "mIsUserInitiated"), made, info.isUserInitiated());
      }
      return made;
    }

    @Override
    public void onServiceConnected(ComponentName name, IBinder binder) {
      service = IJobService.Stub.asInterface(binder);
      try {
        service.startJob(parameters);
      } catch (RemoteException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void onServiceDisconnected(ComponentName name) {}

    void cancel() {
      handler.removeCallbacks(start);
      if (service == null) return;
      try {
        service.stopJob(parameters);
      } catch (RemoteException e) {
        throw new IllegalStateException(e);
      }
      unbind();
    }

    private void unbind() {
      service = null;
      Services services = Services.current();
      if (services != null) services.unbind(this);
    }

    private void end(boolean again) {
      handler.post(
          () -> {
            if (service == null) return;
            unbind();
            if (again) {
              long backoff = info.getInitialBackoffMillis() << Math.min(failures++, 20);
              startIn(Math.min(backoff, MOST_BACKOFF_MILLIS));
            } else if (info.isPeriodic()) {
              failures = 0;
              startIn(info.getIntervalMillis());
            } else {
              finish();
            }
          });
    }

    private void finish() {
      synchronized (jobs) {
        if (jobs.get(info.getId()) == this) jobs.remove(info.getId());
      }
      onDone.run();
    }

    // What the service says. Any thread.

    @Override
    public void acknowledgeStartMessage(int id, boolean ongoing) {
      if (!ongoing) end(false);
    }

    @Override
    public void acknowledgeStopMessage(int id, boolean again) {}

    @Override
    public void jobFinished(int id, boolean again) {
      end(again);
    }

    @Override
    public JobWorkItem dequeueWork(int id) {
      synchronized (jobs) {
        JobWorkItem item = waiting.poll();
        if (item != null) {
          item.setWorkId(++itemsDealtOut);
          item.bumpDeliveryCount();
          openItems++;
          return item;
        }
        if (openItems > 0) return null;
      }
      // Asking for work where there is none ends the job.
      end(false);
      return null;
    }

    @Override
    public boolean completeWork(int id, int workId) {
      synchronized (jobs) {
        if (openItems == 0) return false;
        openItems--;
        return true;
      }
    }

    @Override
    public void acknowledgeGetTransferredDownloadBytesMessage(int id, int workId, long bytes) {}

    @Override
    public void acknowledgeGetTransferredUploadBytesMessage(int id, int workId, long bytes) {}

    @Override
    public void updateEstimatedNetworkBytes(int id, JobWorkItem item, long down, long up) {}

    @Override
    public void updateTransferredNetworkBytes(int id, JobWorkItem item, long down, long up) {}

    @Override
    public void setNotification(int id, int notificationId, Notification notification, int policy) {}
  }

  private static volatile Jobs current;

  private final Handler handler = new Handler(Looper.getMainLooper());
  private final Map<Integer, Job> jobs = new HashMap<>();

  Jobs() {
    current = this;
  }

  /** The jobs of the app's present process; null before there is one. */
  public static Jobs current() {
    return current;
  }

  static void forget() {
    current = null;
  }

  /** Instead of a job with the same number, if there is one. {@code onDone} runs when it will not run again. */
  public void schedule(JobInfo info, Runnable onDone) {
    cancel(info.getId());
    add(info, onDone);
  }

  private Job add(JobInfo info, Runnable onDone) {
    Job job = new Job(info, onDone);
    synchronized (jobs) {
      jobs.put(info.getId(), job);
    }
    if (!info.isPeriodic()) job.startIn(info.getMinLatencyMillis());
    else job.startIn(VERSION.SDK_INT >= N.SDK_INT ? info.getIntervalMillis() - info.getFlexMillis() : 0);
    return job;
  }

  /** One more piece of work for a job of the same number, or for a new one. */
  public void enqueue(JobInfo info, JobWorkItem work, Runnable onDone) {
    Job job;
    synchronized (jobs) {
      job = jobs.get(info.getId());
    }
    if (job == null || !job.info.equals(info)) {
      cancel(info.getId());
      job = add(info, onDone);
    }
    synchronized (jobs) {
      job.waiting.add(work);
    }
  }

  public void cancel(int id) {
    Job job;
    synchronized (jobs) {
      job = jobs.remove(id);
    }
    if (job != null) handler.post(job::cancel);
  }
}
