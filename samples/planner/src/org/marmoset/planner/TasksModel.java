package org.marmoset.planner;

import androidx.lifecycle.LiveData;
import androidx.lifecycle.MutableLiveData;
import androidx.lifecycle.ViewModel;
import java.util.ArrayList;
import java.util.List;

/** The tasks of the screen, which live through rotations. Main thread. */
public final class TasksModel extends ViewModel {
    private final MutableLiveData<List<Task>> tasks = new MutableLiveData<>(new ArrayList<>());
    private long nextId = 1;

    public TasksModel() {
        add("Water the plants");
        add("Call the plumber");
        add("Buy a present");
    }

    LiveData<List<Task>> tasks() {
        return tasks;
    }

    List<Task> now() {
        return new ArrayList<>(tasks.getValue());
    }

    void add(String title) {
        List<Task> all = now();
        all.add(new Task(nextId++, title, false));
        tasks.setValue(all);
    }

    void replace(Task task) {
        List<Task> all = now();
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).id == task.id) all.set(i, task);
        }
        tasks.setValue(all);
    }

    /** The place it was in. */
    int remove(Task task) {
        List<Task> all = now();
        int place = all.indexOf(task);
        if (place >= 0) all.remove(place);
        tasks.setValue(all);
        return place;
    }

    void restore(int place, Task task) {
        List<Task> all = now();
        all.add(place, task);
        tasks.setValue(all);
    }

    void clearDone() {
        List<Task> left = new ArrayList<>();
        for (Task task : now()) {
            if (!task.done) left.add(task);
        }
        tasks.setValue(left);
    }
}
