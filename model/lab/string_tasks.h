#pragma once

#include <cstdint>
#include <vector>

#include "data/corpus.h"
#include "model/config.h"

namespace softalign {

/// Tasks in which the target is a function of the source that a fixed vector has to carry whole.
enum class StringTask { copy, reverse };
constexpr Names<StringTask, 2> kStringTaskNames{
    {{StringTask::copy, "copy"}, {StringTask::reverse, "reverse"}}};

/// Random strings of `shortest` … `longest` letters, all lengths equally often, each with its copy
/// or reversal. The same seed gives the same pairs everywhere.
std::vector<SentencePair> string_pairs(StringTask task, int64_t count, int64_t shortest,
                                       int64_t longest, uint64_t seed);

/// Share of the letters of `expected` that stand in `output` at the same place.
double letters_in_place(const std::string& output, const std::string& expected);

}  // namespace softalign
