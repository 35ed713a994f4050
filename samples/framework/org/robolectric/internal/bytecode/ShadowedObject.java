package org.robolectric.internal.bytecode;

/**
 * Stands in for Robolectric's class of that name, which the framework's classes implement; only javac needs it. The
 * real one has a method that abstract framework classes leave to run time.
 */
public interface ShadowedObject {}
