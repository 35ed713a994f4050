package marmoset.hosted.sandbox.shadows;

import android.app.job.JobParameters;
import android.app.job.JobService;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowJobService;
import org.robolectric.util.reflector.Direct;
import org.robolectric.util.reflector.ForType;

import static org.robolectric.util.reflector.Reflector.reflector;

/** The end of a job is told to the scheduler, where Robolectric only records it. */
@Implements(value = JobService.class, isInAndroidSdk = false)
public class HostShadowJobService extends ShadowJobService {
  @RealObject private JobService service;

  @Override
  @Implementation
  protected void jobFinished(JobParameters parameters, boolean again) {
    super.jobFinished(parameters, again);
    reflector(RealJobService.class, service).jobFinished(parameters, again);
  }

  /** The framework's own method behind the shadow. */
  @ForType(JobService.class)
  interface RealJobService {
    @Direct
    void jobFinished(JobParameters parameters, boolean again);
  }
}
