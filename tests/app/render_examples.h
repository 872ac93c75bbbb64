#pragma once

#include <string>

#include "app/render/heatmap.h"

namespace softalign {

/// 8 × 9, 在图书馆 moves to the end; the title characters of CJK are two columns wide.
inline Heatmap reordering_map() {
  Heatmap map;
  map.source = "我在图书馆看书。";
  map.target = "I read books in the library.";
  map.source_tokens = {"▁", "我", "在", "图书馆", "看", "书", "。", "</s>"};
  map.target_tokens = {"▁I", "▁read", "▁book", "s", "▁in", "▁the", "▁library", ".", "</s>"};
  map.weights = {{0.15F, 0.85F, 0, 0, 0, 0, 0, 0},   {0, 0, 0.05F, 0.05F, 0.9F, 0, 0, 0},
                 {0, 0, 0, 0, 0.2F, 0.8F, 0, 0},     {0, 0, 0, 0.1F, 0.2F, 0.4F, 0.2F, 0.1F},
                 {0, 0, 0.7F, 0.3F, 0, 0, 0, 0},     {0, 0, 0.45F, 0.55F, 0, 0, 0, 0},
                 {0, 0, 0, 1, 0, 0, 0, 0},           {0, 0, 0, 0, 0, 0, 0.95F, 0.05F},
                 {0.04F, 0, 0, 0, 0, 0, 0.06F, 0.9F}};
  return map;
}

inline Heatmap diagonal_map(size_t sources, size_t targets) {
  Heatmap map;
  map.source = "long";
  map.target = "longer";
  for (size_t i = 0; i < sources; ++i) map.source_tokens.push_back("▁s" + std::to_string(i));
  for (size_t t = 0; t < targets; ++t) {
    map.target_tokens.push_back("▁t" + std::to_string(t));
    map.weights.emplace_back(sources, 0.0F);
    map.weights.back()[t * sources / targets] = 0.75F;
    map.weights.back()[0] += 0.25F;
  }
  return map;
}

inline Heatmap latin_map() {
  Heatmap map = diagonal_map(12, 4);
  map.source = "The unbelievably sleepy cats of our neighbours are in the library.";
  map.source_tokens = {"▁The", "▁unbelievabl", "y",    "▁sleepy", "▁cats",    "▁of",
                       "▁our", "▁neighbours",  "▁are", "▁in",     "▁library", "</s>"};
  map.target_tokens = {"▁猫", "在", "图书馆", "</s>"};
  return map;
}

inline Heatmap arabic_map() {
  Heatmap map;
  map.source = "قرأت كتابا.";
  map.target = "I read a book.";
  map.source_tokens = {"▁قرأت", "▁كتابا", ".", "</s>"};
  map.target_tokens = {"▁I", "▁read", "▁book", "</s>"};
  map.weights = {{1, 0, 0, 0}, {0.5F, 0.5F, 0, 0}, {0, 0.75F, 0.25F, 0}, {0, 0, 0, 1}};
  return map;
}

inline Heatmap single_map() {
  Heatmap map;
  map.source = "好";
  map.target = "Yes";
  map.source_tokens = {"▁好"};
  map.target_tokens = {"▁Yes"};
  map.weights = {{1}};
  return map;
}

inline Heatmap no_attention_map() {
  Heatmap map = single_map();
  map.weights = {{0}};
  return map;
}

/// Text that is markup, in everything that a picture shows.
inline Heatmap markup_map() {
  Heatmap map = single_map();
  map.source = "<script>alert(1)</script> & \"x\" 'y'";
  map.target = "</title></script><img onerror=\"x\">\x01";
  map.source_tokens = {"▁<script>alert(1)</script>", "▁&", "▁\"x\"", "▁'y'"};
  map.target_tokens = {"▁</script>", "▁<!--", "▁]]>"};
  map.weights = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 0.5F, 0.5F}};
  return map;
}

}  // namespace softalign
