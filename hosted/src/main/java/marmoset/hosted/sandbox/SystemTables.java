package marmoset.hosted.sandbox;

import android.content.Context;
import android.os.Build.VERSION;
import android.provider.CalendarContract;
import android.provider.CallLog;
import android.provider.MediaStore;
import android.provider.Telephony;
import android.provider.UserDictionary;
import java.util.List;
import org.robolectric.versioning.AndroidVersions.Q;

/** Which providers the system has, beside the contacts: media, calendar, calls, messages, downloads, dictionary. Stateless. */
final class SystemTables {
  private static final String VOLUME = "(?:internal|external|external_primary)/";

  private SystemTables() {}

  static void begin(Context context) {
    for (SystemProvider provider :
        List.of(
            withDownloads(media()), calendar(), calls(), messages("sms", Telephony.Sms.class),
            messages("mms", Telephony.Mms.class), downloads(), dictionary())) {
      provider.begin(context);
    }
  }

  private static SystemProvider media() {
    return new SystemProvider(MediaStore.AUTHORITY, null, null)
        .table("images", MediaStore.Images.Media.class)
        .table("video", MediaStore.Video.Media.class)
        .table("audio", MediaStore.Audio.Media.class)
        .table("albums", MediaStore.Audio.Albums.class)
        .table("artists", MediaStore.Audio.Artists.class)
        .table("genres", MediaStore.Audio.Genres.class)
        .table("playlists", MediaStore.Audio.Playlists.class)
        .table("members", MediaStore.Audio.Playlists.Members.class, MediaStore.Audio.Media.class)
        .table("files", MediaStore.Files.FileColumns.class, MediaStore.Images.Media.class)
        .table("image_thumbnails", MediaStore.Images.Thumbnails.class)
        .table("video_thumbnails", MediaStore.Video.Thumbnails.class)
        .rows(VOLUME + "images/media", "images")
        .rows(VOLUME + "images/thumbnails", "image_thumbnails")
        .rows(VOLUME + "video/media", "video")
        .rows(VOLUME + "video/thumbnails", "video_thumbnails")
        .rows(VOLUME + "audio/media", "audio")
        .rows(VOLUME + "audio/albums", "albums")
        .rows(VOLUME + "audio/artists", "artists")
        .rows(VOLUME + "audio/artists/(\\d+)/albums", "albums", "artist_id=?")
        .rows(VOLUME + "audio/genres", "genres")
        .rows(VOLUME + "audio/(?:genres|playlists)/\\d+/members", "members")
        .rows(VOLUME + "audio/playlists", "playlists")
        .rows(VOLUME + "file", "files");
  }

  /** Since Android 10 they are media, too. */
  private static SystemProvider withDownloads(SystemProvider media) {
    if (VERSION.SDK_INT < Q.SDK_INT) return media;
    return media.table("downloads", MediaStore.Downloads.class).rows(VOLUME + "downloads", "downloads");
  }

  private static SystemProvider calendar() {
    return new SystemProvider(
            CalendarContract.AUTHORITY, "android.permission.READ_CALENDAR", "android.permission.WRITE_CALENDAR")
        .table("calendars", CalendarContract.Calendars.class)
        .table("events", CalendarContract.Events.class)
        .table("instances", CalendarContract.Instances.class)
        .table("attendees", CalendarContract.Attendees.class)
        .table("reminders", CalendarContract.Reminders.class)
        .table("calendar_alerts", CalendarContract.CalendarAlerts.class)
        .table("extendedproperties", CalendarContract.ExtendedProperties.class)
        .table("colors", CalendarContract.Colors.class)
        .rows("calendars", "calendars")
        .rows("events", "events")
        .rows("instances/(?:when|whenbyday)/-?\\d+/-?\\d+", "instances", "1")
        .rows("instances/(?:search|searchbyday)/.*", "instances", "1")
        .rows("attendees", "attendees")
        .rows("reminders", "reminders")
        .rows("calendar_alerts(?:/by_instance)?", "calendar_alerts", "1")
        .rows("extendedproperties", "extendedproperties")
        .rows("colors", "colors");
  }

  private static SystemProvider calls() {
    return new SystemProvider(
            CallLog.AUTHORITY, "android.permission.READ_CALL_LOG", "android.permission.WRITE_CALL_LOG")
        .table("calls", CallLog.Calls.class)
        .rows("calls", "calls")
        .rows("calls/filter/(.+)", "calls", "number=?");
  }

  private static SystemProvider messages(String authority, Class<?> contract) {
    return new SystemProvider(authority, "android.permission.READ_SMS", null)
        .table("messages", contract)
        .rows("(?:inbox|sent|draft|drafts|outbox|failed|queued|all|conversations|undelivered)?", "messages", "1")
        .rows("(\\d+)", "messages", "_id=?");
  }

  private static SystemProvider downloads() {
    return new SystemProvider("downloads", null, null)
        .table("downloads", android.provider.Downloads.Impl.class)
        .rows("(?:my_downloads|all_downloads|download)", "downloads");
  }

  private static SystemProvider dictionary() {
    return new SystemProvider(UserDictionary.AUTHORITY, null, null)
        .table("words", UserDictionary.Words.class)
        .rows("words", "words");
  }
}
