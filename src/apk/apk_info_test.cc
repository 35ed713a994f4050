#include "apk/apk_info.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apk/testing/builders.h"
#include "apk/testing/data.h"
#include "apk/zip_writer.h"

namespace marmoset::apk {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ApkInfo, ReadsASmallApk) {
  const Result<Apk> apk = Apk::Parse(Blob::Own(testing::BuildSmallApk("a.b")), "small.apk");
  ASSERT_TRUE(apk) << apk.error().message();
  const Result<ApkInfo> info = ReadApkInfo(*apk);
  ASSERT_TRUE(info) << info.error().message();
  const Manifest& manifest = info->manifest;
  EXPECT_EQ(manifest.package, "a.b");
  EXPECT_EQ(manifest.version_code, 42u);
  EXPECT_EQ(manifest.version_name, "1.0");
  EXPECT_EQ(manifest.min_sdk, 21);
  EXPECT_EQ(manifest.target_sdk, 34);
  EXPECT_EQ(manifest.application_class, "a.b.App");
  EXPECT_EQ(manifest.application_label, "Small");
  ASSERT_EQ(manifest.activities.size(), 1u);
  EXPECT_EQ(manifest.activities[0].name, "a.b.Main");
  EXPECT_EQ(manifest.activities[0].launch_mode, "singleTask");
  EXPECT_EQ(manifest.activities[0].config_changes, "keyboardHidden|orientation");
  EXPECT_TRUE(manifest.activities[0].exported);
  EXPECT_TRUE(manifest.activities[0].launcher);
  EXPECT_EQ(info->launcher, "a.b.Main");
  EXPECT_THAT(info->dex_files, ElementsAre("classes.dex"));
  ASSERT_EQ(info->native_libraries.size(), 1u);
  EXPECT_EQ(info->native_libraries[0].abi, "arm64-v8a");
  EXPECT_EQ(info->native_libraries[0].name, "libsmall.so");
  EXPECT_EQ(manifest.permissions.at(0).name, "android.permission.INTERNET");
}

TEST(ApkInfo, WritesTheManifestAsItsSource) {
  const Apk apk = Apk::Parse(Blob::Own(testing::BuildSmallApk("a.b")), "small.apk").value();
  const std::string text = ManifestAsText(apk).value();
  EXPECT_THAT(text, HasSubstr("android:label=\"@string/app_name\""));
  EXPECT_THAT(text, HasSubstr("android:launchMode=\"singleTask\""));
  EXPECT_THAT(text, HasSubstr("android:configChanges=\"keyboardHidden|orientation\""));
  EXPECT_THAT(text, HasSubstr("package=\"a.b\""));
}

TEST(ApkInfo, WritesJson) {
  const Apk apk = Apk::Parse(Blob::Own(testing::BuildSmallApk("a.b")), "small\xff.apk").value();
  const std::string text = JsonText(ToJson(ReadApkInfo(apk).value()));
  const auto json = nlohmann::json::parse(text);
  EXPECT_EQ(json["manifest"]["package"], "a.b");
  EXPECT_EQ(json["manifest"]["activities"][0]["filters"][0]["actions"][0], "android.intent.action.MAIN");
  EXPECT_EQ(json["launcher"], "a.b.Main");
}

std::string MessageFor(const std::vector<std::pair<std::string, std::string>>& entries) {
  ZipWriter writer;
  for (const auto& [name, data] : entries) writer.AddStored(name, data);
  const Result<Apk> apk = Apk::Parse(Blob::Own(writer.Finish().value().Join()), "x.apk");
  if (!apk) return apk.error().message();
  const Result<ApkInfo> info = ReadApkInfo(*apk);
  return info ? "" : info.error().message();
}

TEST(ApkInfo, SaysWhatAFileIsInstead) {
  const std::string manifest = testing::BuildBinaryXml(testing::SmallManifest("a.b"));
  EXPECT_THAT(MessageFor({{"base/manifest/AndroidManifest.xml", ""}}), HasSubstr("bundletool"));
  EXPECT_THAT(MessageFor({{"base.apk", ""}}), HasSubstr("set of APKs"));
  EXPECT_THAT(MessageFor({{"a/B.class", ""}}), HasSubstr("Java archive"));
  EXPECT_THAT(MessageFor({{"readme", ""}}),
              HasSubstr("x.apk: not an APK: the archive has no AndroidManifest"));
  EXPECT_THAT(MessageFor({{"AndroidManifest.xml", manifest}}), HasSubstr("no classes.dex"));
  EXPECT_THAT(MessageFor({{"AndroidManifest.xml", "<?xml"}}), HasSubstr("x.apk: AndroidManifest.xml: "));
  EXPECT_THAT(MessageFor({{"AndroidManifest.xml", testing::BuildBinaryXml({"layout", {}, {}, ""})}}),
              HasSubstr("<layout>, not <manifest>"));
  EXPECT_THAT(MessageFor({{"AndroidManifest.xml", testing::BuildBinaryXml({"manifest", {}, {}, ""})}}),
              HasSubstr("names no package"));
}

TEST(ApkInfo, BrokenResourcesDoNotHideTheApp) {
  ZipWriter writer;
  writer.AddStored("AndroidManifest.xml", testing::BuildBinaryXml(testing::SmallManifest("a.b")));
  writer.AddStored("classes.dex", "dex");
  writer.AddStored("resources.arsc", "nothing of the kind");
  const Apk apk = Apk::Parse(Blob::Own(writer.Finish().value().Join()), "x.apk").value();
  EXPECT_THAT(apk.resource_error(), HasSubstr("x.apk: resources.arsc"));
  EXPECT_EQ(ReadApkInfo(apk)->manifest.application_label, "@0x7f010000");
}

TEST(ApkInfo, ReadsRealApks) {
  MARMOSET_NEED_REAL_APKS(files);
  for (const std::string& file : files) {
    const Result<Apk> apk = Apk::Open(file);
    ASSERT_TRUE(apk) << apk.error().message();
    EXPECT_EQ(apk->resource_error(), "");
    const Result<ApkInfo> info = ReadApkInfo(*apk);
    ASSERT_TRUE(info) << info.error().message();
    for (const ZipEntry& entry : apk->zip().entries()) {
      const Result<Blob> content = apk->zip().Read(entry);
      EXPECT_TRUE(content) << content.error().message();
    }
    EXPECT_TRUE(ManifestAsText(*apk));
  }
}

}  // namespace
}  // namespace marmoset::apk
