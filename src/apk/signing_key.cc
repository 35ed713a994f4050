#include "apk/signing_key.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs7.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <sys/stat.h>

#include "base/check.h"
#include "base/file.h"

namespace marmoset::apk {
namespace {

using BioPointer = std::unique_ptr<BIO, decltype(&BIO_free_all)>;

BioPointer MemoryBio() { return BioPointer(BIO_new(BIO_s_mem()), BIO_free_all); }

std::string Content(BIO* bio) {
  const char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<size_t>(size));
}

// What an i2d function of OpenSSL writes.
template <class Write>
std::string Der(Write write) {
  unsigned char* data = nullptr;
  const int size = write(&data);
  MARMOSET_CHECK(size > 0);
  std::string der(reinterpret_cast<const char*>(data), static_cast<size_t>(size));
  OPENSSL_free(data);
  return der;
}

}  // namespace

Result<SigningKey> SigningKey::Generate() {
  SigningKey key;
  key.key_.reset(EVP_RSA_gen(2048), EVP_PKEY_free);
  key.certificate_.reset(X509_new(), X509_free);
  if (key.key_ == nullptr || key.certificate_ == nullptr)
    return Fail(ErrorCode::kInternal, "OpenSSL makes no key");
  X509* certificate = key.certificate_.get();
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -24L * 3600);
  X509_time_adj_ex(X509_getm_notAfter(certificate), 30 * 365, 0, nullptr);
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("Marmoset Debug"), -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  if (X509_set_pubkey(certificate, key.key_.get()) != 1 ||
      X509_sign(certificate, key.key_.get(), EVP_sha256()) == 0)
    return Fail(ErrorCode::kInternal, "OpenSSL signs no certificate");
  return key;
}

Result<SigningKey> SigningKey::FromPem(const std::string& pem) {
  SigningKey key;
  for (int part = 0; part < 2; ++part) {
    const BioPointer bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free_all);
    if (part == 0)
      key.key_.reset(PEM_read_bio_PrivateKey(bio.get(), nullptr, nullptr, nullptr), EVP_PKEY_free);
    else
      key.certificate_.reset(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr), X509_free);
  }
  ERR_clear_error();
  if (key.key_ == nullptr || key.certificate_ == nullptr)
    return Fail(ErrorCode::kBadInput, "not PEM with a private key and a certificate");
  if (EVP_PKEY_get_base_id(key.key_.get()) != EVP_PKEY_RSA)
    return Fail(ErrorCode::kUnsupported, "the key is not RSA");
  if (X509_check_private_key(key.certificate_.get(), key.key_.get()) != 1) {
    ERR_clear_error();
    return Fail(ErrorCode::kBadInput, "the certificate belongs to another key");
  }
  return key;
}

std::string SigningKey::ToPem() const {
  const BioPointer bio = MemoryBio();
  MARMOSET_CHECK(PEM_write_bio_PrivateKey(bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
  MARMOSET_CHECK(PEM_write_bio_X509(bio.get(), certificate_.get()) == 1);
  return Content(bio.get());
}

Result<SigningKey> SigningKey::LoadOrGenerate(const std::string& path) {
  const Result<std::string> pem = ReadFile(path);
  if (pem) {
    Result<SigningKey> key = FromPem(*pem);
    if (!key) return Fail(std::move(key.error()).Within(path));
    return key;
  }
  if (pem.error().code() != ErrorCode::kNotFound) return Fail(pem.error());
  MARMOSET_ASSIGN(SigningKey key, Generate());
  MARMOSET_TRY(WriteFile(path, key.ToPem()));
  ::chmod(path.c_str(), 0600);
  return key;
}

std::string SigningKey::Sign(std::string_view data) const {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  size_t size = 0;
  const auto* bytes = reinterpret_cast<const unsigned char*>(data.data());
  MARMOSET_CHECK(EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key_.get()) == 1);
  MARMOSET_CHECK(EVP_DigestSign(context.get(), nullptr, &size, bytes, data.size()) == 1);
  std::string signature(size, '\0');
  MARMOSET_CHECK(EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size,
                                bytes, data.size()) == 1);
  signature.resize(size);
  return signature;
}

std::string SigningKey::SignDetached(std::string_view data, bool sha1) const {
  const int flags = PKCS7_DETACHED | PKCS7_BINARY | PKCS7_NOATTR | PKCS7_PARTIAL;
  const BioPointer bio(BIO_new_mem_buf(data.data(), static_cast<int>(data.size())), BIO_free_all);
  const std::unique_ptr<PKCS7, decltype(&PKCS7_free)> pkcs7(
      PKCS7_sign(nullptr, nullptr, nullptr, nullptr, flags), PKCS7_free);
  MARMOSET_CHECK(pkcs7 != nullptr);
  MARMOSET_CHECK(PKCS7_sign_add_signer(pkcs7.get(), certificate_.get(), key_.get(),
                                       sha1 ? EVP_sha1() : EVP_sha256(), flags) != nullptr);
  MARMOSET_CHECK(PKCS7_final(pkcs7.get(), bio.get(), flags) == 1);
  return Der([&](unsigned char** out) { return i2d_PKCS7(pkcs7.get(), out); });
}

std::string SigningKey::CertificateDer() const {
  return Der([&](unsigned char** out) { return i2d_X509(certificate_.get(), out); });
}

std::string SigningKey::PublicKeyDer() const {
  return Der([&](unsigned char** out) { return i2d_PUBKEY(key_.get(), out); });
}

}  // namespace marmoset::apk
