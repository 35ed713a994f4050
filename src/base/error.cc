#include "base/error.h"

namespace marmoset {

std::string_view ErrorCodeName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kBadInput:
      return "bad_input";
    case ErrorCode::kNotFound:
      return "not_found";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kNothingToDo:
      return "nothing_to_do";
    case ErrorCode::kIo:
      return "io";
    case ErrorCode::kMissingTool:
      return "missing_tool";
    case ErrorCode::kDeviceLost:
      return "device_lost";
    case ErrorCode::kTimeout:
      return "timeout";
    case ErrorCode::kCancelled:
      return "cancelled";
    case ErrorCode::kInternal:
      return "internal";
  }
  return "internal";
}

}  // namespace marmoset
