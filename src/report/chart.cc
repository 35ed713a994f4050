#include "report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/xml.h"

namespace marmoset {
namespace {

constexpr double kWidth = 720, kHeight = 420;
constexpr double kLeft = 64, kRight = 150, kTop = 40, kBottom = 52;
constexpr int kMostMarks = 6;

struct Pen {
  const char* color;
  const char* dash;
};
// Colours that people who see few colours can tell apart (Okabe and Ito).
constexpr std::array<Pen, 6> kPens = {{{"#0072b2", ""},
                                       {"#d55e00", "7 3"},
                                       {"#009e73", "2 3"},
                                       {"#cc79a7", "9 3 2 3"},
                                       {"#e69f00", "4 2"},
                                       {"#000000", "1 2"}}};

std::string Number(double value) { return fmt::format("{:g}", value); }

class Drawing {
 public:
  explicit Drawing(const Chart& chart) : chart_(chart) {
    for (const Curve& curve : chart.curves)
      for (const CurvePoint& p : curve.points) {
        most_x_ = std::max(most_x_, p.x);
        most_y_ = std::max({most_y_, p.y, p.high});
      }
    if (most_x_ <= 0) most_x_ = 1;
    if (most_y_ <= 0) most_y_ = 1;
  }

  std::string Draw() {
    svg_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n"
        "<text x=\"{2}\" y=\"22\" font-size=\"15\">{3}</text>\n",
        kWidth, kHeight, kLeft, XmlEscaped(chart_.title));
    DrawAxes();
    for (size_t i = 0; i < chart_.curves.size(); ++i) DrawCurve(i);
    return svg_ + "</svg>\n";
  }

 private:
  double X(double x) const { return kLeft + x / most_x_ * (kWidth - kLeft - kRight); }
  double Y(double y) const { return kHeight - kBottom - y / most_y_ * (kHeight - kTop - kBottom); }

  void DrawAxes() {
    const double step_y = MarkDistance(most_y_), step_x = MarkDistance(most_x_);
    for (int i = 0; i * step_y <= most_y_ * (1 + 1e-9); ++i)
      svg_ += fmt::format(
          "<path d=\"M{} {:.1f}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1f}\" "
          "text-anchor=\"end\">{}</text>\n",
          kLeft, Y(i * step_y), kWidth - kRight, kLeft - 6, Y(i * step_y) + 4, Number(i * step_y));
    for (int i = 0; i * step_x <= most_x_ * (1 + 1e-9); ++i)
      svg_ += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", X(i * step_x),
                          kHeight - kBottom + 18, Number(i * step_x));
    svg_ += fmt::format("<path d=\"M{0} {1}V{2}H{3}\" fill=\"none\" stroke=\"black\"/>\n", kLeft, kTop,
                        kHeight - kBottom, kWidth - kRight);
    svg_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                        (kLeft + kWidth - kRight) / 2, kHeight - 12, XmlEscaped(chart_.x_label));
    svg_ += fmt::format("<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                        (kTop + kHeight - kBottom) / 2, XmlEscaped(chart_.y_label));
  }

  void DrawCurve(size_t i) {
    const Curve& curve = chart_.curves[i];
    const Pen& pen = kPens[i % kPens.size()];
    std::string line, band;
    for (const CurvePoint& p : curve.points) {
      line += fmt::format("{}{:.1f} {:.1f}", line.empty() ? "M" : "L", X(p.x), Y(p.y));
      band += fmt::format("{}{:.1f} {:.1f}", band.empty() ? "M" : "L", X(p.x), Y(p.high));
    }
    for (auto p = curve.points.rbegin(); p != curve.points.rend(); ++p)
      band += fmt::format("L{:.1f} {:.1f}", X(p->x), Y(p->low));
    if (!band.empty())
      svg_ += fmt::format("<path d=\"{}Z\" fill=\"{}\" fill-opacity=\"0.15\"/>\n", band, pen.color);
    svg_ += fmt::format(
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/>\n", line,
        pen.color, pen.dash);
    const double y = kTop + 8 + 20 * static_cast<double>(i), x = kWidth - kRight + 14;
    svg_ += fmt::format(
        "<path d=\"M{} {}h26\" stroke=\"{}\" stroke-width=\"2\" stroke-dasharray=\"{}\"/><text x=\"{}\" "
        "y=\"{}\">{}</text>\n",
        x, y, pen.color, pen.dash, x + 32, y + 4, XmlEscaped(curve.name));
  }

  const Chart& chart_;
  double most_x_ = 0, most_y_ = 0;
  std::string svg_;
};

}  // namespace

double MarkDistance(double top) {
  double distance = std::pow(10, std::floor(std::log10(top)) - 1);
  for (const double factor : {2, 5, 10, 20, 50, 100})
    if (top / distance > kMostMarks) distance = std::pow(10, std::floor(std::log10(top)) - 1) * factor;
  return distance;
}

std::string ToSvg(const Chart& chart) { return Drawing(chart).Draw(); }

}  // namespace marmoset
