package org.marmoset.planner;

import android.content.Intent;
import android.os.Bundle;
import android.view.View;
import android.widget.Toast;
import androidx.activity.result.ActivityResult;
import androidx.activity.result.ActivityResultLauncher;
import androidx.activity.result.contract.ActivityResultContracts;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import androidx.fragment.app.Fragment;
import androidx.lifecycle.ViewModelProvider;
import androidx.recyclerview.widget.RecyclerView;
import androidx.swiperefreshlayout.widget.SwipeRefreshLayout;
import com.google.android.material.snackbar.Snackbar;

/** The list of tasks: tap to edit, long press to delete, pull to refresh. */
public final class TasksFragment extends Fragment implements TaskAdapter.Listener {
    private static final int REFRESH_MS = 1500;

    private TasksModel model;
    private ActivityResultLauncher<Intent> edit;

    public TasksFragment() {
        super(R.layout.tasks);
    }

    @Override
    public void onCreate(@Nullable Bundle state) {
        super.onCreate(state);
        model = new ViewModelProvider(requireActivity()).get(TasksModel.class);
        edit = registerForActivityResult(new ActivityResultContracts.StartActivityForResult(), this::edited);
    }

    @Override
    public void onViewCreated(@NonNull View view, @Nullable Bundle state) {
        TaskAdapter adapter = new TaskAdapter(this);
        RecyclerView list = view.findViewById(R.id.list);
        list.setAdapter(adapter);
        model.tasks().observe(getViewLifecycleOwner(), adapter::submitList);
        view.findViewById(R.id.add).setOnClickListener(button -> new AddDialog().show(getParentFragmentManager(), "add"));
        SwipeRefreshLayout refresh = view.findViewById(R.id.refresh);
        refresh.setOnRefreshListener(() -> refresh.postDelayed(() -> refreshed(refresh), REFRESH_MS));
    }

    private void refreshed(SwipeRefreshLayout refresh) {
        refresh.setRefreshing(false);
        // Bug 1: by now the user may have gone to another section.
        Toast.makeText(requireContext(), "Up to date", Toast.LENGTH_SHORT).show();
    }

    @Override
    public void open(Task task) {
        edit.launch(TaskActivity.intent(requireContext(), task));
    }

    private void edited(ActivityResult result) {
        Intent data = result.getData();
        if (data == null) return;
        for (Task task : model.now()) {
            if (task.id == TaskActivity.id(data)) model.replace(task.withTitle(TaskActivity.title(data)));
        }
    }

    @Override
    public void check(Task task, boolean done) {
        model.replace(task.withDone(done));
    }

    @Override
    public void delete(Task task) {
        int place = model.remove(task);
        // Bug 2: the place may be gone by the time of the tap, if the list was cleared meanwhile.
        Snackbar.make(requireActivity().findViewById(R.id.content), "Deleted", Snackbar.LENGTH_INDEFINITE)
                .setAction("Undo", button -> model.restore(place, task))
                .show();
    }
}
