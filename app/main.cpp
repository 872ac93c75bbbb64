#include <c10/util/Exception.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "app/commands/attention.h"
#include "app/commands/evaluate.h"
#include "app/commands/inspect.h"
#include "app/commands/lab.h"
#include "app/commands/score.h"
#include "app/commands/serve.h"
#include "app/commands/train.h"
#include "app/commands/translate.h"
#include "app/log.h"
#include "app/signals.h"
#include "app/standard_output.h"
#include "app/version.h"
#include "data/error.h"

namespace softalign {
namespace {

int run(CLI::App& app, int argc, char** argv, const bool& verbose) {
  try {
    app.parse(argc, argv);
    flush_results(std::cout);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error, std::cout, std::cerr) == 0 ? 0 : Error::kUser;
  } catch (const ClosedPipe&) {
    return 0;
  } catch (const Interrupted& interrupted) {
    return 128 + interrupted.signal;
  } catch (const Error& error) {
    spdlog::error(error.what());
    return error.exit_code();
  } catch (const c10::Error& error) {
    spdlog::error(verbose ? error.what() : error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    spdlog::error("out of memory: smaller batches or a smaller model need less");
  } catch (const std::exception& error) {
    spdlog::error(error.what());
  }
  return Error::kMachine;
}

}  // namespace
}  // namespace softalign

int main(int argc, char** argv) {
  using namespace softalign;
  watch_signals();
  set_up_log(Verbosity::normal);

  CLI::App app("Neural translation with attention: train, translate, and see where the model looks",
               "softalign");
  app.footer(
      "Examples:\n"
      "  softalign train configs/zh-en.yaml\n"
      "  softalign translate models/zh-en\n\n"
      "`softalign COMMAND --help` explains one command.");
  bool quiet = false, verbose = false;
  app.add_flag("-q,--quiet", quiet, "Only warnings and errors on standard error");
  app.add_flag("-v,--verbose", verbose, "Debugging messages as well")->excludes("--quiet");
  app.set_version_flag("--version", std::string("softalign ") + kVersion);
  app.require_subcommand(1);
  app.fallthrough();  // --quiet and --verbose may stand after the command, too
  app.parse_complete_callback([&] {
    set_up_log(verbose ? Verbosity::verbose : quiet ? Verbosity::quiet : Verbosity::normal);
  });

  add_train(app);
  add_translate(app);
  add_attention(app);
  add_score(app);
  add_evaluate(app);
  add_inspect(app);
  add_serve(app);
  add_lab(app);
  return run(app, argc, argv, verbose);
}
