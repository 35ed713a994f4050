// The key that a rewritten APK is signed with: RSA with 2048 bits and a certificate of its own, as a debug
// key is.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"

struct evp_pkey_st;
struct x509_st;

namespace marmoset::apk {

// Immutable; threads may share it. Copies share the key.
class SigningKey {
 public:
  // A new one, valid for 30 years.
  static Result<SigningKey> Generate();

  // From PEM text with a private key and its certificate, and back. The key is not encrypted: it protects
  // nothing.
  static Result<SigningKey> FromPem(const std::string& pem);
  std::string ToPem() const;

  // The key in the file, which is made if it is not there, readable by its owner alone. An app and its test
  // app must have the same key, so it is worth keeping.
  static Result<SigningKey> LoadOrGenerate(const std::string& path);

  // PKCS #1 v1.5 over SHA-256.
  std::string Sign(std::string_view data) const;
  // A detached PKCS #7 signature, over SHA-256 or, for old Androids, SHA-1.
  std::string SignDetached(std::string_view data, bool sha1) const;

  std::string CertificateDer() const;
  std::string PublicKeyDer() const;  // SubjectPublicKeyInfo.

 private:
  SigningKey() = default;
  std::shared_ptr<evp_pkey_st> key_;
  std::shared_ptr<x509_st> certificate_;
};

}  // namespace marmoset::apk
