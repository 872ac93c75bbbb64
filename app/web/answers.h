#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/inspect/explorer.h"
#include "model/inspect/neighbours.h"
#include "model/search/translator.h"

namespace softalign {

using Answer = nlohmann::ordered_json;

/// Six significant digits; null where JSON has no number.
Answer number(double value);
Answer numbers(const std::vector<float>& values);
Answer numbers(const std::vector<std::vector<float>>& rows);

/// {"<side>_tokens", "<side>_labels", "<side>_words"}: pieces; how they are shown; the word that
/// each belongs to, -1 for EOS.
void add_tokens(Answer& answer, const std::string& side, const std::vector<std::string>& tokens);

Answer answer_of(const Translation& translation, bool with_attention);
Answer answer_of(const Scored& scored);
/// `vectors`: steps (from 0) whose query, context and attentional state are wanted.
Answer answer_of(const Explanation& explanation, const Subword& target,
                 const std::vector<int64_t>& vectors);
Answer answer_of(const ExploredBeam& beam);

/// As bytes of a response.
std::string to_bytes(const Answer& answer);

}  // namespace softalign
