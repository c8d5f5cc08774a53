// What LLVM's C interface lacks: parsing with reasons, promotion of allocas alone, wide constants,
// decomposed addresses, and the variables of the debug information.

#include "llvm-c/Core.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

#include <cstdint>
#include <cstring>
#include <string>

using namespace llvm;

namespace {

// Takes diagnostics and says nothing; failures come back as errors.
struct Silent : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &) override { return true; }
};

char *copy(const std::string &text) { return strdup(text.c_str()); }

LLVMModuleRef failed(char **error, const std::string &message) {
  *error = copy(message);
  return nullptr;
}

std::string located(const SMDiagnostic &diagnostic) {
  std::string message = diagnostic.getMessage().str();
  if (diagnostic.getLineNo() <= 0)
    return message;
  return "line " + std::to_string(diagnostic.getLineNo()) + ": " + message;
}

std::string type_name(const DIType *type, unsigned depth = 0);

std::string derived_name(const DIDerivedType *type, unsigned depth) {
  switch (type->getTag()) {
  case dwarf::DW_TAG_pointer_type: {
    std::string pointee = type_name(type->getBaseType(), depth + 1);
    return pointee + (!pointee.empty() && pointee.back() == '*' ? "*" : " *");
  }
  case dwarf::DW_TAG_const_type:
    return "const " + type_name(type->getBaseType(), depth + 1);
  case dwarf::DW_TAG_volatile_type:
    return "volatile " + type_name(type->getBaseType(), depth + 1);
  case dwarf::DW_TAG_typedef:
    return type->getName().str();
  default:
    return type_name(type->getBaseType(), depth + 1);
  }
}

std::string composite_name(const DICompositeType *type, unsigned depth) {
  switch (type->getTag()) {
  case dwarf::DW_TAG_structure_type:
    return "struct " + type->getName().str();
  case dwarf::DW_TAG_union_type:
    return "union " + type->getName().str();
  case dwarf::DW_TAG_enumeration_type:
    return "enum " + type->getName().str();
  case dwarf::DW_TAG_array_type: {
    std::string name = type_name(type->getBaseType(), depth + 1) + " ";
    for (const DINode *element : type->getElements())
      if (auto *range = dyn_cast<DISubrange>(element)) {
        auto *count = dyn_cast_if_present<ConstantInt *>(range->getCount());
        name += count ? "[" + std::to_string(count->getSExtValue()) + "]" : "[]";
      }
    return name;
  }
  default:
    return type->getName().str();
  }
}

std::string type_name(const DIType *type, unsigned depth) {
  if (!type)
    return "void";
  if (depth > 16)
    return "…";
  if (auto *derived = dyn_cast<DIDerivedType>(type))
    return derived_name(derived, depth);
  if (auto *composite = dyn_cast<DICompositeType>(type))
    return composite_name(composite, depth);
  if (auto *subroutine = dyn_cast<DISubroutineType>(type)) {
    DITypeRefArray types = subroutine->getTypeArray();
    return type_name(types.size() ? types[0] : nullptr, depth + 1) + " ()";
  }
  return type->getName().str();
}

bool is_setjmp(StringRef name) {
  return name == "setjmp" || name == "_setjmp" || name == "sigsetjmp" || name == "__sigsetjmp";
}

bool calls_setjmp(const Function &function) {
  for (const BasicBlock &block : function)
    for (const Instruction &inst : block)
      if (auto *call = dyn_cast<CallBase>(&inst)) {
        if (call->hasFnAttr(Attribute::ReturnsTwice))
          return true;
        auto *callee = call->getCalledFunction();
        if (callee && is_setjmp(callee->getName()))
          return true;
      }
  return false;
}

void promote(Function &function) {
  DominatorTree tree(function);
  SmallVector<AllocaInst *, 32> allocas;
  for (;;) {
    allocas.clear();
    for (Instruction &inst : function.getEntryBlock())
      if (auto *alloca = dyn_cast<AllocaInst>(&inst))
        if (isAllocaPromotable(alloca))
          allocas.push_back(alloca);
    if (allocas.empty())
      return;
    PromoteMemToReg(allocas, tree);
  }
}

APInt bits_of(const Constant *constant) {
  if (auto *integer = dyn_cast<ConstantInt>(constant))
    return integer->getValue();
  return cast<ConstantFP>(constant)->getValueAPF().bitcastToAPInt();
}

} // namespace

extern "C" {

// To be called once, before anything else: the reader itself shall not check debug information. It
// would print what it finds, and `fathom_parse` checks again.
void fathom_initialize() {
  cl::Option *option = cl::getRegisteredOptions().lookup("disable-auto-upgrade-debug-info");
  if (option)
    option->addOccurrence(0, option->ArgStr, "true");
}

// Parses bitcode, wrapped bitcode or assembly. With `verify` the whole module is read and checked
// at once; without, bodies are left for `fathom_materialize`, so `data` must outlive the module.
// On failure returns null and a message to free with `free`.
LLVMModuleRef fathom_parse(LLVMContextRef context_ref, const char *data, size_t length,
                           bool verify, char **error) {
  LLVMContext &context = *unwrap(context_ref);
  context.setDiagnosticHandler(std::make_unique<Silent>());
  MemoryBufferRef buffer(StringRef(data, length), "");
  std::unique_ptr<Module> module;
  auto *bytes = reinterpret_cast<const unsigned char *>(data);
  if (isBitcode(bytes, bytes + length)) {
    Expected<std::unique_ptr<Module>> lazy = getLazyBitcodeModule(buffer, context, true);
    if (!lazy)
      return failed(error, toString(lazy.takeError()));
    module = std::move(*lazy);
    if (Error failure = verify ? module->materializeAll() : module->materializeMetadata())
      return failed(error, toString(std::move(failure)));
  } else {
    SMDiagnostic diagnostic;
    auto copy = MemoryBuffer::getMemBufferCopy(buffer.getBuffer(), "");
    module = parseIR(copy->getMemBufferRef(), diagnostic, context);
    if (!module)
      return failed(error, located(diagnostic));
  }
  std::string message;
  raw_string_ostream stream(message);
  bool broken_debug_info = false;
  if (verify && verifyModule(*module, &stream, &broken_debug_info))
    return failed(error, message);
  bool is_old = getDebugMetadataVersionFromModule(*module) != DEBUG_METADATA_VERSION;
  if (verify && (broken_debug_info || is_old))
    StripDebugInfo(*module);
  return wrap(module.release());
}

// Brings in the body of a function. Returns null, or a message to free with `free`.
char *fathom_materialize(LLVMValueRef value) {
  if (Error failure = unwrap<Function>(value)->materialize())
    return copy(toString(std::move(failure)));
  return nullptr;
}

// The default passes. No block comes or goes.
void fathom_promote(LLVMValueRef value) {
  Function &function = *unwrap<Function>(value);
  if (!calls_setjmp(function))
    promote(function);
}

// Gives the memory of a body back, unless constants may still name its blocks.
void fathom_release(LLVMValueRef value) {
  Function &function = *unwrap<Function>(value);
  for (const BasicBlock &block : function)
    if (block.hasAddressTaken())
      return;
  function.deleteBody();
}

// The producer recorded in bitcode ("LLVM22.1.8"), or null.
char *fathom_producer(const char *data, size_t length) {
  auto buffer = MemoryBuffer::getMemBufferCopy(StringRef(data, length), "");
  Expected<std::string> text = getBitcodeProducerString(buffer->getMemBufferRef());
  if (text)
    return copy(*text);
  consumeError(text.takeError());
  return nullptr;
}

bool fathom_calls_setjmp(LLVMValueRef function) {
  return calls_setjmp(*unwrap<Function>(function));
}

// The bits of an integer or floating-point constant; false for others, and for numbers that do not
// fit into `n_words` words.
bool fathom_bits(LLVMValueRef value, uint64_t *out, unsigned n_words) {
  auto *constant = unwrap<Constant>(value);
  if (!isa<ConstantInt>(constant) && !isa<ConstantFP>(constant))
    return false;
  APInt bits = bits_of(constant);
  if (bits.getActiveWords() > n_words)
    return false;
  for (unsigned i = 0; i < n_words; i++)
    out[i] = i < bits.getNumWords() ? bits.getRawData()[i] : 0;
  return true;
}

LLVMValueRef fathom_element(LLVMValueRef value, unsigned index) {
  return wrap(unwrap<Constant>(value)->getAggregateElement(index));
}

const char *fathom_raw_data(LLVMValueRef value, size_t *length) {
  auto *data = dyn_cast<ConstantDataSequential>(unwrap(value));
  if (!data)
    return nullptr;
  StringRef raw = data->getRawDataValues();
  *length = raw.size();
  return raw.data();
}

// Decomposes a getelementptr (instruction or constant) into a constant offset and at most
// `capacity` scaled indices. False for what has no such form (vectors of pointers).
bool fathom_gep(LLVMModuleRef module, LLVMValueRef value, LLVMValueRef *indices, uint64_t *scales,
                unsigned capacity, unsigned *count, int64_t *offset) {
  auto *gep = dyn_cast<GEPOperator>(unwrap(value));
  if (!gep || !gep->getType()->isPointerTy())
    return false;
  const DataLayout &layout = unwrap(module)->getDataLayout();
  unsigned width = layout.getIndexTypeSizeInBits(gep->getType());
  SmallMapVector<Value *, APInt, 4> variable;
  APInt constant(width, 0);
  if (!gep->collectOffset(layout, width, variable, constant) || variable.size() > capacity)
    return false;
  *count = 0;
  for (auto &[index, scale] : variable) {
    indices[*count] = wrap(index);
    scales[(*count)++] = scale.getZExtValue();
  }
  *offset = constant.getSExtValue();
  return true;
}

// Is parameter `index` of a function or call passed `byval`, and how much of it?
bool fathom_byval(LLVMModuleRef module, LLVMValueRef value, unsigned index, uint64_t *size,
                  uint64_t *align) {
  Type *type = nullptr;
  MaybeAlign alignment;
  if (auto *function = dyn_cast<Function>(unwrap(value))) {
    type = function->getParamByValType(index);
    alignment = function->getParamAlign(index);
  } else if (auto *call = dyn_cast<CallBase>(unwrap(value))) {
    type = call->getParamByValType(index);
    alignment = call->getParamAlign(index);
  }
  if (!type)
    return false;
  const DataLayout &layout = unwrap(module)->getDataLayout();
  *size = layout.getTypeAllocSize(type).getFixedValue();
  *align = alignment ? alignment->value() : layout.getABITypeAlign(type).value();
  return true;
}

unsigned fathom_pointer_bits(LLVMModuleRef module) {
  return unwrap(module)->getDataLayout().getPointerSizeInBits(0);
}

bool fathom_has_address_taken(LLVMBasicBlockRef block) { return unwrap(block)->hasAddressTaken(); }

// The file and line where a global variable is declared, or null.
LLVMMetadataRef fathom_global_file(LLVMValueRef value, unsigned *line) {
  SmallVector<DIGlobalVariableExpression *, 1> expressions;
  unwrap<GlobalVariable>(value)->getDebugInfo(expressions);
  if (expressions.empty())
    return nullptr;
  *line = expressions[0]->getVariable()->getLine();
  return wrap(expressions[0]->getVariable()->getFile());
}

// Calls `visit` once for each local variable that the function's debug records describe, with
// the alloca it lives in, or null.
void fathom_variables(LLVMValueRef function, void *closure,
                      void (*visit)(void *, LLVMValueRef alloca, const char *name,
                                    const char *type, LLVMMetadataRef file, unsigned line)) {
  DenseSet<const DILocalVariable *> seen;
  for (Instruction &inst : instructions(*unwrap<Function>(function)))
    for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange())) {
      DILocalVariable *variable = record.getVariable();
      if (!seen.insert(variable).second)
        continue;
      Value *location = record.isKillLocation() ? nullptr : record.getVariableLocationOp(0);
      auto *alloca = record.isDbgDeclare() ? dyn_cast_or_null<AllocaInst>(location) : nullptr;
      visit(closure, wrap(alloca), variable->getName().str().c_str(),
            type_name(variable->getType()).c_str(), wrap(variable->getFile()),
            variable->getLine());
    }
}

} // extern "C"
