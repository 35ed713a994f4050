package org.marmoset.planner;

import android.content.Context;
import androidx.annotation.NonNull;
import androidx.work.Data;
import androidx.work.Worker;
import androidx.work.WorkerParameters;

/** Stands for a synchronization: takes a second, in a thread of WorkManager. */
public final class SyncWorker extends Worker {
    static final String MESSAGE = "message";
    private static final String COUNT = "count";

    public SyncWorker(@NonNull Context context, @NonNull WorkerParameters parameters) {
        super(context, parameters);
    }

    static Data input(int count) {
        return new Data.Builder().putInt(COUNT, count).build();
    }

    @NonNull
    @Override
    public Result doWork() {
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            return Result.retry();
        }
        int count = getInputData().getInt(COUNT, 0);
        if (count == 0) return Result.failure();
        return Result.success(new Data.Builder().putString(MESSAGE, count + " tasks synchronized").build());
    }
}
