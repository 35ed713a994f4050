package org.marmoset.planner;

import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;
import android.widget.CheckBox;
import android.widget.TextView;
import androidx.annotation.NonNull;
import androidx.recyclerview.widget.DiffUtil;
import androidx.recyclerview.widget.ListAdapter;
import androidx.recyclerview.widget.RecyclerView;

/** Rows of tasks; what changes in the list is found in a thread of the library. */
final class TaskAdapter extends ListAdapter<Task, TaskAdapter.Row> {
    interface Listener {
        void open(Task task);

        void check(Task task, boolean done);

        void delete(Task task);
    }

    private static final DiffUtil.ItemCallback<Task> DIFFERENCES =
            new DiffUtil.ItemCallback<Task>() {
                @Override
                public boolean areItemsTheSame(@NonNull Task a, @NonNull Task b) {
                    return a.id == b.id;
                }

                @Override
                public boolean areContentsTheSame(@NonNull Task a, @NonNull Task b) {
                    return a.done == b.done && a.title.equals(b.title);
                }
            };

    private final Listener listener;

    TaskAdapter(Listener listener) {
        super(DIFFERENCES);
        this.listener = listener;
    }

    static final class Row extends RecyclerView.ViewHolder {
        final CheckBox done;
        final TextView title;

        Row(View view) {
            super(view);
            done = view.findViewById(R.id.done);
            title = view.findViewById(R.id.title);
        }
    }

    @NonNull
    @Override
    public Row onCreateViewHolder(@NonNull ViewGroup parent, int type) {
        return new Row(LayoutInflater.from(parent.getContext()).inflate(R.layout.row, parent, false));
    }

    @Override
    public void onBindViewHolder(@NonNull Row row, int position) {
        Task task = getItem(position);
        row.title.setText(task.title);
        row.done.setOnCheckedChangeListener(null);
        row.done.setChecked(task.done);
        row.done.setOnCheckedChangeListener((box, checked) -> listener.check(task, checked));
        row.itemView.setOnClickListener(view -> listener.open(task));
        row.itemView.setOnLongClickListener(
                view -> {
                    listener.delete(task);
                    return true;
                });
    }
}
