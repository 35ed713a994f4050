package marmoset.hosted.sandbox.shadows;

import android.media.audiofx.AudioEffect;
import java.util.Arrays;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowAudioEffect;

/** An effect's parameter that nobody has set is zero, of whatever size; Robolectric knows four bytes only. */
@Implements(AudioEffect.class)
public class HostShadowAudioEffect extends ShadowAudioEffect {
  @Override
  @Implementation
  protected int native_getParameter(int keySize, byte[] key, int valueSize, byte[] value) {
    if (valueSize >= 4) return super.native_getParameter(keySize, key, valueSize, value);
    Arrays.fill(value, 0, valueSize, (byte) 0);
    return valueSize;
  }
}
