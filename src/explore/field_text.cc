#include "explore/field_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace marmoset {
namespace {

struct KindWord {
  std::string_view word;
  FieldKind kind;
};

// The first that is among a field's words decides: "mail_count" is a number, "phone number" is for a phone.
constexpr KindWord kWords[] = {
    {"count", FieldKind::kNumber},    {"amount", FieldKind::kNumber},  {"quantity", FieldKind::kNumber},
    {"qty", FieldKind::kNumber},      {"phone", FieldKind::kPhone},    {"tel", FieldKind::kPhone},
    {"telephone", FieldKind::kPhone}, {"mobile", FieldKind::kPhone},   {"fax", FieldKind::kPhone},
    {"mail", FieldKind::kMail},       {"email", FieldKind::kMail},     {"url", FieldKind::kUrl},
    {"website", FieldKind::kUrl},     {"link", FieldKind::kUrl},       {"address", FieldKind::kUrl},
    {"host", FieldKind::kUrl},        {"server", FieldKind::kUrl},     {"password", FieldKind::kPassword},
    {"passwd", FieldKind::kPassword}, {"pin", FieldKind::kNumber},     {"date", FieldKind::kDate},
    {"birthday", FieldKind::kDate},   {"day", FieldKind::kDate},       {"time", FieldKind::kTime},
    {"price", FieldKind::kNumber},    {"cost", FieldKind::kNumber},    {"sum", FieldKind::kNumber},
    {"total", FieldKind::kNumber},    {"number", FieldKind::kNumber},  {"num", FieldKind::kNumber},
    {"age", FieldKind::kNumber},      {"year", FieldKind::kNumber},    {"weight", FieldKind::kNumber},
    {"height", FieldKind::kNumber},   {"size", FieldKind::kNumber},    {"length", FieldKind::kNumber},
    {"rate", FieldKind::kNumber},     {"percent", FieldKind::kNumber}, {"percentage", FieldKind::kNumber},
    {"tip", FieldKind::kNumber},      {"port", FieldKind::kNumber},    {"zip", FieldKind::kNumber},
    {"code", FieldKind::kNumber},     {"minutes", FieldKind::kNumber}, {"hours", FieldKind::kNumber},
    {"seconds", FieldKind::kNumber},  {"name", FieldKind::kName},      {"title", FieldKind::kName},
    {"person", FieldKind::kName},     {"user", FieldKind::kName},      {"city", FieldKind::kName},
};

// "pricePerUnit", "price_per_unit" and "Price per unit" are the same words.
std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words(1);
  bool was_lower = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!std::isalpha(byte) || (std::isupper(byte) && was_lower)) words.emplace_back();
    if (std::isalpha(byte)) words.back() += static_cast<char>(std::tolower(byte));
    was_lower = std::islower(byte) != 0;
  }
  return words;
}

}  // namespace

std::optional<FieldKind> FieldKindOf(const Widget& field) {
  if (field.password) return FieldKind::kPassword;
  std::vector<std::string> words = WordsOf(ShortName(field.resource_id));
  for (const std::string& text : {field.hint, field.description})
    for (std::string& word : WordsOf(text)) words.push_back(std::move(word));
  // "e-mail" is cut in two; "mail" is what matters of it.
  for (const KindWord& known : kWords)
    if (std::find(words.begin(), words.end(), known.word) != words.end()) return known.kind;
  return std::nullopt;
}

bool Fits(FieldKind kind, std::string_view text) {
  const auto count = [&](auto is) { return std::count_if(text.begin(), text.end(), is); };
  const auto digits = count([](unsigned char c) { return std::isdigit(c); });
  const auto size = static_cast<std::ptrdiff_t>(text.size());
  const auto others_than = [&](std::string_view allowed) {
    return count([&](unsigned char c) {
      return !std::isdigit(c) && allowed.find(static_cast<char>(c)) == std::string_view::npos;
    });
  };
  switch (kind) {
    case FieldKind::kNumber:
      return digits > 0 && others_than("+-.,") == 0;
    case FieldKind::kMail:
      return text.find('@') != std::string_view::npos &&
             count([](unsigned char c) { return std::isspace(c); }) == 0;
    case FieldKind::kPhone:
      return digits >= 3 && others_than("+-()/ ") == 0;
    case FieldKind::kDate:
      return digits >= 4 && digits < size && others_than("-./ ") == 0;
    case FieldKind::kTime:
      return digits >= 2 && text.find(':') != std::string_view::npos && others_than(": AaPpMm") == 0;
    case FieldKind::kUrl:
      return text.find("://") != std::string_view::npos;
    case FieldKind::kName:
      return size > 0 && digits == 0 && text.find("://") == std::string_view::npos;
    case FieldKind::kPassword:
      return size >= 4 && count([](unsigned char c) { return std::isspace(c); }) == 0;
  }
  return false;
}

std::string FittingText(FieldKind kind, Random& random) {
  constexpr std::array<std::string_view, 6> kNames = {"Ada", "Müller", "O'Brien", "Lee", "Anna-Lena", "X"};
  const std::string name(kNames[random.Below(kNames.size())]);
  switch (kind) {
    case FieldKind::kNumber: {
      constexpr std::array<std::string_view, 8> kNumbers = {"0", "1", "2", "10", "12.50", "99", "1000", "-1"};
      return std::string(kNumbers[random.Below(kNumbers.size())]);
    }
    case FieldKind::kMail:
      return fmt::format("user{}@example.com", random.Below(100));
    case FieldKind::kPhone:
      return fmt::format("+1 555 01{:02}", random.Below(100));  // Numbers that are nobody's.
    case FieldKind::kDate:
      return fmt::format("{}-{:02}-{:02}", 1990 + random.Below(50), 1 + random.Below(12),
                         1 + random.Below(28));
    case FieldKind::kTime:
      return fmt::format("{:02}:{:02}", random.Below(24), random.Below(60));
    case FieldKind::kUrl:
      return "https://www.example.com/" + std::to_string(random.Below(10));
    case FieldKind::kName:
      return name;
    case FieldKind::kPassword:
      return "Secret-" + std::to_string(1000 + random.Below(9000));
  }
  return name;
}

}  // namespace marmoset
