// Signing.
//
// v1 signs a list of digests of the entries: MANIFEST.MF holds the digests, CERT.SF that of the manifest and
// of each of its sections, CERT.RSA the signature over CERT.SF. v2 and v3 sign the file itself: contents,
// directory and end record are cut into pieces of 1 MiB, whose digests are digested once more; the result,
// the certificate and the signature lie in a block before the directory. So v1 comes first, as ordinary
// entries, and v2 covers it.

#include <openssl/evp.h>

#include <algorithm>

#include "apk/signature.h"
#include "apk/zip_writer.h"
#include "base/check.h"

namespace marmoset::apk {
namespace {

constexpr size_t kPiece = 1 << 20;
constexpr uint32_t kRsaSha256 = 0x0103;
// In v2's signed data: "this APK has a v3 signature too", so that nobody can strip it unnoticed.
constexpr uint32_t kStrippingProtection = 0xbeeff00d;
constexpr uint32_t kV3MinSdk = 28;
constexpr uint32_t kV3MaxSdk = 0x7fffffff;

std::string Digest(std::string_view data, const EVP_MD* algorithm) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  MARMOSET_CHECK(EVP_Digest(data.data(), data.size(), digest, &size, algorithm, nullptr) == 1);
  return std::string(reinterpret_cast<const char*>(digest), size);
}

std::string Base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');
  const int size =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<size_t>(size));
  return text;
}

std::string Prefixed(std::string_view bytes) {
  std::string out;
  PutU32(static_cast<uint32_t>(bytes.size()), &out);
  return out.append(bytes);
}

// "Name: value", broken after 72 bytes as the JAR specification wants.
std::string Attribute(std::string_view name, std::string_view value) {
  std::string line = fmt::format("{}: {}", name, value);
  std::string out = line.substr(0, 72);
  for (size_t at = 72; at < line.size(); at += 71) out += "\r\n " + line.substr(at, 71);
  return out + "\r\n";
}

// Adds the three files of scheme v1.
Status AddV1(const Zip& archive, const SigningKey& key, int min_sdk, ZipWriter* writer) {
  const bool sha1 = min_sdk < 18;
  const EVP_MD* algorithm = sha1 ? EVP_sha1() : EVP_sha256();
  const std::string digest_name = sha1 ? "SHA1-Digest" : "SHA-256-Digest";
  std::string manifest = "Manifest-Version: 1.0\r\nCreated-By: Marmoset\r\n\r\n";
  std::string sections;
  for (const ZipEntry& entry : archive.entries()) {
    if (IsSignatureEntry(entry.name) || (!entry.name.empty() && entry.name.back() == '/')) continue;
    MARMOSET_ASSIGN(const Blob content, archive.Read(entry));
    const std::string section = Attribute("Name", entry.name) +
                                Attribute(digest_name, Base64(Digest(content.view(), algorithm))) + "\r\n";
    manifest += section;
    sections +=
        Attribute("Name", entry.name) + Attribute(digest_name, Base64(Digest(section, algorithm))) + "\r\n";
  }
  const std::string file = "Signature-Version: 1.0\r\nCreated-By: Marmoset\r\n" +
                           Attribute(digest_name + "-Manifest", Base64(Digest(manifest, algorithm))) +
                           "X-Android-APK-Signed: 2, 3\r\n\r\n" + sections;
  writer->AddDeflated("META-INF/CERT.SF", file);
  writer->AddDeflated("META-INF/CERT.RSA", key.SignDetached(file, sha1));
  writer->AddDeflated("META-INF/MANIFEST.MF", manifest);
  return {};
}

std::string SchemeBlock(const SigningKey& key, std::string_view digest, bool v3) {
  std::string algorithm_and_digest;
  PutU32(kRsaSha256, &algorithm_and_digest);
  algorithm_and_digest += Prefixed(digest);
  std::string sdks;
  PutU32(kV3MinSdk, &sdks);
  PutU32(kV3MaxSdk, &sdks);
  std::string attributes;
  if (!v3) {
    std::string protection;
    PutU32(kStrippingProtection, &protection);
    PutU32(3, &protection);
    attributes = Prefixed(protection);
  }
  const std::string data = Prefixed(Prefixed(algorithm_and_digest)) +
                           Prefixed(Prefixed(key.CertificateDer())) + (v3 ? sdks : "") + Prefixed(attributes);
  std::string signature;
  PutU32(kRsaSha256, &signature);
  signature += Prefixed(key.Sign(data));
  const std::string signer =
      Prefixed(data) + (v3 ? sdks : "") + Prefixed(Prefixed(signature)) + Prefixed(key.PublicKeyDer());
  return Prefixed(Prefixed(signer));
}

void AddPair(uint32_t id, std::string_view value, std::string* out) {
  PutU64(value.size() + 4, out);
  PutU32(id, out);
  out->append(value);
}

}  // namespace

std::string ContentDigest(std::string_view entries, std::string_view directory, std::string_view end,
                          bool sha512) {
  const EVP_MD* algorithm = sha512 ? EVP_sha512() : EVP_sha256();
  std::string digests;
  uint32_t count = 0;
  for (const std::string_view part : {entries, directory, end}) {
    for (size_t at = 0; at < part.size(); at += kPiece) {
      const std::string_view piece = part.substr(at, kPiece);
      std::string head = "\xa5";
      PutU32(static_cast<uint32_t>(piece.size()), &head);
      digests += Digest(head.append(piece), algorithm);
      ++count;
    }
  }
  std::string all = "\x5a";
  PutU32(count, &all);
  return Digest(all + digests, algorithm);
}

bool IsSignatureEntry(std::string_view name) {
  if (name.substr(0, 9) != "META-INF/" || name.find('/', 9) != std::string_view::npos) return false;
  const std::string_view file = name.substr(9);
  const auto ends = [&](std::string_view end) {
    return file.size() >= end.size() && file.substr(file.size() - end.size()) == end;
  };
  return file == "MANIFEST.MF" || ends(".SF") || ends(".RSA") || ends(".DSA") || ends(".EC");
}

Result<std::string> SignApk(const Zip& archive, const SigningKey& key, int min_sdk) {
  ZipWriter writer;
  for (const ZipEntry& entry : archive.entries()) {
    if (IsSignatureEntry(entry.name)) continue;
    // Libraries are mapped into memory as they lie, by pages of up to 16 KiB; everything else stored, by
    // words.
    const bool library = entry.name.size() > 3 && entry.name.substr(entry.name.size() - 3) == ".so";
    writer.AddRaw(archive, entry, entry.method != kStored ? 1 : library ? 16384 : 4);
  }
  if (min_sdk < 24) MARMOSET_TRY(AddV1(archive, key, min_sdk, &writer));
  MARMOSET_ASSIGN(const ZipParts parts, writer.Finish());
  const std::string digest = ContentDigest(parts.entries, parts.directory, parts.end, false);
  std::string pairs;
  AddPair(kSchemeV2Id, SchemeBlock(key, digest, false), &pairs);
  AddPair(kSchemeV3Id, SchemeBlock(key, digest, true), &pairs);
  std::string block;
  PutU64(pairs.size() + 24, &block);
  block += pairs;
  PutU64(pairs.size() + 24, &block);
  block += "APK Sig Block 42";
  return parts.Join(block);
}

}  // namespace marmoset::apk
