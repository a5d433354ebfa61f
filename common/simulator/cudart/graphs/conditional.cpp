#include "simulator/cudart/graphs/conditional.h"

#include <algorithm>
#include <cstring>

#include "simulator/cudart/copies/copy_ends.h"
#include "simulator/cudart/graphs/graph.h"
#include "simulator/cudart/report/error.h"
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

/// Is there a conditional node that the value decides, in the graph or inside its nodes?
bool decides_in(const Condition& condition, const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [&](const auto& node) {
    const auto* choice = std::get_if<ConditionalWork>(&node->work);
    return choice != nullptr &&
           (choice->condition.get() == &condition ||
            std::any_of(choice->bodies.begin(), choice->bodies.end(),
                        [&](const auto& body) { return decides_in(condition, *body); }));
  });
}

/// @throws InstantiationFailure for nodes that a graph inside a conditional node must not hold,
/// with the code of a GPU.
void check_in_body(Node& node) {
  const Work& work = node.work;
  if (std::holds_alternative<HostWork>(work) || std::holds_alternative<RecordWork>(work) ||
      std::holds_alternative<WaitWork>(work) || std::holds_alternative<AllocWork>(work) ||
      std::holds_alternative<FreeWork>(work))
    throw InstantiationFailure{
        {cudaErrorInvalidValue,
         "a graph of a conditional node holds a host function, an event, or allocates or frees "
         "memory; leave that to the graph around it"},
        cudaGraphInstantiateNodeOperationNotSupported,
        &node};
  const auto* copy = std::get_if<Copy>(&work);
  if (copy != nullptr && touches_pageable(*copy))
    throw InstantiationFailure{
        {cudaErrorInvalidValue,
         "a graph of a conditional node copies pageable memory of the host; use cudaMallocHost"},
        cudaGraphInstantiateMultipleDevicesNotSupported,
        &node};
}

void check_inside(const Graph& graph, bool is_body) {
  for (const auto& node : graph.nodes) {
    if (is_body) check_in_body(*node);
    if (const auto* child = std::get_if<ChildWork>(&node->work))
      check_inside(*child->graph, is_body);
    if (const auto* choice = std::get_if<ConditionalWork>(&node->work))
      for (const auto& body : choice->bodies) check_inside(*body, true);
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
  end();
}

Condition::~Condition() { runtime().memory.release(address_); }

unsigned Condition::value() const {
  unsigned value = 0;
  std::memcpy(&value, runtime().memory.host(address_), sizeof value);
  return value;
}

void Condition::begin() const {
  runtime().memory.set_idle(address_, false);
  if (assigned_) std::memcpy(runtime().memory.host(address_), &initial_, sizeof initial_);
}

void Condition::end() const { runtime().memory.set_idle(address_, true); }

ConditionalWork conditional_of(cudaConditionalNodeParams& params, const Graph& owner) {
  const std::vector<ConditionPtr>& known = owner.outermost->conditions;
  const auto condition = std::find_if(known.begin(), known.end(), [&](const ConditionPtr& one) {
    return one->handle() == params.handle;
  });
  if (condition == known.end()) {
    throw Failure{cudaErrorInvalidValue,
                  "the handle was not made for this graph; call cudaGraphConditionalHandleCreate"};
  }
  if (!fits(params.type, params.size)) {
    throw Failure{cudaErrorInvalidValue,
                  "an if has one or two graphs, a while has one, a switch at least one"};
  }
  if (decides_in(**condition, *owner.outermost)) {
    throw Failure{cudaErrorInvalidValue,
                  "a handle belongs to one conditional node; create another handle"};
  }
  ConditionalWork work;
  work.condition = *condition;
  work.type = params.type;
  auto handles = std::make_shared<std::vector<cudaGraph_t>>();
  for (unsigned i = 0; i < params.size; ++i) {
    work.bodies.push_back(std::make_shared<Graph>());
    work.bodies.back()->child = true;
    work.bodies.back()->outermost = owner.outermost;
    handles->push_back(reinterpret_cast<cudaGraph_t>(work.bodies.back().get()));
  }
  params.phGraph_out = handles->data();
  work.handles = std::move(handles);
  return work;
}

void check_conditions(const Graph& graph) {
  for (const ConditionPtr& condition : graph.conditions)
    if (!decides_in(*condition, graph))
      throw InstantiationFailure{
          {cudaErrorInvalidValue, "a conditional handle of the graph belongs to no node"},
          cudaGraphInstantiateConditionalHandleUnused,
          nullptr};
  check_inside(graph, false);
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
    Graph& owner = *find_graph(graph).outermost;
    owner.conditions.push_back(std::make_shared<Condition>(initial, flags));
    *handle = owner.conditions.back()->handle();
  });
}
