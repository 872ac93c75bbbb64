#include "app/commands/serve.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "app/web/server.h"

namespace softalign {

void add_serve(CLI::App& app) {
  auto options = std::make_shared<ServerOptions>();
  CLI::App* serve = app.add_subcommand(
      "serve", "Look inside in a browser: the attention explorer, with a JSON API");
  serve->add_option("MODEL", options->models, "Model directory; a second one to compare it with")
      ->required()
      ->expected(1, 2);
  serve
      ->add_option("--host", options->host,
                   "Address to listen on; others than this machine's "
                   "own make the model public to the network")
      ->capture_default_str();
  serve->add_option("--port", options->port, "Port to listen on; 0: any free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  serve->add_option("--threads", options->threads, "Threads that compute; default: all cores")
      ->check(CLI::Range(int64_t{1}, int64_t{4096}));
  serve->footer(
      "Examples:\n"
      "  softalign serve models/zh-en\n"
      "  softalign serve models/zh-en models/zh-en-additive --port 9000\n"
      "  curl -s localhost:8080/translate -H 'Content-Type: application/json' \\\n"
      "       -d '{\"text\": \"你好\"}'");
  serve->callback([options] { softalign::serve(*options, std::cout); });
}

}  // namespace softalign
