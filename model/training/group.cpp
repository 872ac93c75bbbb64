#include "model/training/group.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "data/error.h"
#ifdef SOFTALIGN_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

namespace softalign {

#ifdef SOFTALIGN_GLOO

namespace {

// A broadcast waits for what the first process does meanwhile; a broken connection ends it at once.
constexpr std::chrono::hours kPatience{24 * 7};

}  // namespace

struct Group::Connection {
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group;
  std::vector<std::pair<Tensor, c10::intrusive_ptr<c10d::Work>>> begun;
  GroupConfig config;

  template <typename Job>
  void attempt(const Job& job) {
    try {
      job();
    } catch (const std::exception& error) {
      const std::string reason = error.what();
      throw Error("rank " + std::to_string(config.rank) + " of " + std::to_string(config.size) +
                      " lost a peer (" + reason.substr(0, reason.find('\n')) +
                      "); the last checkpoint is intact: start all ranks again with --resume",
                  Error::kMachine);
    }
  }
};

Group::Group(const GroupConfig& config) : config_(config) {
  if (config.size == 1) return;
  connection_ = std::make_unique<Connection>();
  connection_->config = config;
  try {
    c10d::TCPStoreOptions store_options;
    store_options.port = static_cast<uint16_t>(config.port);
    store_options.isServer = is_first();
    store_options.numWorkers = static_cast<size_t>(config.size);
    store_options.timeout = config.timeout;
    const auto store = c10::make_intrusive<c10d::TCPStore>(config.address, store_options);
    const auto options = c10d::ProcessGroupGloo::Options::create(config.timeout);
    using Gloo = c10d::ProcessGroupGloo;
    const bool is_here = config.address == "localhost" || config.address.rfind("127.", 0) == 0;
    options->devices.push_back(!config.interface.empty()
                                   ? Gloo::createDeviceForInterface(config.interface)
                               : is_here ? Gloo::createDeviceForHostname(config.address)
                                         : Gloo::createDefaultDevice());
    connection_->group = c10::make_intrusive<c10d::ProcessGroupGloo>(
        store, static_cast<int>(config.rank), static_cast<int>(config.size), options);
  } catch (const std::exception& error) {
    const std::string reason = error.what();
    throw Error("rank " + std::to_string(config.rank) + " of " + std::to_string(config.size) +
                    " found no way to the others through " + config.address + ":" +
                    std::to_string(config.port) + " within " +
                    std::to_string(config.timeout.count()) +
                    " s: " + reason.substr(0, reason.find('\n')),
                Error::kMachine);
  }
}

void Group::begin_sum(const Tensor& tensor) {
  if (!connection_) return;
  connection_->attempt([&] {
    std::vector<Tensor> tensors{tensor};
    connection_->begun.emplace_back(tensor, connection_->group->allreduce(tensors));
  });
}

void Group::wait() {
  if (!connection_) return;
  connection_->attempt([&] {
    for (auto& [tensor, work] : connection_->begun) work->wait();
  });
  connection_->begun.clear();
}

void Group::broadcast(const Tensor& tensor) {
  if (!connection_ || tensor.numel() == 0) return;
  connection_->attempt([&] {
    c10d::BroadcastOptions options;
    options.timeout = kPatience;
    std::vector<Tensor> tensors{tensor};
    connection_->group->broadcast(tensors, options)->wait();
  });
}

#else

struct Group::Connection {};

Group::Group(const GroupConfig& config) : config_(config) {
  if (config.size > 1)
    throw Error("this program was built without Gloo, so it trains in one process only: install "
                "libgloo-dev and build it again");
}
void Group::begin_sum(const Tensor&) {}
void Group::wait() {}
void Group::broadcast(const Tensor&) {}

#endif

Group::Group() = default;
Group::~Group() = default;

void Group::sum(const Tensor& tensor) {
  begin_sum(tensor);
  wait();
}

void Group::broadcast(std::string& bytes) {
  if (size() == 1) return;
  const Tensor length = at::full({1}, static_cast<int64_t>(bytes.size()), at::kLong);
  broadcast(length);
  bytes.resize(static_cast<size_t>(length.item<int64_t>()));
  broadcast(at::from_blob(bytes.data(), {static_cast<int64_t>(bytes.size())}, at::kByte));
}

void Group::broadcast(NamedTensors& tensors) {
  if (size() == 1) return;
  using Json = nlohmann::json;
  Json list = Json::array();
  for (const auto& [name, tensor] : tensors)
    list.push_back({name, tensor.sizes().vec(), static_cast<int>(tensor.scalar_type())});
  std::string text = list.dump();
  broadcast(text);
  if (!is_first()) {
    tensors.clear();
    for (const Json& item : Json::parse(text))
      tensors.emplace_back(
          item[0].get<std::string>(),
          at::empty(item[1].get<std::vector<int64_t>>(),
                    at::TensorOptions(static_cast<at::ScalarType>(item[2].get<int>()))));
  }
  for (auto& [name, tensor] : tensors) {
    tensor = tensor.contiguous();
    broadcast(tensor);
  }
}

}  // namespace softalign
