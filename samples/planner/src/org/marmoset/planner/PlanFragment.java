package org.marmoset.planner;

import android.os.Bundle;
import android.view.LayoutInflater;
import android.view.View;
import android.view.ViewGroup;
import android.widget.TextView;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import androidx.fragment.app.Fragment;
import androidx.recyclerview.widget.RecyclerView;
import androidx.viewpager2.widget.ViewPager2;
import com.google.android.material.datepicker.MaterialDatePicker;
import com.google.android.material.tabs.TabLayout;
import com.google.android.material.tabs.TabLayoutMediator;

/** The plan of a day, a week or a month, on pages that one can swipe. */
public final class PlanFragment extends Fragment {
    private static final String[] PAGES = {"Day", "Week", "Month"};

    public PlanFragment() {
        super(R.layout.plan);
    }

    @Override
    public void onViewCreated(@NonNull View view, @Nullable Bundle state) {
        ViewPager2 pager = view.findViewById(R.id.pager);
        pager.setAdapter(new Pages());
        TabLayout tabs = view.findViewById(R.id.tabs);
        new TabLayoutMediator(tabs, pager, (tab, page) -> tab.setText(PAGES[page])).attach();
        TextView pick = view.findViewById(R.id.pick);
        pick.setOnClickListener(
                button -> {
                    MaterialDatePicker<Long> picker = MaterialDatePicker.Builder.datePicker().build();
                    picker.addOnPositiveButtonClickListener(day -> pick.setText(picker.getHeaderText()));
                    picker.show(getParentFragmentManager(), "day");
                });
    }

    private static final class Pages extends RecyclerView.Adapter<RecyclerView.ViewHolder> {
        @NonNull
        @Override
        public RecyclerView.ViewHolder onCreateViewHolder(@NonNull ViewGroup parent, int type) {
            View page = LayoutInflater.from(parent.getContext()).inflate(R.layout.page, parent, false);
            return new RecyclerView.ViewHolder(page) {};
        }

        @Override
        public void onBindViewHolder(@NonNull RecyclerView.ViewHolder holder, int page) {
            ((TextView) holder.itemView).setText("Nothing planned for this " + PAGES[page].toLowerCase());
        }

        @Override
        public int getItemCount() {
            return PAGES.length;
        }
    }
}
