package org.marmoset.planner;

/** One thing to do. */
final class Task {
    final long id;
    final String title;
    final boolean done;

    Task(long id, String title, boolean done) {
        this.id = id;
        this.title = title;
        this.done = done;
    }

    Task withTitle(String newTitle) {
        return new Task(id, newTitle, done);
    }

    Task withDone(boolean nowDone) {
        return new Task(id, title, nowDone);
    }
}
