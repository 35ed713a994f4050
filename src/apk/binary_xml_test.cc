#include "apk/binary_xml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apk/android_attributes.h"
#include "apk/apk_info.h"
#include "apk/testing/builders.h"
#include "apk/testing/data.h"
#include "apk/utf.h"
#include "apk/xml_text.h"

namespace marmoset::apk {
namespace {

using ::testing::HasSubstr;

TEST(BinaryXml, ReadsATree) {
  for (const bool utf8 : {false, true}) {
    const std::string bytes = testing::BuildBinaryXml(
        {"a", {{"k", "v", {}, 0}}, {{"b", {}, {}, "text"}, {"c", {}, {}, ""}}, ""}, utf8);
    const Result<XmlDocument> document = XmlDocument::Parse(bytes);
    ASSERT_TRUE(document) << document.error().message();
    EXPECT_EQ(document->root().name, "a");
    EXPECT_EQ(document->root().Plain("k")->text(), "v");
    const auto children = document->Children(document->root());
    ASSERT_EQ(children.size(), 2u);
    EXPECT_EQ(children[0]->text, "text");
    EXPECT_EQ(children[1]->name, "c");
    EXPECT_EQ(children[1]->line, 7u);
  }
}

TEST(BinaryXml, WritesText) {
  const std::string bytes = testing::BuildBinaryXml(
      {"a", {{"android:name", "<&\">", {}, 0x01010003}}, {{"b", {}, {}, "1 < 2"}}, ""});
  const XmlDocument document = XmlDocument::Parse(bytes).value();
  EXPECT_EQ(XmlToText(document, {}).value(),
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
            "<a\n    xmlns:android=\"http://schemas.android.com/apk/res/android\"\n"
            "    android:name=\"&lt;&amp;&quot;&gt;\">\n"
            "    <b>1 &lt; 2</b>\n"
            "</a>\n");
}

TEST(BinaryXml, GoesByTheAttributesId) {
  // A shrinker may replace the name; Android reads the id.
  const std::string bytes = testing::BuildBinaryXml({"a", {{"x", "v", {}, 0x01010003}}, {}, ""});
  const XmlDocument document = XmlDocument::Parse(bytes).value();
  ASSERT_NE(document.root().Android("name"), nullptr);
  EXPECT_EQ(document.root().Android("name")->text(), "v");
}

TEST(BinaryXml, WritesValuesAsSourcesDo) {
  EXPECT_EQ(LiteralText({ResType::kDimension, 0x00001001}), "16dp");
  EXPECT_EQ(LiteralText({ResType::kDimension, 0x00000001}), "0dp");
  EXPECT_EQ(LiteralText({ResType::kFraction, 0x40000030}), "50%");
  EXPECT_EQ(LiteralText({ResType::kFloat, 0x3f000000}), "0.5");
  EXPECT_EQ(LiteralText({ResType::kColorArgb8, 0xff00ff00}), "#ff00ff00");
  EXPECT_EQ(LiteralText({ResType::kColorRgb4, 0xffffaa00}), "#fa0");
  EXPECT_EQ(LiteralText({ResType::kDecimal, 0xffffffff}), "-1");
  EXPECT_EQ(LiteralText({ResType::kBoolean, 0xffffffff}), "true");
  EXPECT_EQ(LiteralText({ResType::kReference, 0x7f010002}), "@0x7f010002");
  EXPECT_EQ(LiteralText({ResType::kNull, 0}), "@null");
  EXPECT_EQ(AttributeValueName("launchMode", 3), "singleInstance");
  EXPECT_EQ(AttributeValueName("configChanges", 0xa0), "keyboardHidden|orientation");
  EXPECT_EQ(AttributeValueName("windowSoftInputMode", 0x12), "stateHidden|adjustResize");
  EXPECT_EQ(AttributeValueName("windowSoftInputMode", 0x10), "adjustResize");
  EXPECT_EQ(AttributeValueName("protectionLevel", 0x12), "signature|privileged");
  EXPECT_EQ(AttributeValueName("protectionLevel", 0), "normal");
  EXPECT_EQ(AttributeValueName("screenOrientation", 0xffffffff), "unspecified");
  EXPECT_EQ(AttributeValueName("launchMode", 77), "");
  EXPECT_EQ(AttributeValueName("exported", 1), "");
}

TEST(BinaryXml, RejectsWhatIsNone) {
  EXPECT_THAT(XmlDocument::Parse("<?xml version=\"1.0\"?><manifest/>").error().message(),
              HasSubstr("XML as text"));
  EXPECT_FALSE(XmlDocument::Parse(""));
  const std::string good = testing::BuildBinaryXml(testing::SmallManifest("a.b"));
  for (size_t size = 0; size < good.size(); ++size) EXPECT_FALSE(XmlDocument::Parse(good.substr(0, size)));
}

TEST(BinaryXml, LimitsDepth) {
  testing::TestElement element{"e", {}, {}, ""};
  for (int i = 0; i < 1000; ++i) element = {"e", {}, {element}, ""};
  EXPECT_THAT(XmlDocument::Parse(testing::BuildBinaryXml(element)).error().message(),
              HasSubstr("deeper than 1000"));
}

TEST(BinaryXml, EveryByteMayBeWrong) {
  const std::string good = testing::BuildBinaryXml(testing::SmallManifest("a.b"));
  for (size_t i = 0; i < good.size(); ++i) {
    for (const char value : {'\0', '\x01', '\x7f', '\xff'}) {
      std::string bytes = good;
      bytes[i] = value;
      const Result<XmlDocument> document = XmlDocument::Parse(bytes);
      if (document) (void)XmlToText(*document, {});
    }
  }
}

TEST(Utf, KnowsTheEncodingsOfApks) {
  EXPECT_EQ(ModifiedToUtf8("a\xc0\x80"), std::string("a\0", 2));
  EXPECT_EQ(ModifiedToUtf8("\xed\xa0\xbd\xed\xb8\x80"), "\xf0\x9f\x98\x80");
  EXPECT_EQ(ModifiedToUtf8("\xed\xa0\xbd!"), "\xef\xbf\xbd!");
  EXPECT_EQ(ModifiedToUtf8("\xff\xc3"), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(Utf8ToModified("\xf0\x9f\x98\x80"), "\xed\xa0\xbd\xed\xb8\x80");
  EXPECT_EQ(Utf8ToModified(std::string("\0", 1)), "\xc0\x80");
  EXPECT_EQ(Utf16ToUtf8(Bytes(std::string_view("\x3d\xd8\x00\xde\x00\xd8", 6)), 0, 3),
            "\xf0\x9f\x98\x80\xef\xbf\xbd");
}

// The table of attribute names agrees with what aapt wrote into real manifests.
TEST(BinaryXml, RealAttributeNamesAgree) {
  MARMOSET_NEED_REAL_APKS(files);
  for (const std::string& file : files) {
    const Result<Zip> zip = Zip::Open(file);
    ASSERT_TRUE(zip) << zip.error().message();
    const Blob bytes = zip->Read("AndroidManifest.xml").value();
    const Bytes view(bytes.view());
    const StringPool pool = StringPool::Parse(ReadChunk(view, 8).value()).value();
    const Chunk map = ReadChunk(view, 8 + ReadChunk(view, 8)->size).value();
    ASSERT_EQ(map.type, kChunkXmlResourceMap);
    for (uint32_t i = 0; 8 + 4 * i + 4 <= map.size; ++i) {
      const std::string_view known = AttributeName(map.bytes.U32(8 + 4 * i));
      if (!known.empty() && !pool.Get(i).empty()) {
        EXPECT_EQ(known, pool.Get(i)) << file;
      }
    }
  }
}

}  // namespace
}  // namespace marmoset::apk
