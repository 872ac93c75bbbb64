#include "app/commands/attention_dump.h"

#include "app/render/json.h"
#include "data/error.h"
#include "data/file.h"
#include "model/search/translator.h"

namespace softalign {

AttentionDump::AttentionDump(std::filesystem::path file)
    : file_(std::move(file)), form_(form_of(file_)) {
  if (form_ == Form::tsv) text_ = kTsvHeader;
}

AttentionDump::Form AttentionDump::form_of(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".json" || ending == ".jsonl") return Form::json;
  if (ending == ".tsv") return Form::tsv;
  if (ending == ".html") return Form::html;
  if (ending == ".svg") return Form::svg;
  throw Error(file.string() +
              ": attention is written to a file that ends in .json, .jsonl, .tsv, .html or .svg");
}

void AttentionDump::add(const Translation& translation) {
  const int64_t sentence = sentences_++;
  const Heatmap map = heatmap_of(translation);
  if (form_ == Form::json)
    text_ += to_json_line(translation, /*with_nbest=*/false) + "\n";
  else if (form_ == Form::tsv)
    text_ += tsv_lines(map, sentence);
  else if (!map.source_tokens.empty())
    maps_.push_back(map);
}

void AttentionDump::write() const {
  switch (form_) {
    case Form::json:
    case Form::tsv:
      write_atomically(file_, text_);
      return;
    case Form::html:
      write_atomically(file_, render_html(maps_, "Attention"));
      return;
    case Form::svg:
      for (size_t i = 0; i < maps_.size(); ++i) {
        std::filesystem::path file = file_;
        if (maps_.size() > 1)
          file.replace_filename(file_.stem().string() + "-" + std::to_string(i + 1) + ".svg");
        write_atomically(file, render_svg(maps_[i]));
      }
      return;
  }
}

}  // namespace softalign
