package marmoset.hosted.sandbox;

import android.content.ContentUris;
import android.content.ContentValues;
import android.content.Context;
import android.content.Intent;
import android.database.Cursor;
import android.database.sqlite.SQLiteDatabase;
import android.net.Uri;
import android.provider.ContactsContract;
import android.provider.ContactsContract.CommonDataKinds.Email;
import android.provider.ContactsContract.CommonDataKinds.Phone;
import android.provider.ContactsContract.CommonDataKinds.StructuredName;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The contacts on the phone: the provider with those of the device profile, and what the contacts app answers when the
 * app asks the user to pick one. A contact, its raw contact, and the columns of both in each of its data rows are kept
 * equal. Main thread, except the provider.
 */
final class Contacts extends SystemProvider {
  /** A person; phone and email may be empty. */
  record Person(String name, String phone, String email) {}

  /** The activity of the contacts app in which the user picks; explorers know it by this name. */
  static final String PICKER = ".activities.ContactSelectionActivity";

  private static final String OF_TYPE = "mimetype='%s'";
  private static final String PHONE = String.format(OF_TYPE, Phone.CONTENT_ITEM_TYPE);
  private static final String EMAIL = String.format(OF_TYPE, Email.CONTENT_ITEM_TYPE);
  private static final String POSTAL = String.format(OF_TYPE, ContactsContract.CommonDataKinds.StructuredPostal.CONTENT_ITEM_TYPE);

  private static Contacts present;

  private final List<Person> people;

  private Contacts(List<Person> people) {
    super(ContactsContract.AUTHORITY, "android.permission.READ_CONTACTS", "android.permission.WRITE_CONTACTS");
    this.people = people;
    table("contacts", ContactsContract.Contacts.class);
    table("raw_contacts", ContactsContract.RawContacts.class);
    table("data", ContactsContract.Data.class, ContactsContract.PhoneLookup.class);
    table("groups", ContactsContract.Groups.class);
    rows("contacts", "contacts");
    rows("contacts/(\\d+)/(?:data|entities)", "data", "contact_id=?");
    rows("contacts/lookup/([^/]+)", "contacts", "lookup=?");
    rows("contacts/lookup/[^/]+/(\\d+)", "contacts", "_id=?");
    rows("contacts/filter/(.+)", "contacts", "display_name LIKE '%' || ? || '%'");
    rows("contacts/(?:strequent|frequent)", "contacts", "starred=1");
    rows("raw_contacts", "raw_contacts");
    rows("raw_contacts/(\\d+)/(?:data|entity)", "data", "raw_contact_id=?");
    rows("data", "data");
    rows("data/phones", "data", PHONE);
    rows("data/phones/(\\d+)", "data", "_id=?");
    rows("data/(?:phones|callables)/filter/(.+)", "data", PHONE + " AND (display_name || data1) LIKE '%' || ? || '%'");
    rows("data/callables", "data", PHONE);
    rows("data/emails", "data", EMAIL);
    rows("data/emails/(\\d+)", "data", "_id=?");
    rows("data/emails/lookup/(.+)", "data", EMAIL + " AND data1=?");
    rows("data/emails/filter/(.+)", "data", EMAIL + " AND (display_name || data1) LIKE '%' || ? || '%'");
    rows("data/postals", "data", POSTAL);
    rows("phone_lookup/(.+)", "data", PHONE + " AND replace(data1, ' ', '')=replace(?, ' ', '')");
    rows("groups", "groups");
  }

  /** A new process finds these people. */
  static void begin(Context context, List<Person> people) {
    present = new Contacts(people);
    present.begin(context);
  }

  @Override
  void fill(SQLiteDatabase empty) {
    for (Person person : people) {
      long raw = empty.insertOrThrow("raw_contacts", "_id", new ContentValues());
      add(raw, StructuredName.CONTENT_ITEM_TYPE, person.name);
      if (!person.phone.isEmpty()) add(raw, Phone.CONTENT_ITEM_TYPE, person.phone);
      if (!person.email.isEmpty()) add(raw, Email.CONTENT_ITEM_TYPE, person.email);
    }
    changed("data");
  }

  private void add(long raw, String type, String value) {
    ContentValues values = new ContentValues();
    values.put("raw_contact_id", raw);
    values.put("mimetype", type);
    values.put("data1", value);
    database().insertOrThrow("data", "_id", values);
  }

  /**
   * A raw contact makes a contact of the same number, and they go together; its data give the contact a name and say
   * what there is of it, and repeat that in each row.
   */
  @Override
  void changed(String table) {
    SQLiteDatabase db = database();
    if (table.equals("contacts")) db.execSQL("DELETE FROM raw_contacts WHERE contact_id NOT IN (SELECT _id FROM contacts)");
    db.execSQL(
        "INSERT INTO contacts (_id, lookup, name_raw_contact_id, in_visible_group, starred, times_contacted)"
            + " SELECT _id, 'r' || _id, _id, 1, 0, 0 FROM raw_contacts WHERE contact_id IS NULL");
    db.execSQL("UPDATE raw_contacts SET contact_id=_id, deleted=0 WHERE contact_id IS NULL");
    db.execSQL("DELETE FROM contacts WHERE _id NOT IN (SELECT contact_id FROM raw_contacts)");
    db.execSQL("DELETE FROM data WHERE raw_contact_id NOT IN (SELECT _id FROM raw_contacts)");

    db.execSQL("UPDATE data SET data2=coalesce(data2, " + Phone.TYPE_MOBILE + ") WHERE " + PHONE);
    db.execSQL("UPDATE data SET number=data1, type=data2 WHERE " + PHONE);
    db.execSQL("UPDATE contacts SET display_name=" + name("contacts._id") + ", has_phone_number=" + hasPhone("contacts._id"));
    db.execSQL("UPDATE contacts SET display_name_alt=display_name, sort_key=display_name");
    db.execSQL("UPDATE raw_contacts SET display_name=" + name("raw_contacts._id"));
    db.execSQL(
        "UPDATE data SET contact_id=raw_contact_id, lookup='r' || raw_contact_id, in_visible_group=1, display_name="
            + name("data.raw_contact_id") + ", sort_key=" + name("data.raw_contact_id") + ", has_phone_number="
            + hasPhone("data.raw_contact_id"));
  }

  private static String name(String raw) {
    return "(SELECT d.data1 FROM data d WHERE d.raw_contact_id=" + raw + " AND d."
        + String.format(OF_TYPE, StructuredName.CONTENT_ITEM_TYPE) + ")";
  }

  private static String hasPhone(String raw) {
    return "(SELECT count(*) > 0 FROM data d WHERE d.raw_contact_id=" + raw + " AND d." + PHONE + ")";
  }

  /** Whether an intent asks the user to pick a contact. */
  static boolean isPick(Intent intent) {
    String action = intent.getAction();
    return Intent.ACTION_PICK.equals(action) || Intent.ACTION_GET_CONTENT.equals(action);
  }

  /** What can be picked, by what the user sees, with what the asking app is told. */
  static Map<String, Uri> choices(Intent intent) {
    String wanted = String.valueOf(intent.getData()) + " " + intent.getType();
    boolean phones = wanted.contains("phone");
    boolean emails = wanted.contains("email");
    Map<String, Uri> choices = new LinkedHashMap<>();
    SQLiteDatabase db = present.database();
    try (Cursor rows =
        phones || emails
            ? db.query("data", new String[] {"_id", "display_name", "data1"}, phones ? PHONE : EMAIL, null, null, null, "display_name")
            : db.query("contacts", new String[] {"_id", "display_name", "lookup"}, null, null, null, null, "display_name")) {
      while (rows.moveToNext()) {
        long id = rows.getLong(0);
        Uri uri =
            phones || emails
                ? ContentUris.withAppendedId(ContactsContract.Data.CONTENT_URI, id)
                : ContactsContract.Contacts.getLookupUri(id, rows.getString(2));
        choices.put(rows.getString(1) + (phones || emails ? "\n" + rows.getString(2) : ""), uri);
      }
    }
    return choices;
  }

  /** The app gets to read what the user has picked. */
  static Intent picked(Uri uri) {
    present.open(uri);
    return new Intent().setData(uri).addFlags(Intent.FLAG_GRANT_READ_URI_PERMISSION);
  }
}
