// A line chart as SVG: curves with a band around each, for one page of a study.
//
// Pure functions. The picture has no script and no outside fonts, and is readable in black and white: curves
// differ in dash as well as in colour.

#pragma once

#include <string>
#include <vector>

namespace marmoset {

struct CurvePoint {
  double x = 0;
  double y = 0;
  double low = 0;  // The band.
  double high = 0;
};

struct Curve {
  std::string name;
  std::vector<CurvePoint> points;  // By x, ascending.
};

struct Chart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Curve> curves;
};

std::string ToSvg(const Chart& chart);

// The distances between marks on an axis from 0 to `top` (positive): 1, 2 or 5 times a power of ten, at most
// 6 marks above 0.
double MarkDistance(double top);

}  // namespace marmoset
