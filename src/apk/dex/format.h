// The numbers of the DEX format: "Dalvik executable format" at source.android.com. Constants only.

#pragma once

#include <cstdint>

namespace marmoset::dex {

constexpr uint32_t kNoIndex = 0xffffffff;
constexpr uint32_t kHeaderSize = 0x70;
constexpr uint32_t kHeaderSize41 = 0x78;
constexpr uint32_t kEndianTag = 0x12345678;

// Offsets of the header's fields.
enum Header : uint32_t {
  kHeaderChecksum = 8,
  kHeaderSignature = 12,
  kHeaderFileSize = 32,
  kHeaderHeaderSize = 36,
  kHeaderEndianTag = 40,
  kHeaderLink = 44,
  kHeaderMap = 52,
  kHeaderStringIds = 56,  // Then pairs of size and offset for each kind of id, in the order of IdSection.
  kHeaderData = 104,
  kHeaderContainerSize = 112,
  kHeaderContainerOffset = 116,
};

enum IdSection : uint32_t { kStringIds, kTypeIds, kProtoIds, kFieldIds, kMethodIds, kClassDefs, kIdSections };
constexpr uint32_t kIdSizes[kIdSections] = {4, 4, 12, 8, 8, 32};

enum MapType : uint16_t {
  kMapHeader = 0x0000,
  kMapCallSiteIds = 0x0007,
  kMapMethodHandles = 0x0008,
  kMapList = 0x1000,
  kMapTypeList = 0x1001,
  kMapAnnotationSetRefList = 0x1002,
  kMapAnnotationSet = 0x1003,
  kMapClassData = 0x2000,
  kMapCode = 0x2001,
  kMapStringData = 0x2002,
  kMapDebugInfo = 0x2003,
  kMapAnnotation = 0x2004,
  kMapEncodedArray = 0x2005,
  kMapAnnotationsDirectory = 0x2006,
  kMapHiddenApi = 0xf000,
};

enum AccessFlags : uint32_t {
  kPublic = 0x1,
  kPrivate = 0x2,
  kProtected = 0x4,
  kStatic = 0x8,
  kFinal = 0x10,
  kSynchronized = 0x20,
  kVolatileOrBridge = 0x40,
  kTransientOrVarargs = 0x80,
  kNative = 0x100,
  kInterface = 0x200,
  kAbstract = 0x400,
  kStrict = 0x800,
  kSynthetic = 0x1000,
  kAnnotationFlag = 0x2000,
  kEnum = 0x4000,
  kConstructor = 0x10000,
  kDeclaredSynchronized = 0x20000,
};

enum DebugOpcode : uint8_t {
  kDebugEnd = 0,
  kDebugAdvancePc = 1,
  kDebugAdvanceLine = 2,
  kDebugStartLocal = 3,
  kDebugStartLocalExtended = 4,
  kDebugEndLocal = 5,
  kDebugRestartLocal = 6,
  kDebugPrologueEnd = 7,
  kDebugEpilogueBegin = 8,
  kDebugSetFile = 9,
  kDebugFirstSpecial = 10,
};
constexpr int kDebugLineBase = -4;
constexpr int kDebugLineRange = 15;

enum ValueType : uint8_t {
  kValueByte = 0x00,
  kValueShort = 0x02,
  kValueChar = 0x03,
  kValueInt = 0x04,
  kValueLong = 0x06,
  kValueFloat = 0x10,
  kValueDouble = 0x11,
  kValueMethodType = 0x15,
  kValueMethodHandle = 0x16,
  kValueString = 0x17,
  kValueType = 0x18,
  kValueField = 0x19,
  kValueMethod = 0x1a,
  kValueEnum = 0x1b,
  kValueArray = 0x1c,
  kValueAnnotation = 0x1d,
  kValueNull = 0x1e,
  kValueBoolean = 0x1f,
};

}  // namespace marmoset::dex
