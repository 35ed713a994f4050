package org.robolectric.internal.bytecode;

/** Stands in for Robolectric's class of that name, which the framework's classes implement; only javac needs it. */
public interface InstrumentedInterface {}
