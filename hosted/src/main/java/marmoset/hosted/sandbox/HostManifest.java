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
  private PackageParser.Package parsed;

  HostManifest(Path apk) {
    super(null, null, null, List.of(), "", apk);
  }

  @Override
  public int getTargetSdkVersion() {
    return parsed().applicationInfo.targetSdkVersion;
  }

  /** The manifest as the APK has it. REQUIRES: the framework is up; the package parser needs its resources. */
  PackageParser.Package parsed() {
    if (parsed == null) parsed = ShadowPackageParser.callParsePackage(getApkFile());
    return parsed;
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
