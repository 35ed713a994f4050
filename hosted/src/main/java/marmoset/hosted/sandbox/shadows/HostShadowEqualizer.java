package marmoset.hosted.sandbox.shadows;

import android.media.audiofx.Equalizer;
import java.util.Arrays;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowEqualizer;

/**
 * A parameter that nobody has set is an int of 0 in Robolectric, also where the framework asks for a short (the level of
 * a band), which has no place for it.
 */
@Implements(Equalizer.class)
public class HostShadowEqualizer extends ShadowEqualizer {
  @Override
  @Implementation
  protected int native_getParameter(int parameterSize, byte[] parameter, int valueSize, byte[] value) {
    if (value.length >= Integer.BYTES) return super.native_getParameter(parameterSize, parameter, valueSize, value);
    byte[] whole = Arrays.copyOf(value, Integer.BYTES);
    int result = super.native_getParameter(parameterSize, parameter, whole.length, whole);
    System.arraycopy(whole, 0, value, 0, value.length);
    return Math.min(result, value.length);
  }
}
