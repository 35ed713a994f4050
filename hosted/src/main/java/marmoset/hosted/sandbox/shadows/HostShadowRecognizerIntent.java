package marmoset.hosted.sandbox.shadows;

import android.content.Context;
import android.content.Intent;
import android.speech.RecognizerIntent;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;

/** The phone has a speech app (see Neighbours), which says so to those who ask for its details. */
@Implements(RecognizerIntent.class)
public class HostShadowRecognizerIntent {
  @Implementation
  protected static Intent getVoiceDetailsIntent(Context context) {
    return new Intent(RecognizerIntent.ACTION_GET_LANGUAGE_DETAILS);
  }
}
