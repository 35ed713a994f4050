#include "cli/app_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "apk/testing/builders.h"

namespace marmoset::cli {
namespace {

apk::Activity ActivityNamed(const std::string& name, bool exported) {
  apk::Activity a;
  a.name = name;
  a.exported = exported;
  return a;
}

apk::Manifest ManifestOf(std::vector<apk::Activity> activities) {
  apk::Manifest m;
  m.package = "p";
  m.activities = std::move(activities);
  return m;
}

apk::IntentFilter FilterOf(const std::string& action, std::vector<apk::IntentData> data) {
  apk::IntentFilter filter;
  filter.actions = {action};
  filter.categories = {"android.intent.category.DEFAULT"};
  filter.data = std::move(data);
  return filter;
}

apk::IntentData Scheme(const std::string& scheme, const std::string& host = "",
                       const std::string& port = "") {
  apk::IntentData data;
  data.scheme = scheme;
  data.host = host;
  data.port = port;
  return data;
}

apk::IntentData Type(const std::string& mime_type) {
  apk::IntentData data;
  data.mime_type = mime_type;
  return data;
}

apk::IntentData Path(const std::string& prefix, const std::string& pattern = "") {
  apk::IntentData data;
  data.path_prefix = prefix;
  data.path_pattern = pattern;
  return data;
}

TEST(AppInputs, OnlyWhatAnyOtherAppMayStartIsStarted) {
  apk::Activity guarded = ActivityNamed("p.Guarded", true), off = ActivityNamed("p.Off", true);
  guarded.permission = "p.SECRET";
  off.enabled = false;
  apk::Activity launcher = ActivityNamed("p.Main", true);
  launcher.launcher = true;
  launcher.filters = {FilterOf("android.intent.action.MAIN", {})};
  const std::vector<apk::Activity> all = {launcher, ActivityNamed("p.Open", true),
                                          ActivityNamed("p.Inner", false), guarded, off};
  const auto intents = IntentsFor(ManifestOf(all));
  ASSERT_EQ(intents.size(), 1u);
  EXPECT_EQ(intents[0].intent.component, "p/p.Open");
  EXPECT_EQ(intents[0].activity, "p.Open");
  apk::Manifest closed = ManifestOf(all);
  closed.application_permission = "p.SECRET";
  EXPECT_TRUE(IntentsFor(closed).empty());
}

TEST(AppInputs, AnAliasOpensWhatItStandsFor) {
  apk::Activity alias = ActivityNamed("p.Alias", true);
  alias.alias_target = "p.Inner";
  const auto intents = IntentsFor(ManifestOf({alias}));
  ASSERT_EQ(intents.size(), 1u);
  EXPECT_EQ(intents[0].intent.component, "p/p.Alias");
  EXPECT_EQ(intents[0].activity, "p.Inner");
}

// What the filter of one activity lets through, as data and types.
std::vector<std::pair<std::string, std::string>> SentFor(const apk::IntentFilter& filter) {
  apk::Activity a = ActivityNamed("p.View", true);
  a.filters = {filter};
  std::vector<std::pair<std::string, std::string>> sent;
  for (const OutsideIntent& i : IntentsFor(ManifestOf({a}))) {
    if (i.intent.action == "android.intent.action.MAIN") continue;
    EXPECT_EQ(i.intent.categories, filter.categories);
    sent.emplace_back(i.intent.data, i.intent.type);
  }
  return sent;
}

TEST(AppInputs, DataFitTheFilter) {
  using Sent = std::vector<std::pair<std::string, std::string>>;
  const std::string view = "android.intent.action.VIEW";
  // Schemes, hosts and paths stand in elements of their own and are combined, as Android does.
  EXPECT_EQ(
      SentFor(FilterOf(view, {Scheme("http"), Scheme("https"), Scheme("", "shop.example"), Path("/item")})),
      (Sent{{"http://shop.example/item", ""}, {"https://shop.example/item", ""}}));
  EXPECT_EQ(SentFor(FilterOf(view, {Scheme("http", "*.example", "8080"), Path("", ".*\\.pdf")})),
            (Sent{{"http://www.example:8080/a.pdf", ""}}));
  EXPECT_EQ(SentFor(FilterOf(view, {Scheme("app")})), (Sent{{"app://www.example.com/item/1", ""}}));
  EXPECT_EQ(SentFor(FilterOf(view, {Scheme("geo")})), (Sent{{"geo:52.5,13.4", ""}}));
  EXPECT_EQ(SentFor(FilterOf(view, {Type("image/*"), Type("text/csv")})),
            (Sent{{"", "image/png"}, {"", "text/csv"}}));
  EXPECT_EQ(SentFor(FilterOf(view, {Scheme("content"), Type("*/*")})),
            (Sent{{"content://com.example.files/item/1", "text/plain"}}));
  // A host without a scheme says nothing to Android.
  EXPECT_EQ(SentFor(FilterOf(view, {Scheme("", "shop.example")})), (Sent{{"", ""}}));
}

TEST(AppInputs, WhatSendersAlwaysPutInIsThere) {
  apk::Activity a = ActivityNamed("p.Share", true);
  a.filters = {FilterOf("android.intent.action.SEND", {Type("text/plain")})};
  const auto intents = IntentsFor(ManifestOf({a}));
  ASSERT_EQ(intents.size(), 2u);
  EXPECT_EQ(intents[1].intent.extras.count("android.intent.extra.TEXT"), 1u);
}

TEST(AppInputs, TextsAreShortPlainAndTheAppsOwn) {
  const auto text = [](const std::string& name, const std::string& value) {
    return apk::testing::TestResource{name, {apk::ResType::kString, 0}, value};
  };
  const std::string bytes = apk::testing::BuildResourceTable(
      {{"string",
        {text("rent", "Rent"), text("again", "Rent"), text("count", "%d items"), text("bold", "<b>x</b>"),
         text("long", std::string(33, 'x')), text("abc_search", "Search"), text("food", "Food")}},
       {"layout", {text("main", "res/layout/main.xml")}}});
  const auto table = apk::ResourceTable::Parse(apk::Blob::Own(bytes));
  ASSERT_TRUE(table) << table.error().message();
  EXPECT_EQ(TextsOf(*table), (std::vector<std::string>{"Rent", "Food"}));
}

TEST(AppInputs, AGlobIsAnsweredByATextThatFitsIt) {
  EXPECT_EQ(TextFor("/a.b"), "/aab");
  EXPECT_EQ(TextFor(".*\\.pdf"), "a.pdf");
  EXPECT_EQ(TextFor("x*\\\\"), "x\\");
  EXPECT_EQ(TextFor(""), "");
}

}  // namespace
}  // namespace marmoset::cli
