package org.marmoset.planner;

import android.os.Bundle;
import android.view.Menu;
import android.view.MenuItem;
import androidx.appcompat.app.AppCompatActivity;
import androidx.appcompat.widget.SearchView;
import androidx.fragment.app.Fragment;
import androidx.lifecycle.ViewModelProvider;
import androidx.work.OneTimeWorkRequest;
import androidx.work.WorkInfo;
import androidx.work.WorkManager;
import com.google.android.material.bottomnavigation.BottomNavigationView;
import com.google.android.material.snackbar.Snackbar;

/** The frame of the app: its bar, its three sections, and the synchronization in the background. */
public final class PlannerActivity extends AppCompatActivity {
    private TasksModel model;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.planner);
        setSupportActionBar(findViewById(R.id.toolbar));
        model = new ViewModelProvider(this).get(TasksModel.class);
        BottomNavigationView navigation = findViewById(R.id.navigation);
        navigation.setOnNavigationItemSelectedListener(item -> show(item.getItemId()));
        if (state == null) show(R.id.nav_tasks);
    }

    private boolean show(int section) {
        Fragment fragment =
                section == R.id.nav_tasks
                        ? new TasksFragment()
                        : section == R.id.nav_plan ? new PlanFragment() : new SettingsFragment();
        getSupportFragmentManager().beginTransaction().replace(R.id.fragment, fragment).commit();
        return true;
    }

    @Override
    public boolean onCreateOptionsMenu(Menu menu) {
        getMenuInflater().inflate(R.menu.main, menu);
        SearchView search = (SearchView) menu.findItem(R.id.search).getActionView();
        search.setOnQueryTextListener(
                new SearchView.OnQueryTextListener() {
                    @Override
                    public boolean onQueryTextSubmit(String query) {
                        return find(query);
                    }

                    @Override
                    public boolean onQueryTextChange(String text) {
                        return false;
                    }
                });
        return true;
    }

    private boolean find(String query) {
        int count = 0;
        for (Task task : model.now()) {
            if (task.title.contains(query)) count++;
        }
        say(count + " found");
        return true;
    }

    @Override
    public boolean onOptionsItemSelected(MenuItem item) {
        if (item.getItemId() == R.id.clear) {
            model.clearDone();
            return true;
        }
        if (item.getItemId() != R.id.sync) return super.onOptionsItemSelected(item);
        OneTimeWorkRequest request =
                new OneTimeWorkRequest.Builder(SyncWorker.class)
                        .setInputData(SyncWorker.input(model.now().size()))
                        .build();
        WorkManager manager = WorkManager.getInstance(this);
        manager.enqueue(request);
        manager.getWorkInfoByIdLiveData(request.getId()).observe(this, this::synced);
        return true;
    }

    private void synced(WorkInfo info) {
        if (info == null || !info.getState().isFinished()) return;
        // Bug 3: without tasks the worker fails, and a failure has no message.
        say(info.getOutputData().getString(SyncWorker.MESSAGE).trim());
    }

    private void say(String text) {
        Snackbar.make(findViewById(R.id.content), text, Snackbar.LENGTH_LONG).show();
    }
}
