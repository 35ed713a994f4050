package org.marmoset.ledger;

import android.app.Activity;
import android.content.SharedPreferences;
import android.database.sqlite.SQLiteDatabase;
import android.os.Bundle;
import android.os.Parcel;
import android.os.Parcelable;
import android.os.SystemClock;
import android.util.Log;
import android.widget.EditText;

/** Keeps a number in every place that an app has, and counts it up in each life. */
public final class AboutActivity extends Activity {
  private static int inStatic;

  private int inState;

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    EditText field = new EditText(this);
    field.setId(7);
    setContentView(field);
    if (saved == null) field.setText("typed");
    Number number = saved == null ? new Number(0) : (Number) saved.getParcelable("number");
    inState = number.value + 1;
    SharedPreferences preferences = getSharedPreferences("numbers", 0);
    int preference = preferences.getInt("number", 0) + 1;
    preferences.edit().putInt("number", preference).apply();
    SQLiteDatabase database = openOrCreateDatabase("numbers.db", 0, null);
    database.execSQL("CREATE TABLE IF NOT EXISTS lives (at INTEGER)");
    database.execSQL("INSERT INTO lives VALUES (1)");
    long rows = database.compileStatement("SELECT count(*) FROM lives").simpleQueryForLong();
    // Left open, as a killed process leaves it.
    Log.i(
        "death",
        "static " + ++inStatic + " state " + inState + " preference " + preference + " database " + rows + " intent "
            + getIntent().getStringExtra("what") + " later " + (SystemClock.uptimeMillis() > 500));
  }

  @Override
  protected void onResume() {
    super.onResume();
    Log.i("death", "field " + ((EditText) findViewById(7)).getText());
  }

  @Override
  protected void onSaveInstanceState(Bundle state) {
    super.onSaveInstanceState(state);
    state.putParcelable("number", new Number(inState));
  }

  /** A class of the app, which the next process loads anew. */
  public static final class Number implements Parcelable {
    public static final Parcelable.Creator<Number> CREATOR =
        new Parcelable.Creator<Number>() {
          @Override
          public Number createFromParcel(Parcel in) {
            return new Number(in.readInt());
          }

          @Override
          public Number[] newArray(int size) {
            return new Number[size];
          }
        };

    final int value;

    Number(int value) {
      this.value = value;
    }

    @Override
    public int describeContents() {
      return 0;
    }

    @Override
    public void writeToParcel(Parcel out, int flags) {
      out.writeInt(value);
    }
  }
}
