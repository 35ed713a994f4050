package marmoset.hosted.sandbox.shadows;

import android.app.SearchManager;
import android.app.SearchableInfo;
import java.util.List;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.shadows.ShadowSearchManager;

/** No app on this phone offers its data to the global search; Robolectric answers null, which no phone does. */
@Implements(SearchManager.class)
public class HostShadowSearchManager extends ShadowSearchManager {
  @Implementation
  protected List<SearchableInfo> getSearchablesInGlobalSearch() {
    return List.of();
  }
}
