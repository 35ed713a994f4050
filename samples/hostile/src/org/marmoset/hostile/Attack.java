package org.marmoset.hostile;

/** Tries something on the host; gives what it came to, where it comes back. */
interface Attack {
    String run() throws Exception;
}
