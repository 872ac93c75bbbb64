#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "app/render/heatmap.h"
#include "model/inspect/explorer.h"
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
  bool obey(const std::string& command, const std::string& argument, const TerminalStyle& style,
            std::ostream& out);
  void change_search(int64_t SearchOptions::*option, const std::string& number, std::ostream& out);
  void save(const std::string& file, std::ostream& out) const;
  /// The step that `number` names (from 1), or the one after the last shown.
  void show_step(const std::string& number, std::ostream& out);
  void explain_token(const std::string& number, std::ostream& out);
  void compare(const std::string& sentence, const TerminalStyle& style, std::ostream& out);
  void show_beam_tree(std::ostream& out);
  const Explanation& explanation();

  Translator& translator_;
  TranslateOptions options_;
  std::string prefix_;
  bool show_attention_ = true;
  std::optional<Translation> last_;
  std::optional<Explanation> explanation_;  // of `last_`, once it was asked for
  size_t next_step_ = 0;
};

/// Holds a conversation at the terminal until :quit or Ctrl-D.
void run_interactive(Translator& translator, const TranslateOptions& options,
                     const std::string& prefix);

}  // namespace softalign
