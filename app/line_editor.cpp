#include "app/line_editor.h"

#include <histedit.h>

#include <clocale>
#include <cstdlib>
#include <system_error>

namespace softalign {

class LineEditor::Terminal {
 public:
  Terminal(const std::string& prompt, std::filesystem::path history)
      : prompt_(prompt), file_(std::move(history)) {
    // libedit decodes what is typed by the locale's charset. Only that: numbers keep their point.
    if (std::setlocale(LC_CTYPE, "C.UTF-8") == nullptr) std::setlocale(LC_CTYPE, "");
    editor_ = el_init("softalign", stdin, stdout, stderr);
    history_ = history_init();
    HistEvent event;
    ::history(history_, &event, H_SETSIZE, 1000);
    ::history(history_, &event, H_SETUNIQUE, 1);
    if (!file_.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories(file_.parent_path(), ignored);
      ::history(history_, &event, H_LOAD, file_.c_str());
    }
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(editor_, EL_PROMPT, &Terminal::prompt);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_HIST, ::history, history_);
    // While a line is edited, Ctrl-C is a key like others and not a signal.
    el_set(editor_, EL_SETTY, "-d", "-isig", nullptr);
    el_set(editor_, EL_BIND, "^C", "em-kill-line", nullptr);
    el_set(editor_, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  }
  ~Terminal() {
    history_end(history_);
    el_end(editor_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  std::optional<std::string> next() {
    int count = 0;
    const char* typed = el_gets(editor_, &count);
    if (typed == nullptr || count <= 0) return std::nullopt;
    std::string line(typed, static_cast<size_t>(count));
    if (line.back() == '\n') line.pop_back();
    if (line.find_first_not_of(' ') != std::string::npos) remember(line);
    return line;
  }

 private:
  void remember(const std::string& line) {
    HistEvent event;
    ::history(history_, &event, H_ENTER, line.c_str());
    if (!file_.empty()) ::history(history_, &event, H_SAVE, file_.c_str());
  }

  static char* prompt(EditLine* editor) {
    Terminal* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return self->prompt_.data();
  }

  std::string prompt_;
  std::filesystem::path file_;
  EditLine* editor_ = nullptr;
  History* history_ = nullptr;
};

LineEditor::LineEditor(const std::string& prompt, std::filesystem::path history)
    : terminal_(std::make_unique<Terminal>(prompt, std::move(history))) {}
LineEditor::~LineEditor() = default;

std::optional<std::string> LineEditor::next() { return terminal_->next(); }

std::filesystem::path history_file() {
  const auto folder = [](const char* variable) -> std::filesystem::path {
    const char* value = std::getenv(variable);
    return value != nullptr && *value == '/' ? value : "";  // relative ones don't count (XDG)
  };
  std::filesystem::path state = folder("XDG_STATE_HOME");
  if (state.empty()) {
    const std::filesystem::path home = folder("HOME");
    if (home.empty()) return {};
    state = home / ".local" / "state";
  }
  return state / "softalign" / "history";
}

}  // namespace softalign
