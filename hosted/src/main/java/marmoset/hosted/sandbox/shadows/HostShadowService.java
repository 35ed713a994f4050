package marmoset.hosted.sandbox.shadows;

import android.app.Service;
import marmoset.hosted.sandbox.Services;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowService;

/** A service that stops itself is destroyed. */
@Implements(Service.class)
public class HostShadowService extends ShadowService {
  @RealObject private Service service;

  @Override
  @Implementation
  protected void stopSelf() {
    stopSelf(-1);
  }

  @Override
  @Implementation
  protected void stopSelf(int startId) {
    super.stopSelf(startId);
    Services.current().stopSelf(service, startId);
  }

  @Override
  @Implementation
  protected boolean stopSelfResult(int startId) {
    super.stopSelfResult(startId);
    Services.current().stopSelf(service, startId);
    return true;
  }
}
