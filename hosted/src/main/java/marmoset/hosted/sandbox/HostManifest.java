package marmoset.hosted.sandbox;

import android.content.pm.PackageParser;
import java.nio.file.Path;
import java.util.List;
import org.robolectric.manifest.AndroidManifest;
import org.robolectric.manifest.BroadcastReceiverData;
import org.robolectric.shadows.ShadowPackageParser;

/**
 * What Robolectric wants to know of a manifest beside what it parses from the APK. It would force targetSdkVersion 23 on
 * an app without a text manifest, and with it the wrong theme; this gives it the real one. Receivers are registered by
 * {@link AppProcess}, so Robolectric is told of none.
 */
final class HostManifest extends AndroidManifest {
  private Integer targetSdk;

  HostManifest(Path apk) {
    super(null, null, null, List.of(), "", apk);
  }

  /** REQUIRES: the framework is up; the package parser needs its resources. */
  @Override
  public int getTargetSdkVersion() {
    if (targetSdk == null) {
      PackageParser.Package parsed = ShadowPackageParser.callParsePackage(getApkFile());
      targetSdk = parsed.applicationInfo.targetSdkVersion;
    }
    return targetSdk;
  }

  @Override
  public String getApplicationName() {
    return null;
  }

  @Override
  public String getAppComponentFactory() {
    return null;
  }

  @Override
  public List<BroadcastReceiverData> getBroadcastReceivers() {
    return List.of();
  }
}
