package org.marmoset.planner;

import android.app.Dialog;
import android.os.Bundle;
import android.view.View;
import android.widget.EditText;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import androidx.fragment.app.DialogFragment;
import androidx.lifecycle.ViewModelProvider;
import com.google.android.material.dialog.MaterialAlertDialogBuilder;

/** Asks for the title of a new task. */
public final class AddDialog extends DialogFragment {
    @NonNull
    @Override
    public Dialog onCreateDialog(@Nullable Bundle state) {
        View view = getLayoutInflater().inflate(R.layout.add, null);
        EditText text = view.findViewById(R.id.text);
        TasksModel model = new ViewModelProvider(requireActivity()).get(TasksModel.class);
        return new MaterialAlertDialogBuilder(requireContext())
                .setTitle("New task")
                .setView(view)
                .setPositiveButton("Add", (dialog, which) -> model.add(text.getText().toString()))
                .setNegativeButton("Cancel", null)
                .create();
    }
}
