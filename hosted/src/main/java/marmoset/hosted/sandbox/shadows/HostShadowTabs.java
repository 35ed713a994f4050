package marmoset.hosted.sandbox.shadows;

import android.app.ActivityGroup;
import android.app.TabActivity;
import android.widget.TabHost;
import android.widget.TabWidget;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowLinearLayout;
import org.robolectric.shadows.ShadowViewGroup;

/**
 * Tabs and the activities embedded in them are the framework's own. Robolectric's shadows only write down what a test
 * wants to know, and show nothing; these take their places and leave all methods alone.
 */
public final class HostShadowTabs {
  private HostShadowTabs() {}

  @Implements(ActivityGroup.class)
  public static class Group extends HostShadowActivity {}

  @Implements(TabActivity.class)
  public static class GroupOfTabs extends Group {}

  @Implements(TabHost.class)
  public static class Host extends ShadowViewGroup {}

  @Implements(TabHost.TabSpec.class)
  public static class Spec {}

  @Implements(TabWidget.class)
  public static class Widget extends ShadowLinearLayout {}
}
