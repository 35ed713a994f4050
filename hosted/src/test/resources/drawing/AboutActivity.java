package org.marmoset.ledger;

import android.app.Activity;
import android.content.Context;
import android.graphics.Canvas;
import android.os.Bundle;
import android.view.View;
import android.view.animation.AlphaAnimation;
import android.view.animation.Animation;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;

/** Waits for the end of an animation, and draws itself what it can draw but once. */
public final class AboutActivity extends Activity {
  private static final class Picture extends View {
    private boolean broken;
    private int drawn;

    Picture(Context context) {
      super(context);
    }

    @Override
    protected void onDraw(Canvas canvas) {
      drawn++;
      if (broken) throw new IllegalStateException("cannot be drawn");
    }
  }

  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    Picture picture = new Picture(this);
    TextView state = new TextView(this);
    state.setText("waiting");
    Animation fade = new AlphaAnimation(0, 1);
    fade.setDuration(1000);
    fade.setAnimationListener(
        new Animation.AnimationListener() {
          @Override
          public void onAnimationStart(Animation animation) {
            state.setText("fading");
          }

          @Override
          public void onAnimationEnd(Animation animation) {
            state.setText("faded");
          }

          @Override
          public void onAnimationRepeat(Animation animation) {}
        });
    LinearLayout all = new LinearLayout(this);
    all.setOrientation(LinearLayout.VERTICAL);
    all.addView(state);
    all.addView(button("fade", view -> state.startAnimation(fade)));
    all.addView(button("count", view -> state.setText(picture.drawn > 0 ? "drawn" : "never drawn")));
    all.addView(
        button(
            "break",
            view -> {
              picture.broken = true;
              picture.invalidate();
            }));
    all.addView(picture, new LinearLayout.LayoutParams(100, 100));
    setContentView(all);
  }

  private Button button(String text, View.OnClickListener listener) {
    Button button = new Button(this);
    button.setAllCaps(false);
    button.setText(text);
    button.setOnClickListener(listener);
    return button;
  }
}
