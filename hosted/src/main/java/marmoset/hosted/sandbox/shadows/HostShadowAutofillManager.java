package marmoset.hosted.sandbox.shadows;

import android.view.autofill.AutofillManager;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowAutofillManager;

/** Nobody fills in forms, as on a phone whose user has switched that off; some levels ask the service without looking. */
@Implements(AutofillManager.class)
public class HostShadowAutofillManager extends ShadowAutofillManager {
  @Implementation
  protected void ensureServiceClientAddedIfNeededLocked() {}
}
