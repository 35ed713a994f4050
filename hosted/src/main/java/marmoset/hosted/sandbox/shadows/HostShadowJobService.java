package marmoset.hosted.sandbox.shadows;

import android.app.job.JobParameters;
import android.app.job.JobService;
import android.app.job.JobServiceEngine;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowJobService;
import org.robolectric.util.ReflectionHelpers;

/** The end of a job is told to the scheduler, where Robolectric only records it. */
@Implements(value = JobService.class, isInAndroidSdk = false)
public class HostShadowJobService extends ShadowJobService {
  @RealObject private JobService service;

  @Override
  @Implementation
  protected void jobFinished(JobParameters parameters, boolean again) {
    super.jobFinished(parameters, again);
    JobServiceEngine engine = ReflectionHelpers.getField(service, "mEngine");
    engine.jobFinished(parameters, again);
  }
}
