#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/render/heatmap.h"
#include "model/search/translator.h"

namespace softalign {

/// A conversation: sentences are translated, lines that begin with ':' change how.
class Conversation {
 public:
  Conversation(Translator& translator, TranslateOptions options, std::string prefix);

  /// Answers one line on `out`; false if it was the last (:quit).
  bool answer(const std::string& line, const TerminalStyle& style, std::ostream& out);

 private:
  void translate(const std::string& line, const TerminalStyle& style, std::ostream& out);
  bool obey(const std::string& command, const std::string& argument, std::ostream& out);
  void change_search(int64_t SearchOptions::*option, const std::string& number, std::ostream& out);
  void save(const std::string& file, std::ostream& out) const;

  Translator& translator_;
  TranslateOptions options_;
  std::string prefix_;
  bool show_attention_ = true;
  std::optional<Translation> last_;
};

/// Holds a conversation at the terminal until :quit or Ctrl-D.
void run_interactive(Translator& translator, const TranslateOptions& options,
                     const std::string& prefix);

}  // namespace softalign
