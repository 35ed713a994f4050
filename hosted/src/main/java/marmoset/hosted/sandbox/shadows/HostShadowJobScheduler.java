package marmoset.hosted.sandbox.shadows;

import android.app.job.JobInfo;
import android.app.job.JobScheduler;
import android.app.job.JobWorkItem;
import java.util.List;
import marmoset.hosted.sandbox.Jobs;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowJobScheduler;

/** Jobs run, where Robolectric only records that they were scheduled. */
@Implements(className = "android.app.JobSchedulerImpl", isInAndroidSdk = false)
public class HostShadowJobScheduler extends ShadowJobScheduler.ShadowJobSchedulerImpl {
  @Override
  @Implementation
  public int schedule(JobInfo job) {
    int result = super.schedule(job);
    if (result == JobScheduler.RESULT_SUCCESS) Jobs.current().schedule(job, () -> super.cancel(job.getId()));
    return result;
  }

  @Override
  @Implementation
  public int enqueue(JobInfo job, JobWorkItem work) {
    int result = super.enqueue(job, work);
    if (result == JobScheduler.RESULT_SUCCESS) Jobs.current().enqueue(job, work, () -> super.cancel(job.getId()));
    return result;
  }

  @Override
  @Implementation
  public void cancel(int id) {
    super.cancel(id);
    Jobs.current().cancel(id);
  }

  @Override
  @Implementation
  public void cancelAll() {
    List<JobInfo> pending = super.getAllPendingJobs();
    super.cancelAll();
    for (JobInfo job : pending) Jobs.current().cancel(job.getId());
  }
}
