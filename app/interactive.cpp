#include "app/interactive.h"

#include <unistd.h>

#include <charconv>
#include <iostream>

#include "app/commands/attention_dump.h"
#include "app/line_editor.h"
#include "app/log.h"
#include "app/render/inspection.h"
#include "app/render/json.h"
#include "app/standard_output.h"
#include "data/error.h"
#include "model/seq2seq.h"

namespace softalign {
namespace {

constexpr std::string_view kHelp =
    "Type a sentence to translate it, or\n"
    "  :attention on|off   show where the model looked\n"
    "  :beam N             hypotheses kept; 1 is greedy search\n"
    "  :nbest N            translations shown, at most the beam\n"
    "  :force TEXT         begin translations with TEXT; without TEXT: no longer\n"
    "  :step [N]           walk through the last translation: where it looked at step N, or the "
    "next\n"
    "  :why N              token N by its numbers: scores, weights, what else it could be\n"
    "  :compare SENTENCE   the last sentence and this one side by side; alone, with several "
    "models:\n"
    "                      what each of them says\n"
    "  :beam-tree          what the search of the last sentence kept and dropped\n"
    "  :save FILE          the last attention as .svg, .html, .tsv or .json\n"
    "  :help               this list\n"
    "  :quit               leave; Ctrl-D, too\n";

std::string trimmed(const std::string& text) {
  constexpr const char* kBlanks = " \t";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

/// Place `number` (from 1) of a list of `count`.
size_t place_of(const std::string& number, size_t count) {
  size_t value = 0;
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (fault != std::errc() || end != number.data() + number.size() || value < 1 || value > count)
    throw Error("expected the number of a token, from 1 to " + std::to_string(count));
  return value - 1;
}

}  // namespace

Conversation::Conversation(Translator& translator, TranslateOptions options, std::string prefix)
    : translator_(translator), options_(std::move(options)), prefix_(std::move(prefix)) {
  options_.attention = true;
}

bool Conversation::answer(const std::string& line, const TerminalStyle& style, std::ostream& out) {
  const std::string text = trimmed(line);
  if (text.empty()) return true;
  try {
    if (text.front() == ':') {
      const size_t end = text.find(' ');
      return obey(text.substr(0, end),
                  end == std::string::npos ? std::string() : trimmed(text.substr(end)), style, out);
    }
    translate(line, style, out);
  } catch (const Error& error) {  // the conversation goes on
    out << error.what() << '\n';
  }
  return true;
}

void Conversation::translate(const std::string& line, const TerminalStyle& style,
                             std::ostream& out) {
  std::vector<std::string> prefixes;
  if (!prefix_.empty()) prefixes.push_back(prefix_);
  last_ = std::move(translator_.translate({line}, options_, prefixes).front());
  ++options_.first_line;
  explanation_.reset();
  next_step_ = 0;
  if (last_->source_cut)
    out << "(longer than " << std::to_string(options_.max_source_tokens)
        << " tokens: the rest was left out)\n";
  if (options_.search.nbest == 1) {
    out << last_->best().text << '\n';
  } else {
    for (size_t k = 0; k < last_->nbest.size(); ++k)
      out << std::to_string(k + 1) << ". " << last_->nbest[k].text << "  ("
          << fixed(last_->nbest[k].score, 3) << ")\n";
  }
  if (!last_->best().finished) out << "(no end was found within the length limit)\n";
  const Heatmap map = heatmap_of(*last_);
  if (!show_attention_ || map.target_tokens.empty()) return;
  if (has_attention(map))
    out << '\n' << render_terminal(map, style) << '\n';
  else
    out << '(' << kNoAttention << ")\n";
}

bool Conversation::obey(const std::string& command, const std::string& argument,
                        const TerminalStyle& style, std::ostream& out) {
  if (command == ":quit" || command == ":q") return false;
  if (command == ":attention" && (argument == "on" || argument == "off")) {
    show_attention_ = argument == "on";
  } else if (command == ":beam") {
    change_search(&SearchOptions::beam, argument, out);
  } else if (command == ":nbest") {
    change_search(&SearchOptions::nbest, argument, out);
  } else if (command == ":force") {
    prefix_ = argument;
  } else if (command == ":step") {
    show_step(argument, out);
  } else if (command == ":why" && !argument.empty()) {
    explain_token(argument, out);
  } else if (command == ":compare") {
    compare(argument, style, out);
  } else if (command == ":beam-tree") {
    show_beam_tree(out);
  } else if (command == ":save" && !argument.empty()) {
    save(argument, out);
  } else {
    out << kHelp;
  }
  return true;
}

void Conversation::change_search(int64_t SearchOptions::*option, const std::string& number,
                                 std::ostream& out) {
  constexpr int64_t kMost = 10'000;
  int64_t value = 0;
  const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (fault != std::errc() || end != number.data() + number.size() || value < 1 || value > kMost) {
    out << "expected a number from 1 to " << std::to_string(kMost) << '\n';
    return;
  }
  SearchOptions changed = options_.search;
  changed.*option = value;
  check(changed);
  options_.search = changed;
}

void Conversation::save(const std::string& file, std::ostream& out) const {
  if (!last_) throw Error("nothing to save yet: translate a sentence first");
  AttentionDump dump(file);
  dump.add(*last_);
  dump.write();
  out << "saved " << file << '\n';
}

const Explanation& Conversation::explanation() {
  if (!last_) throw Error("nothing to look into yet: translate a sentence first");
  if (translator_.models().size() > 1)
    throw Error("steps are those of one model: start translate with one");
  if (!explanation_) {
    WalkOptions options;
    options.search.max_length = static_cast<int64_t>(last_->best().ids.size());
    options.go_on = false;
    explanation_ =
        explain(translator_, last_->source, last_->best().ids, options, options_.max_source_tokens);
  }
  if (explanation_->walk.steps.empty()) throw Error("the last translation has no tokens");
  return *explanation_;
}

void Conversation::show_step(const std::string& number, std::ostream& out) {
  const Explanation& shown = explanation();
  const size_t steps = shown.walk.steps.size();
  const size_t step = number.empty() ? next_step_ % steps : place_of(number, steps);
  out << render_step(shown, step, translator_.target_subword());
  next_step_ = step + 1;
}

void Conversation::explain_token(const std::string& number, std::ostream& out) {
  const Explanation& shown = explanation();
  out << render_why(shown, place_of(number, shown.walk.steps.size()), translator_.target_subword());
}

void Conversation::compare(const std::string& sentence, const TerminalStyle& style,
                           std::ostream& out) {
  if (!last_) throw Error("nothing to compare with yet: translate a sentence first");
  const auto show = [&](const Translation& translation, const std::string& name) {
    out << name << translation.source << " → " << translation.best().text << "  ("
        << fixed(translation.best().score, 3) << ")\n";
    const Heatmap map = heatmap_of(translation);
    if (!map.target_tokens.empty() && has_attention(map))
      out << '\n' << render_terminal(map, style) << '\n';
  };
  if (!sentence.empty()) {
    show(*last_, "");
    show(translator_.translate({sentence}, options_).front(), "");
    return;
  }
  if (translator_.models().size() < 2)
    throw Error("compare with what? `:compare SENTENCE`, or start translate with several models");
  for (size_t k = 0; k < translator_.models().size(); ++k) {
    Translator alone({translator_.models()[k]}, translator_.source_subword(),
                     translator_.target_subword());
    show(alone.translate({last_->source}, options_).front(),
         "model " + std::to_string(k + 1) + ": ");
  }
}

void Conversation::show_beam_tree(std::ostream& out) {
  if (!last_) throw Error("nothing to look into yet: translate a sentence first");
  SearchOptions search = options_.search;
  search.nbest = search.beam;
  out << render_beam_tree(explore_beam(translator_, last_->source, search,
                                       target_ids(translator_, prefix_),
                                       options_.max_source_tokens));
}

void run_interactive(Translator& translator, const TranslateOptions& options,
                     const std::string& prefix) {
  Conversation conversation(translator, options, prefix);
  LineEditor editor("> ", history_file());
  std::cout << "Type a sentence to translate it; :help lists commands, Ctrl-D leaves.\n";
  flush_results(std::cout);
  for (;;) {
    const std::optional<std::string> line = editor.next();
    if (!line) std::cout << '\n';
    TerminalStyle style;
    style.colour = shows_colour(STDOUT_FILENO);
    style.columns = terminal_columns(STDOUT_FILENO);
    if (!line || !conversation.answer(*line, style, std::cout)) break;
    flush_results(std::cout);
  }
}

}  // namespace softalign
