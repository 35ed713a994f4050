// Signatures: any archive is signed by somebody or nobody; one that we have signed is intact.

#include "apk/signature.h"
#include "base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace marmoset::apk;
  static const SigningKey key = SigningKey::Generate().value();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto zip = Zip::Parse(Blob(nullptr, bytes), "fuzz");
  if (!zip) return 0;
  (void)VerifySignatures(*zip);
  const auto signed_bytes = SignApk(*zip, key, 1);
  if (!signed_bytes) return 0;
  const auto signed_zip = Zip::Parse(Blob(nullptr, *signed_bytes), "signed");
  MARMOSET_CHECK(signed_zip);
  const auto signers = VerifySignatures(*signed_zip);
  MARMOSET_CHECK(signers.size() == 3);
  for (const Signer& signer : signers) MARMOSET_CHECK(signer.intact);
  return 0;
}
