#include "reduce/registry.h"

#include "reduce/cdd.h"
#include "reduce/ddmin.h"
#include "reduce/hdd.h"
#include "reduce/lhdd.h"
#include "reduce/probdd.h"
#include "reduce/sweep.h"
#include "reduce/wdd.h"

namespace marmoset {
namespace {

template <class T>
std::unique_ptr<Reducer> Own(T reducer) {
  return std::make_unique<T>(std::move(reducer));
}

constexpr ReducerInfo kReducers[] = {
#define MARMOSET_REDUCER(name, needs_states, summary, ...) \
  {name, needs_states, summary, [] { return Own(__VA_ARGS__); }},
#include "reduce/reducers.def"
#undef MARMOSET_REDUCER
};

}  // namespace

std::span<const ReducerInfo> AllReducers() { return kReducers; }

const ReducerInfo* FindReducer(std::string_view name) {
  for (const ReducerInfo& info : kReducers)
    if (info.name == name) return &info;
  return nullptr;
}

}  // namespace marmoset
