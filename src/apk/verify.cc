// Verifying signatures, to the extent of "intact, and by whom".
//
// v2 and v3: the public key's signature over the signed data, the digest in it against the file, the
// certificate's key against the public key. v1: the signature over the .SF file, its digest of the manifest,
// the manifest's digests of all entries.

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pkcs7.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include <map>
#include <memory>
#include <optional>

#include "apk/signature.h"
#include "apk/utf.h"
#include "base/hash.h"

namespace marmoset::apk {
namespace {

using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

Certificate ParseCertificate(std::string_view der) {
  const auto* at = reinterpret_cast<const unsigned char*>(der.data());
  return Certificate(d2i_X509(nullptr, &at, static_cast<long>(der.size())), X509_free);
}

void Describe(X509* certificate, Signer* signer) {
  char* text = X509_NAME_oneline(X509_get_subject_name(certificate), nullptr, 0);
  if (text != nullptr) {
    // "/CN=a/O=b" reads better with commas.
    for (const char* c = text; *c != '\0'; ++c) {
      if (*c == '/')
        signer->subject += signer->subject.empty() ? "" : ", ";
      else
        signer->subject += *c;
    }
    signer->subject = ModifiedToUtf8(signer->subject);
    OPENSSL_free(text);
  }
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate, &der);
  if (size > 0)
    signer->certificate_sha256 = Sha256({reinterpret_cast<const char*>(der), static_cast<size_t>(size)});
  OPENSSL_free(der);
}

// Reads fields with a 32-bit length in front, one after the other.
class Fields {
 public:
  explicit Fields(std::string_view bytes) : bytes_(bytes) {}
  bool more() const { return !failed_ && at_ < bytes_.size(); }
  bool failed() const { return failed_; }
  uint32_t U32() {
    failed_ = failed_ || !bytes_.Has(at_, 4);
    at_ += 4;
    return failed_ ? 0 : bytes_.U32(at_ - 4);
  }
  std::string_view Next() {
    const uint32_t size = U32();
    failed_ = failed_ || !bytes_.Has(at_, size);
    if (failed_) return {};
    at_ += size;
    return bytes_.Part(at_ - size, size).view();
  }

 private:
  Bytes bytes_;
  uint64_t at_ = 0;
  bool failed_ = false;
};

struct Algorithm {
  bool pss;
  bool sha512;
};

std::optional<Algorithm> AlgorithmOf(uint32_t id) {
  switch (id) {
    case 0x0101:
      return Algorithm{true, false};
    case 0x0102:
      return Algorithm{true, true};
    case 0x0103:  // RSA PKCS #1, ECDSA and DSA are told apart by the key.
    case 0x0201:
    case 0x0301:
      return Algorithm{false, false};
    case 0x0104:
    case 0x0202:
      return Algorithm{false, true};
    default:
      return std::nullopt;
  }
}

bool SignatureIsRight(EVP_PKEY* key, const Algorithm& algorithm, std::string_view data,
                      std::string_view signature) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  EVP_PKEY_CTX* parameters = nullptr;
  if (EVP_DigestVerifyInit(context.get(), &parameters, algorithm.sha512 ? EVP_sha512() : EVP_sha256(),
                           nullptr, key) != 1)
    return false;
  if (algorithm.pss && (EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) != 1 ||
                        EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) != 1))
    return false;
  return EVP_DigestVerify(context.get(), reinterpret_cast<const unsigned char*>(signature.data()),
                          signature.size(), reinterpret_cast<const unsigned char*>(data.data()),
                          data.size()) == 1;
}

// One signer of scheme v2 or v3; the problem is empty when all is well.
void VerifyBlockSigner(const Zip& zip, std::string_view bytes, Signer* signer) {
  Fields fields(bytes);
  const std::string_view data = fields.Next();
  uint32_t sdks[2] = {};
  if (signer->scheme == 3) {
    for (uint32_t& sdk : sdks) sdk = fields.U32();
  }
  Fields signatures(fields.Next());
  const std::string_view public_key = fields.Next();
  Fields signed_data(data);
  Fields digests(signed_data.Next());
  Fields certificates(signed_data.Next());
  const Certificate certificate = ParseCertificate(certificates.Next());
  if (signer->scheme == 3) {
    // The range of Android versions is stated once more, and only there is it signed.
    for (const uint32_t sdk : sdks) {
      if (signed_data.U32() != sdk) signer->problem = "two ranges of Android versions";
    }
  }
  if (fields.failed() || signed_data.failed() || certificate == nullptr) {
    signer->problem = "the signing block is malformed";
    return;
  }
  Describe(certificate.get(), signer);
  if (!signer->problem.empty()) return;
  const auto* at = reinterpret_cast<const unsigned char*>(public_key.data());
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      d2i_PUBKEY(nullptr, &at, static_cast<long>(public_key.size())), EVP_PKEY_free);
  EVP_PKEY* certified = X509_get0_pubkey(certificate.get());
  if (key == nullptr || certified == nullptr || EVP_PKEY_eq(key.get(), certified) != 1) {
    signer->problem = "the certificate belongs to another key";
    return;
  }
  std::map<uint32_t, std::string_view> stated;
  while (digests.more()) {
    Fields one(digests.Next());
    const uint32_t id = one.U32();
    stated[id] = one.Next();
  }
  bool any = false;
  while (signatures.more()) {
    Fields one(signatures.Next());
    const uint32_t id = one.U32();
    const std::string_view signature = one.Next();
    const std::optional<Algorithm> algorithm = AlgorithmOf(id);
    if (one.failed() || !algorithm) continue;
    any = true;
    if (!SignatureIsRight(key.get(), *algorithm, data, signature)) {
      signer->problem = "the signature is wrong";
      return;
    }
    const std::string_view whole = zip.bytes();
    const uint64_t block = zip.central_directory_offset() - zip.signing_block().size();
    std::string end(whole.substr(zip.end_record_offset()));
    const uint32_t offset = static_cast<uint32_t>(block);
    end.replace(16, 4, reinterpret_cast<const char*>(&offset), 4);
    const std::string digest = ContentDigest(
        whole.substr(0, block), whole.substr(zip.central_directory_offset(), zip.central_directory_size()),
        end, algorithm->sha512);
    if (stated[id] != digest) {
      signer->problem = "the file was changed after it was signed";
      return;
    }
  }
  if (!any) signer->problem = "no signature of a known algorithm";
}

void VerifyBlock(const Zip& zip, std::vector<Signer>* signers) {
  const Bytes block(zip.signing_block());
  if (block.size() < 32) return;
  for (uint64_t at = 8; at + 12 <= block.size() - 24;) {
    const uint64_t size = block.U64(at);
    if (size < 4 || size > block.size() - 24 - at - 8) return;
    const uint32_t id = block.U32(at + 8);
    if (id == kSchemeV2Id || id == kSchemeV3Id) {
      Fields all(block.Part(at + 12, size - 4).view());
      Fields list(all.Next());
      for (int count = 0; list.more() && count < 10; ++count) {
        Signer signer;
        signer.scheme = id == kSchemeV2Id ? 2 : 3;
        VerifyBlockSigner(zip, list.Next(), &signer);
        signer.intact = signer.problem.empty();
        signers->push_back(std::move(signer));
      }
    }
    at += 8 + size;
  }
}

using Section = std::map<std::string, std::string>;

// The sections of a manifest, each with its text as it stands.
std::vector<std::pair<std::string, Section>> ParseManifest(std::string_view text) {
  std::vector<std::pair<std::string, Section>> sections;
  std::string raw;
  Section section;
  std::string last;
  const auto finish = [&] {
    if (!section.empty()) sections.emplace_back(std::move(raw), std::move(section));
    raw.clear();
    section.clear();
  };
  while (!text.empty()) {
    const size_t newline = text.find('\n');
    std::string_view line = text.substr(0, newline);
    const size_t whole = newline == std::string_view::npos ? text.size() : newline + 1;
    raw += text.substr(0, whole);
    text.remove_prefix(whole);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (line.empty()) {
      finish();
    } else if (line[0] == ' ') {
      section[last] += line.substr(1);
    } else if (const size_t colon = line.find(": "); colon != std::string_view::npos) {
      last = line.substr(0, colon);
      section[last] = line.substr(colon + 2);
    }
  }
  finish();
  return sections;
}

std::string Base64Digest(std::string_view data, const EVP_MD* algorithm) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(data.data(), data.size(), digest, &size, algorithm, nullptr) != 1) return "";
  unsigned char text[2 * EVP_MAX_MD_SIZE];
  const int length = EVP_EncodeBlock(text, digest, static_cast<int>(size));
  return std::string(reinterpret_cast<const char*>(text), static_cast<size_t>(length));
}

// Whether the section states a digest of the data, with the suffix in its name, and the right one.
bool DigestAgrees(const Section& section, const std::string& suffix, std::string_view data) {
  const std::pair<const char*, const EVP_MD*> algorithms[] = {{"SHA-256-Digest", EVP_sha256()},
                                                              {"SHA1-Digest", EVP_sha1()},
                                                              {"SHA-1-Digest", EVP_sha1()},
                                                              {"SHA-512-Digest", EVP_sha512()}};
  for (const auto& [name, algorithm] : algorithms) {
    const auto it = section.find(name + suffix);
    if (it != section.end()) return it->second == Base64Digest(data, algorithm);
  }
  return false;
}

std::string ProblemOfV1(const Zip& zip, std::string_view file) {
  const auto file_sections = ParseManifest(file);
  const Result<Blob> manifest = zip.Read("META-INF/MANIFEST.MF");
  if (!manifest || file_sections.empty()) return "there is no manifest to the signature";
  const auto sections = ParseManifest(manifest->view());
  std::map<std::string, const std::pair<std::string, Section>*> by_name;
  for (const auto& section : sections) {
    if (const auto it = section.second.find("Name"); it != section.second.end())
      by_name[it->second] = &section;
  }
  if (!DigestAgrees(file_sections[0].second, "-Manifest", manifest->view())) {
    // Then each section must have the right digest by itself.
    for (size_t i = 1; i < file_sections.size(); ++i) {
      const auto it = file_sections[i].second.find("Name");
      if (it == file_sections[i].second.end() || !by_name.contains(it->second) ||
          !DigestAgrees(file_sections[i].second, "", by_name[it->second]->first))
        return "the manifest was changed after it was signed";
    }
  }
  for (const ZipEntry& entry : zip.entries()) {
    if (IsSignatureEntry(entry.name) || (!entry.name.empty() && entry.name.back() == '/')) continue;
    const auto it = by_name.find(std::string(entry.name));
    if (it == by_name.end()) {
      if (entry.name.substr(0, 9) == "META-INF/") continue;
      return fmt::format("{} is not covered by the signature", Printable(entry.name));
    }
    const Result<Blob> content = zip.Read(entry);
    if (!content || !DigestAgrees(it->second->second, "", content->view()))
      return fmt::format("{} was changed after it was signed", Printable(entry.name));
  }
  return "";
}

void VerifyV1(const Zip& zip, std::vector<Signer>* signers) {
  for (const ZipEntry& entry : zip.entries()) {
    const std::string_view name = entry.name;
    const size_t dot = name.rfind('.');
    if (!IsSignatureEntry(name) || name.substr(dot) == ".SF" || name.substr(dot) == ".MF") continue;
    Signer signer;
    signer.scheme = 1;
    const Result<Blob> signature = zip.Read(entry);
    const Result<Blob> file = zip.Read(std::string(name.substr(0, dot)) + ".SF");
    if (!signature || !file) {
      signer.problem = "the signature cannot be read";
      signers->push_back(std::move(signer));
      continue;
    }
    const auto* at = reinterpret_cast<const unsigned char*>(signature->view().data());
    const std::unique_ptr<PKCS7, decltype(&PKCS7_free)> pkcs7(
        d2i_PKCS7(nullptr, &at, static_cast<long>(signature->view().size())), PKCS7_free);
    const std::unique_ptr<BIO, decltype(&BIO_free_all)> bio(
        BIO_new_mem_buf(file->view().data(), static_cast<int>(file->view().size())), BIO_free_all);
    const bool right = pkcs7 != nullptr && PKCS7_verify(pkcs7.get(), nullptr, nullptr, bio.get(), nullptr,
                                                        PKCS7_NOVERIFY | PKCS7_BINARY) == 1;
    if (pkcs7 != nullptr && PKCS7_type_is_signed(pkcs7.get())) {
      STACK_OF(X509)* certificates = PKCS7_get0_signers(pkcs7.get(), nullptr, 0);
      if (certificates != nullptr && sk_X509_num(certificates) > 0)
        Describe(sk_X509_value(certificates, 0), &signer);
      sk_X509_free(certificates);
    }
    signer.problem = right ? ProblemOfV1(zip, file->view()) : "the signature is wrong";
    signer.intact = signer.problem.empty();
    signers->push_back(std::move(signer));
  }
}

}  // namespace

std::vector<Signer> VerifySignatures(const Zip& archive) {
  std::vector<Signer> signers;
  VerifyV1(archive, &signers);
  VerifyBlock(archive, &signers);
  ERR_clear_error();
  return signers;
}

}  // namespace marmoset::apk
