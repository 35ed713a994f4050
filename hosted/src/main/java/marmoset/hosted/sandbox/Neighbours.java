package marmoset.hosted.sandbox;

import android.content.Intent;
import android.provider.MediaStore;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The other apps on the phone, as far as they answer intents: contacts, browser, camera, gallery, files, dialer, mail,
 * messages, share sheet, settings, calendar. There is no map app and no store, so {@code geo:} and {@code market:} links
 * find nobody.
 */
final class Neighbours {
  /** One other app, with its name in the protocol. */
  record App(String name, String packageName, String label) {}

  private record Rule(Predicate<Intent> matches, App app) {}

  private static final App CONTACTS = new App("contacts", "com.android.contacts", "Contacts");
  private static final App BROWSER = new App("browser", "com.android.browser", "Browser");
  private static final App CAMERA = new App("camera", "com.android.camera", "Camera");
  private static final App GALLERY = new App("gallery", "com.android.gallery", "Gallery");
  private static final App FILES = new App("files", "com.android.documentsui", "Files");
  private static final App DIALER = new App("dialer", "com.android.dialer", "Phone");
  private static final App MAIL = new App("mail", "com.android.email", "Email");
  private static final App MESSAGES = new App("messages", "com.android.messaging", "Messages");
  private static final App SHARE = new App("share", "com.android.intentresolver", "Share");
  private static final App SETTINGS = new App("settings", "com.android.settings", "Settings");
  private static final App CALENDAR = new App("calendar", "com.android.calendar", "Calendar");
  private static final App MUSIC = new App("music", "com.android.music", "Music");
  private static final App SPEECH = new App("speech", "com.android.speech", "Speech");
  private static final App LAUNCHER = new App("launcher", "com.android.launcher", "Launcher");

  private static final List<Rule> RULES =
      List.of(
          rule(intent -> action(intent).startsWith("android.settings."), SETTINGS),
          rule(intent -> action(intent).startsWith("android.app.action.ADD_DEVICE_ADMIN"), SETTINGS),
          rule(is("android.intent.action.CREATE_SHORTCUT", "android.appwidget.action.APPWIDGET_PICK"), LAUNCHER),
          rule(is("android.bluetooth.adapter.action.REQUEST_ENABLE"), SETTINGS),
          rule(is("android.speech.action.RECOGNIZE_SPEECH", "android.speech.action.WEB_SEARCH"), SPEECH),
          rule(is(Intent.ACTION_CHOOSER), SHARE),
          rule(is(Intent.ACTION_SENDTO).and(scheme("mailto")), MAIL),
          rule(is(Intent.ACTION_SENDTO).and(scheme("sms", "smsto", "mms", "mmsto")), MESSAGES),
          rule(is(Intent.ACTION_SEND, Intent.ACTION_SEND_MULTIPLE), SHARE),
          rule(is(Intent.ACTION_DIAL, Intent.ACTION_CALL, Intent.ACTION_CALL_BUTTON), DIALER),
          rule(is(MediaStore.ACTION_IMAGE_CAPTURE, MediaStore.ACTION_VIDEO_CAPTURE), CAMERA),
          rule(is(MediaStore.INTENT_ACTION_STILL_IMAGE_CAMERA, MediaStore.INTENT_ACTION_VIDEO_CAMERA), CAMERA),
          rule(is("android.intent.action.RINGTONE_PICKER", MediaStore.INTENT_ACTION_MUSIC_PLAYER), MUSIC),
          rule(is(Intent.ACTION_WEB_SEARCH), BROWSER),
          rule(content("com.android.contacts").or(content("contacts")).or(content("call_log")), CONTACTS),
          rule(content("com.android.calendar"), CALENDAR),
          rule(is(Intent.ACTION_PICK, Intent.ACTION_GET_CONTENT, Intent.ACTION_INSERT).and(contactType()), CONTACTS),
          rule(is("com.android.contacts.action.SHOW_OR_CREATE_CONTACT", Intent.ACTION_INSERT_OR_EDIT), CONTACTS),
          rule(is(Intent.ACTION_OPEN_DOCUMENT, Intent.ACTION_CREATE_DOCUMENT, Intent.ACTION_OPEN_DOCUMENT_TREE), FILES),
          rule(is(Intent.ACTION_PICK, "android.provider.action.PICK_IMAGES"), GALLERY),
          rule(is(Intent.ACTION_GET_CONTENT), FILES),
          rule(is(Intent.ACTION_VIEW).and(scheme("http", "https", "about")), BROWSER),
          rule(is(Intent.ACTION_VIEW).and(scheme("tel")), DIALER),
          rule(is(Intent.ACTION_VIEW).and(scheme("mailto")), MAIL),
          rule(is(Intent.ACTION_VIEW).and(scheme("sms", "smsto")), MESSAGES),
          rule(is(Intent.ACTION_VIEW, Intent.ACTION_EDIT).and(type("image/", "video/")), GALLERY),
          rule(is(Intent.ACTION_VIEW).and(type("audio/")), MUSIC),
          rule(is(Intent.ACTION_VIEW).and(type("text/")), BROWSER));

  /** All that a profile may choose from; the launcher is always there. */
  private static final List<App> APPS =
      List.of(
          CONTACTS, BROWSER, CAMERA, GALLERY, FILES, DIALER, MAIL, MESSAGES, SHARE, SETTINGS, CALENDAR, MUSIC, SPEECH);

  private static Set<App> present = Set.copyOf(APPS);

  private Neighbours() {}

  /** Which of them are on the phone (null: all); the others answer nothing. */
  static void setPresent(List<String> names) {
    present =
        APPS.stream()
            .filter(app -> names == null || names.contains(app.name))
            .collect(Collectors.toUnmodifiableSet());
  }

  private static boolean isPresent(App app) {
    return app == LAUNCHER || present.contains(app);
  }

  /** The app that answers an implicit intent, or null. */
  static App find(Intent intent) {
    if (intent.getComponent() != null) {
      String owner = intent.getComponent().getPackageName();
      return owner.equals(SETTINGS.packageName) && isPresent(SETTINGS) ? SETTINGS : null;
    }
    if (Intent.ACTION_MAIN.equals(intent.getAction()) && intent.hasCategory(Intent.CATEGORY_HOME)) return LAUNCHER;
    for (Rule rule : RULES) {
      if (isPresent(rule.app) && rule.matches.test(intent)) {
        if (intent.getPackage() == null || intent.getPackage().equals(rule.app.packageName)) return rule.app;
      }
    }
    return null;
  }

  static boolean isContacts(App app) {
    return app == CONTACTS;
  }

  static boolean isHome(App app) {
    return app == LAUNCHER;
  }

  private static Rule rule(Predicate<Intent> matches, App app) {
    return new Rule(matches, app);
  }

  private static String action(Intent intent) {
    return intent.getAction() == null ? "" : intent.getAction();
  }

  private static Predicate<Intent> is(String... actions) {
    return intent -> List.of(actions).contains(action(intent));
  }

  private static Predicate<Intent> scheme(String... schemes) {
    return intent -> intent.getScheme() != null && List.of(schemes).contains(intent.getScheme());
  }

  private static Predicate<Intent> content(String authority) {
    return intent ->
        "content".equals(intent.getScheme()) && authority.equals(intent.getData().getAuthority());
  }

  private static Predicate<Intent> type(String... prefixes) {
    return intent -> {
      for (String prefix : prefixes) {
        if (intent.getType() != null && intent.getType().startsWith(prefix)) return true;
      }
      return false;
    };
  }

  private static Predicate<Intent> contactType() {
    return intent ->
        intent.getType() != null
            && (intent.getType().contains("contact")
                || intent.getType().contains("phone")
                || intent.getType().contains("raw_contact")
                || intent.getType().contains("person"));
  }
}
