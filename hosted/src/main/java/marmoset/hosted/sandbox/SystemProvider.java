package marmoset.hosted.sandbox;

import android.content.ContentProvider;
import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Context;
import android.content.pm.PackageManager;
import android.content.pm.ProviderInfo;
import android.database.Cursor;
import android.database.DatabaseUtils;
import android.database.sqlite.SQLiteDatabase;
import android.net.Uri;
import android.os.Environment;
import android.os.ParcelFileDescriptor;
import java.io.File;
import java.io.FileNotFoundException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robolectric.shadows.ShadowContentResolver;

/**
 * A content provider of the system, such as the contacts or the media store: real tables with the columns that the
 * platform's contract names ({@link SystemTables}), in SQLite. They begin as the device profile says, can be read and
 * written by the app if it has the permissions, and end with its process. Any thread, as SQLite allows.
 */
class SystemProvider extends ContentProvider {
  /** URIs with such a path are rows of a table: those for which {@code where} holds, with the path's groups as arguments. */
  private record Place(String path, String table, String where) {}

  private static final Field SHADOW = Fields.of(ContentProvider.class, "__robo_data__");

  private final String authority;
  private final String readPermission;
  private final String writePermission;
  private final List<Place> places = new ArrayList<>();
  private final Map<String, Class<?>[]> tables = new TreeMap<>();
  private final List<Uri> open = new ArrayList<>();
  private SQLiteDatabase database;

  /** Without permissions (null) any app may read or write. */
  SystemProvider(String authority, String readPermission, String writePermission) {
    this.authority = authority;
    this.readPermission = readPermission;
    this.writePermission = writePermission;
  }

  /** A table has the columns that these contracts name. */
  SystemProvider table(String name, Class<?>... contracts) {
    tables.put(name, contracts);
    return this;
  }

  SystemProvider rows(String path, String table, String where) {
    places.add(new Place(path, table, where));
    return this;
  }

  /** A path, and the path with an id behind it. */
  SystemProvider rows(String path, String table) {
    return rows(path, table, "1").rows(path + "/(\\d+)", table, "_id=?");
  }

  /** The superclass has it too, but as a synthetic method, which the compiler does not see. */
  public Object $$robo$getData() {
    return Fields.get(SHADOW, this);
  }

  void begin(Context context) {
    ProviderInfo info = new ProviderInfo();
    info.authority = authority;
    info.packageName = "com.android.providers";
    info.exported = true;
    attachInfo(context, info);
    ShadowContentResolver.registerProviderInternal(authority, this);
  }

  /** The app may read this row without a permission, since the user has picked it. */
  void open(Uri uri) {
    open.add(uri);
  }

  /** Called once, when the tables are used for the first time in a process. */
  void fill(SQLiteDatabase empty) {}

  SQLiteDatabase database() {
    synchronized (tables) {
      if (database == null) {
        database = SQLiteDatabase.create(null);
        tables.forEach(
            (name, contracts) -> {
              StringBuilder sql = new StringBuilder("CREATE TABLE " + name + " (_id INTEGER PRIMARY KEY");
              for (String column : columns(contracts)) {
                if (!column.equals("_id")) sql.append(", '").append(column).append('\'');
              }
              database.execSQL(sql.append(')').toString());
            });
        fill(database);
      }
      return database;
    }
  }

  /**
   * The columns that contracts name: their constants that look like a column. A few that are no columns look so too; a
   * column more does no harm.
   */
  private static Set<String> columns(Class<?>... contracts) {
    Set<String> columns = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (Class<?> contract : contracts) {
      for (Field field : contract.getFields()) {
        if (field.getType() != String.class || !Modifier.isStatic(field.getModifiers())) continue;
        field.setAccessible(true);
        String name = (String) Fields.get(field, null);
        if (name != null && name.matches("[a-zA-Z_][a-zA-Z0-9_]*") && !name.equals("_count")) columns.add(name);
      }
    }
    return columns;
  }

  private static void check(Context context, String permission, Uri uri) {
    if (permission == null) return;
    if (context.checkSelfPermission(permission) == PackageManager.PERMISSION_GRANTED) return;
    throw new SecurityException("Permission Denial: opening provider for " + uri + " requires " + permission);
  }

  /** A place that a URI names, and what to select there. */
  private record Rows(String table, String where, List<String> arguments) {
    String and(String selection) {
      return selection == null || selection.isBlank() ? where : "(" + where + ") AND (" + selection + ")";
    }

    String[] and(String[] selectionArguments) {
      List<String> all = new ArrayList<>(arguments);
      if (selectionArguments != null) all.addAll(List.of(selectionArguments));
      return all.toArray(new String[0]);
    }
  }

  private Rows find(Uri uri) {
    String path = uri.getPath() == null ? "" : uri.getPath().replaceFirst("^/", "").replaceFirst("/$", "");
    for (Place place : places) {
      Matcher match = Pattern.compile(place.path).matcher(path);
      if (!match.matches()) continue;
      List<String> arguments = new ArrayList<>();
      for (int i = 1; i <= match.groupCount(); i++) arguments.add(match.group(i));
      return new Rows(place.table, place.where, arguments);
    }
    throw new IllegalArgumentException("Unknown URL " + uri);
  }

  @Override
  public boolean onCreate() {
    return true;
  }

  @Override
  public Cursor query(Uri uri, String[] projection, String selection, String[] arguments, String order) {
    if (!open.contains(uri)) check(getContext(), readPermission, uri);
    Rows rows = find(uri);
    String limit = uri.getQueryParameter("limit");
    // The framework gives an empty list for "all columns" too.
    String[] wanted = projection != null && projection.length == 0 ? null : projection;
    Cursor cursor =
        database().query(rows.table, wanted, rows.and(selection), rows.and(arguments), null, null, order, limit);
    cursor.setNotificationUri(getContext().getContentResolver(), uri);
    return cursor;
  }

  @Override
  public String getType(Uri uri) {
    Rows rows = find(uri);
    return "vnd.android.cursor." + (rows.where.equals("_id=?") ? "item/" : "dir/") + rows.table;
  }

  @Override
  public Uri insert(Uri uri, ContentValues values) {
    check(getContext(), writePermission, uri);
    Rows rows = find(uri);
    long id = database().insertOrThrow(rows.table, "_id", values == null ? new ContentValues() : values);
    changed(rows.table);
    getContext().getContentResolver().notifyChange(uri, null);
    return ContentUris.withAppendedId(uri, id);
  }

  /** Rows have come, changed or gone; what follows from that in other tables is to be done here. */
  void changed(String table) {}

  @Override
  public int update(Uri uri, ContentValues values, String selection, String[] arguments) {
    check(getContext(), writePermission, uri);
    Rows rows = find(uri);
    int count = database().update(rows.table, values, rows.and(selection), rows.and(arguments));
    changed(rows.table);
    if (count > 0) getContext().getContentResolver().notifyChange(uri, null);
    return count;
  }

  @Override
  public int delete(Uri uri, String selection, String[] arguments) {
    check(getContext(), writePermission, uri);
    Rows rows = find(uri);
    int count = database().delete(rows.table, rows.and(selection), rows.and(arguments));
    changed(rows.table);
    if (count > 0) getContext().getContentResolver().notifyChange(uri, null);
    return count;
  }

  /** The file behind a row, as the media store keeps them: where the column _data says, else in the public pictures. */
  @Override
  public ParcelFileDescriptor openFile(Uri uri, String mode) throws FileNotFoundException {
    Rows rows = find(uri);
    if (!columns(tables.get(rows.table)).contains("_data")) throw new FileNotFoundException("No files supported by provider at " + uri);
    String[] arguments = rows.and((String[]) null);
    if (DatabaseUtils.queryNumEntries(database(), rows.table, rows.where, arguments) == 0) {
      throw new FileNotFoundException("No item at " + uri);
    }
    String path = null;
    try (Cursor cursor = database().query(rows.table, new String[] {"_data"}, rows.where, arguments, null, null, null)) {
      if (cursor.moveToFirst()) path = cursor.getString(0);
    }
    if (path == null) {
      File folder = Environment.getExternalStoragePublicDirectory(Environment.DIRECTORY_PICTURES);
      folder.mkdirs();
      path = new File(folder, ContentUris.parseId(uri) + "").getPath();
      ContentValues values = new ContentValues();
      values.put("_data", path);
      database().update(rows.table, values, rows.where, arguments);
    }
    return ParcelFileDescriptor.open(new File(path), ParcelFileDescriptor.parseMode(mode));
  }
}
