package marmoset.hosted.sandbox.shadows;

import android.content.ActivityNotFoundException;
import android.content.Context;
import android.content.Intent;
import android.net.Uri;
import android.provider.Browser;
import android.text.style.URLSpan;
import android.util.Log;
import android.view.View;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;

/** A link in a text. Where no app opens it, Android 4 lets the app crash; later versions write a line into the log. */
@Implements(URLSpan.class)
public class HostShadowUrlSpan {
  private static volatile boolean crashes;

  @RealObject private URLSpan link;

  public static void setCrashes(boolean whereNoAppOpensIt) {
    crashes = whereNoAppOpensIt;
  }

  @Implementation
  protected void onClick(View widget) {
    Context context = widget.getContext();
    Intent intent = new Intent(Intent.ACTION_VIEW, Uri.parse(link.getURL()));
    intent.putExtra(Browser.EXTRA_APPLICATION_ID, context.getPackageName());
    try {
      context.startActivity(intent);
    } catch (ActivityNotFoundException e) {
      if (crashes) throw e;
      Log.w("URLSpan", "Actvity was not found for intent, " + intent);
    }
  }
}
