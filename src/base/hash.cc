#include "base/hash.h"

#include <openssl/evp.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <memory>
#include <vector>

#include "base/check.h"

namespace marmoset {
namespace {

class Sha256Stream {
 public:
  Sha256Stream() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    MARMOSET_CHECK(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1);
  }
  void Add(const void* data, size_t size) {
    MARMOSET_CHECK(EVP_DigestUpdate(context_.get(), data, size) == 1);
  }
  std::string Finish() {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    MARMOSET_CHECK(EVP_DigestFinal_ex(context_.get(), digest, &size) == 1);
    std::string text;
    for (unsigned int i = 0; i < size; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
  }

 private:
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_;
};

}  // namespace

uint64_t Hash64(std::string_view bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::string Hex64(uint64_t value) { return fmt::format("{:016x}", value); }

std::string Sha256(std::string_view bytes) {
  Sha256Stream stream;
  stream.Add(bytes.data(), bytes.size());
  return stream.Finish();
}

Result<std::string> Sha256OfFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return Fail(ErrorCode::kNotFound, "{}: cannot be read: {}", path, std::strerror(errno));
  Sha256Stream stream;
  std::vector<char> buffer(1 << 20);
  while (in) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    stream.Add(buffer.data(), static_cast<size_t>(in.gcount()));
  }
  if (in.bad()) return Fail(ErrorCode::kIo, "{}: reading failed", path);
  return stream.Finish();
}

}  // namespace marmoset
