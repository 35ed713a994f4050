package org.marmoset.ledger;

import android.app.Activity;
import android.content.ContentResolver;
import android.content.ContentValues;
import android.content.Intent;
import android.database.Cursor;
import android.net.Uri;
import android.os.Bundle;
import android.provider.CalendarContract;
import android.provider.ContactsContract;
import android.provider.MediaStore;
import android.util.Log;
import java.io.InputStream;
import java.io.OutputStream;

/** Asks the providers of the system, then the user for a contact and a number. */
public final class AboutActivity extends Activity {
  private ContentResolver resolver;

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    resolver = getContentResolver();
    log("images " + rows(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, MediaStore.Images.Media.TITLE));
    ContentValues picture = new ContentValues();
    picture.put(MediaStore.Images.Media.TITLE, "Sunrise");
    Uri uri = resolver.insert(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, picture);
    try (OutputStream out = resolver.openOutputStream(uri)) {
      out.write(42);
    } catch (Exception e) {
      log(e.toString());
    }
    try (InputStream in = resolver.openInputStream(uri)) {
      log(uri + " holds " + in.read());
    } catch (Exception e) {
      log(e.toString());
    }
    log("images " + rows(MediaStore.Images.Media.EXTERNAL_CONTENT_URI, MediaStore.Images.Media.TITLE));
    log("calendar " + rows(CalendarContract.Events.CONTENT_URI, CalendarContract.Events.TITLE));
    log("contacts " + rows(ContactsContract.Contacts.CONTENT_URI, "display_name"));
    log("nonsense " + rows(Uri.parse("content://media/nonsense"), "_id"));
    startActivityForResult(new Intent(Intent.ACTION_PICK, ContactsContract.Contacts.CONTENT_URI), 1);
  }

  @Override
  protected void onActivityResult(int request, int result, Intent data) {
    super.onActivityResult(request, result, data);
    if (data == null) {
      log("picked nothing");
      return;
    }
    Uri uri = data.getData();
    log("picked " + uri + " " + rows(uri, request == 1 ? "display_name" : "data1"));
    if (request != 1) return;
    Intent phone = new Intent(Intent.ACTION_GET_CONTENT);
    phone.setType(ContactsContract.CommonDataKinds.Phone.CONTENT_ITEM_TYPE);
    startActivityForResult(phone, 2);
  }

  private String rows(Uri uri, String column) {
    StringBuilder text = new StringBuilder();
    try (Cursor cursor = resolver.query(uri, null, null, null, null)) {
      while (cursor.moveToNext()) text.append('[').append(cursor.getString(cursor.getColumnIndexOrThrow(column))).append(']');
    } catch (RuntimeException e) {
      return e.toString();
    }
    return text.toString();
  }

  private static void log(String text) {
    Log.i("phone", text);
  }
}
