#include "simulator/cudart/conditional.h"

#include <algorithm>
#include <cstring>

#include "simulator/cudart/error.h"
#include "simulator/cudart/graph.h"
#include "simulator/cudart/runtime.h"

namespace warpwise::cudart {
namespace {

bool fits(cudaGraphConditionalNodeType type, unsigned graphs) {
  switch (type) {
    case cudaGraphCondTypeIf:
      return graphs == 1 || graphs == 2;
    case cudaGraphCondTypeWhile:
      return graphs == 1;
    case cudaGraphCondTypeSwitch:
      return graphs >= 1;
  }
  return false;
}

void collect(const Graph& graph, std::vector<ConditionPtr>& all) {
  all.insert(all.end(), graph.conditions.begin(), graph.conditions.end());
  for (const auto& node : graph.nodes) {
    if (const auto* child = std::get_if<ChildWork>(&node->work)) collect(*child->graph, all);
    if (const auto* choice = std::get_if<ConditionalWork>(&node->work)) {
      for (const auto& body : choice->bodies) collect(*body, all);
    }
  }
}

}  // namespace

Condition::Condition(unsigned initial, unsigned flags)
    : initial_(initial), assigned_(flags == cudaGraphCondAssignDefault) {
  if ((flags & ~unsigned{cudaGraphCondAssignDefault}) != 0) {
    throw Failure{cudaErrorInvalidValue, "unknown flags"};
  }
  need_device();
  const memory::Allocation* fresh =
      runtime().memory.allocate(sizeof initial, memory::Kind::variable);
  if (fresh == nullptr) throw Failure{cudaErrorMemoryAllocation, ""};
  address_ = fresh->base;
  runtime().memory.name(address_, "a conditional node's value");
}

Condition::~Condition() { runtime().memory.release(address_); }

void Condition::belong_to_node() {
  if (has_node_) {
    throw Failure{cudaErrorInvalidValue, "a handle is of one conditional node; make another one"};
  }
  has_node_ = true;
}

unsigned Condition::value() const {
  unsigned value = 0;
  std::memcpy(&value, runtime().memory.host(address_), sizeof value);
  return value;
}

void Condition::begin() const {
  if (assigned_) std::memcpy(runtime().memory.host(address_), &initial_, sizeof initial_);
}

ConditionalWork conditional_of(cudaConditionalNodeParams& params, const Graph& owner) {
  const auto condition =
      std::find_if(owner.conditions.begin(), owner.conditions.end(),
                   [&](const ConditionPtr& one) { return one->handle() == params.handle; });
  if (condition == owner.conditions.end()) {
    throw Failure{cudaErrorInvalidValue,
                  "the handle was not made for this graph; call cudaGraphConditionalHandleCreate"};
  }
  if (!fits(params.type, params.size)) {
    throw Failure{cudaErrorInvalidValue,
                  "an if has one or two graphs, a while has one, a switch at least one"};
  }
  (*condition)->belong_to_node();
  ConditionalWork work;
  work.condition = *condition;
  work.type = params.type;
  auto handles = std::make_shared<std::vector<cudaGraph_t>>();
  for (unsigned i = 0; i < params.size; ++i) {
    work.bodies.push_back(std::make_shared<Graph>());
    work.bodies.back()->child = true;
    handles->push_back(reinterpret_cast<cudaGraph_t>(work.bodies.back().get()));
  }
  params.phGraph_out = handles->data();
  work.handles = std::move(handles);
  return work;
}

std::vector<ConditionPtr> conditions_of(const Graph& graph) {
  std::vector<ConditionPtr> all;
  collect(graph, all);
  return all;
}

Step conditional_step(const ConditionalWork& work, std::vector<std::function<void()>> bodies) {
  Step step;
  step.launch = std::make_shared<Launched>(Launched{"a conditional node", call_site()});
  step.run = [condition = work.condition, type = work.type, bodies = std::move(bodies)] {
    if (faulted()) return;
    const unsigned value = condition->value();
    if (type == cudaGraphCondTypeWhile) {
      while (condition->value() != 0 && !faulted()) bodies[0]();
    } else if (type == cudaGraphCondTypeSwitch) {
      if (value < bodies.size()) bodies[value]();
    } else if (value != 0) {
      bodies[0]();
    } else if (bodies.size() > 1) {
      bodies[1]();
    }
  };
  return step;
}

}  // namespace warpwise::cudart

using namespace warpwise::cudart;

extern "C" cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle,
                                                        cudaGraph_t graph, unsigned initial,
                                                        unsigned flags) {
  return call_without_device("cudaGraphConditionalHandleCreate", [&] {
    given(handle);
    Graph& owner = find_graph(graph);
    owner.conditions.push_back(std::make_shared<Condition>(initial, flags));
    *handle = owner.conditions.back()->handle();
  });
}
