// An APK with probes in its code: rewritten, aligned, signed.

#pragma once

#include <string>

#include "apk/apk_info.h"
#include "apk/dex/probes.h"
#include "apk/signing_key.h"
#include "base/error.h"

namespace marmoset::apk {

struct InstrumentedApk {
  std::string file;          // The whole APK.
  dex::InstrumentedDex dex;  // The table of probes; its `files` are empty, since they are in the APK.
};

// Everything but the code is copied as it lies; compiled profiles are dropped, since they name the old code.
Result<InstrumentedApk> InstrumentApk(const Apk& apk, const dex::ProbeOptions& options,
                                      const SigningKey& key);

}  // namespace marmoset::apk
