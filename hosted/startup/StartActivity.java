package org.marmoset.startup;

import android.app.AlertDialog;
import android.app.ListActivity;
import android.database.sqlite.SQLiteDatabase;
import android.os.AsyncTask;
import android.os.Bundle;
import android.view.Menu;
import android.widget.ArrayAdapter;
import android.widget.Button;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.ImageView;
import android.widget.LinearLayout;
import android.widget.ProgressBar;
import android.widget.ScrollView;
import android.widget.SeekBar;
import android.widget.Spinner;
import android.widget.TextView;
import android.widget.Toast;

/** What most apps use of Android in their first seconds, so that its classes are in the archive that hosted/setup makes. */
public final class StartActivity extends ListActivity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    setListAdapter(new ArrayAdapter<>(this, android.R.layout.simple_list_item_1, new String[] {"one", "two"}));
    getPreferences(MODE_PRIVATE).edit().putInt("starts", 1).apply();
    try (SQLiteDatabase database = openOrCreateDatabase("startup", MODE_PRIVATE, null)) {
      database.execSQL("CREATE TABLE IF NOT EXISTS things (name TEXT)");
      database.rawQuery("SELECT name FROM things", null).close();
    }
    AsyncTask.execute(() -> {});
    getListView().post(this::ask);
  }

  private void ask() {
    LinearLayout column = new LinearLayout(this);
    column.setOrientation(LinearLayout.VERTICAL);
    Spinner spinner = new Spinner(this);
    spinner.setAdapter(new ArrayAdapter<>(this, android.R.layout.simple_spinner_item, new String[] {"one", "two"}));
    column.addView(new TextView(this));
    column.addView(new EditText(this));
    column.addView(new Button(this));
    column.addView(new CheckBox(this));
    column.addView(new ImageView(this));
    column.addView(new ProgressBar(this));
    column.addView(new SeekBar(this));
    column.addView(spinner);
    ScrollView scroll = new ScrollView(this);
    scroll.addView(column);
    new AlertDialog.Builder(this).setTitle("Startup").setView(scroll).setPositiveButton("OK", null).show();
    Toast.makeText(this, "asked", Toast.LENGTH_SHORT).show();
  }

  @Override
  public boolean onCreateOptionsMenu(Menu menu) {
    menu.add("about");
    return true;
  }
}
