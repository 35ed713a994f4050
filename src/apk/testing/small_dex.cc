#include "apk/testing/small_dex.h"

#include <algorithm>

#include "apk/dex/writer.h"
#include "apk/testing/builders.h"
#include "apk/zip_writer.h"

namespace marmoset::apk::testing {

using namespace marmoset::dex;

CodeInstruction TestOp(uint8_t opcode, std::initializer_list<uint16_t> registers, int64_t literal,
                       uint32_t index, uint32_t target) {
  CodeInstruction one;
  one.op.opcode = opcode;
  std::copy(registers.begin(), registers.end(), one.op.registers.begin());
  one.op.literal = literal;
  one.op.index = index;
  one.target = target;
  return one;
}

std::string BuildSmallDex(const SmallDexOptions& options) {
  Writer writer(nullptr);
  NewClass main;
  main.type = writer.Type(options.type).value();
  main.superclass = writer.Type("Ljava/lang/Object;").value();
  const uint32_t string = writer.String(options.text).value();
  const uint32_t error = writer.Type("Ljava/lang/Exception;").value();
  const uint32_t ints = writer.Type("[I").value();
  const uint32_t trim = writer.Method("Ljava/lang/String;", "trim", "()Ljava/lang/String;").value();

  NewMethod run;
  run.method = writer.Method(options.type, options.method, "(I)I").value();
  run.access = kPublic | kStatic;
  Code& code = run.code.emplace();
  const uint16_t argument = static_cast<uint16_t>(2 + options.extra_registers);
  code.registers = static_cast<uint16_t>(argument + 1);
  code.ins = 1;
  code.outs = 1;
  CodeInstruction call = TestOp(0x6e, {0}, 0, trim);  // invoke-virtual
  call.op.count = 1;
  const uint32_t end = 9 + options.padding;
  code.instructions = {
      TestOp(kConstString, {0}, 0, string),
      call,
      TestOp(kPackedSwitch, {argument < 256 ? argument : uint16_t{0}}, 0, 0, 0),
      TestOp(kConst, {1}, options.constant),
      TestOp(kNewArray, {1, 1}, 0, ints),
      TestOp(kFillArrayData, {1}, 0, 0, 1),
      TestOp(kIfEqz, {1}, 0, 0, end),
      TestOp(kGoto, {}, 0, 0, end),
      TestOp(kMoveException, {0}),
  };
  code.instructions.resize(end);  // Nops.
  code.instructions.push_back(TestOp(kConst4, {1}, 3));
  code.instructions.push_back(TestOp(0x0f, {1}));  // return
  code.payloads = {{kPackedSwitchPayload, {10, 11}, {3, end}, 0, ""},
                   {kArrayPayload, {}, {}, 4, std::string("\1\0\0\0\2\0\0\0", 8)}};
  code.tries = {{0, 2, {{error, 8}}}, {2, 6, {{error, 8}, {kNoIndex, 8}}}};
  DebugInfo debug;
  debug.first_line = 100;
  for (uint32_t i = 0; i < 3; ++i) {
    DebugEvent event;
    event.address = 3 * i;
    event.line = 100 + 40 * i;
    debug.events.push_back(event);
  }
  code.debug = debug;
  main.direct_methods.push_back(std::move(run));
  writer.Add(std::move(main));
  return writer.Write().value();
}

std::string BuildApkWith(const std::string& dex) {
  ZipWriter writer;
  writer.AddDeflated("AndroidManifest.xml", BuildBinaryXml(SmallManifest("app")));
  writer.AddDeflated("classes.dex", dex);
  writer.AddStored("lib/x86/liba.so", std::string(100, 'x'));
  return writer.Finish().value().Join();
}

}  // namespace marmoset::apk::testing
