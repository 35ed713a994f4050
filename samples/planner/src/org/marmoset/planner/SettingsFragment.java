package org.marmoset.planner;

import android.os.Bundle;
import androidx.annotation.Nullable;
import androidx.preference.PreferenceFragmentCompat;

/** The settings, as the preference library draws them. */
public final class SettingsFragment extends PreferenceFragmentCompat {
    @Override
    public void onCreatePreferences(@Nullable Bundle state, @Nullable String root) {
        setPreferencesFromResource(R.xml.preferences, root);
    }
}
