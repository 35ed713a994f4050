// APK signatures: schemes v1 (JAR), v2 and v3, written and verified.
//
// Sources: "APK Signature Scheme v2" and "v3" at source.android.com; the JAR file specification for v1.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apk/signing_key.h"
#include "apk/zip.h"
#include "base/error.h"

namespace marmoset::apk {

// Signs an archive: v1 where `min_sdk` is below 24, v2 and v3 always. Signatures that it has are dropped. The
// result is the whole file.
Result<std::string> SignApk(const Zip& archive, const SigningKey& key, int min_sdk);

struct Signer {
  int scheme = 0;       // 1, 2 or 3.
  bool intact = false;  // The signature is right and what it covers is unchanged.
  std::string problem;  // Why not, if so.
  std::string subject;  // "CN=Android Debug, O=Android, C=US"
  std::string certificate_sha256;
};

// Who signed the archive, by every scheme that it uses; empty when nobody did. Whether a certificate is to be
// trusted is not asked: on Android each is its own authority.
std::vector<Signer> VerifySignatures(const Zip& archive);

// Shared by signing and verifying: SHA-256 over the contents as v2 wants it, with `end` the end record as it
// would be if the directory began where the signing block does.
std::string ContentDigest(std::string_view entries, std::string_view directory, std::string_view end,
                          bool sha512);

// Whether an entry belongs to the v1 scheme and is dropped by signing.
bool IsSignatureEntry(std::string_view name);

constexpr uint32_t kSchemeV2Id = 0x7109871a;
constexpr uint32_t kSchemeV3Id = 0xf05368c0;

}  // namespace marmoset::apk
