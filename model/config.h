#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace softalign {

/// One table per kind serves parsing, printing and error texts.
template <typename Kind, size_t n>
using Names = std::array<std::pair<Kind, std::string_view>, n>;

template <typename Kind, size_t n>
constexpr std::string_view name_of(const Names<Kind, n>& names, Kind kind) {
  for (const auto& [value, name] : names)
    if (value == kind) return name;
  return "?";
}

enum class CellKind { lstm, gru };
constexpr Names<CellKind, 2> kCellNames{{{CellKind::lstm, "lstm"}, {CellKind::gru, "gru"}}};

/// The decoder's first state from the encoder: all zeros; the encoder's last states as they are;
/// tanh(W · mean of the states) (Bahdanau uses the first backward state, nematus the mean);
/// tanh(W · last state).
enum class DecoderStart { zero, last, mean_tanh, bridge };
constexpr Names<DecoderStart, 4> kDecoderStartNames{{{DecoderStart::zero, "zero"},
                                                     {DecoderStart::last, "last"},
                                                     {DecoderStart::mean_tanh, "mean_tanh"},
                                                     {DecoderStart::bridge, "bridge"}}};

enum class ScoreKind { none, dot, scaled_dot, general, additive, concat, location, projected };
constexpr Names<ScoreKind, 8> kScoreNames{{{ScoreKind::none, "none"},
                                           {ScoreKind::dot, "dot"},
                                           {ScoreKind::scaled_dot, "scaled_dot"},
                                           {ScoreKind::general, "general"},
                                           {ScoreKind::additive, "additive"},
                                           {ScoreKind::concat, "concat"},
                                           {ScoreKind::location, "location"},
                                           {ScoreKind::projected, "projected"}}};

/// Luong et al. 2015, §3.2: all source positions; around position t (local-m); around a position
/// that the decoder's state predicts (local-p).
enum class WindowKind { global, monotonic, predictive };
constexpr Names<WindowKind, 3> kWindowNames{{{WindowKind::global, "global"},
                                             {WindowKind::monotonic, "monotonic"},
                                             {WindowKind::predictive, "predictive"}}};

/// luong: attend with s_t, then s̃_t. bahdanau: attend with s_{t-1}; the context enters the cell.
enum class AttentionOrder { luong, bahdanau };
constexpr Names<AttentionOrder, 2> kOrderNames{
    {{AttentionOrder::luong, "luong"}, {AttentionOrder::bahdanau, "bahdanau"}}};

enum class SelfAttentionKind { none, scaled_dot };
constexpr Names<SelfAttentionKind, 2> kSelfAttentionNames{
    {{SelfAttentionKind::none, "none"}, {SelfAttentionKind::scaled_dot, "scaled_dot"}}};

/// none; target: output layer = target embedding (Press & Wolf 2017); all: source embedding too.
enum class Tying { none, target, all };
constexpr Names<Tying, 3> kTyingNames{
    {{Tying::none, "none"}, {Tying::target, "target"}, {Tying::all, "all"}}};

/// fast: fused kernels where they can run (float32 on a CPU, no layer norm), else reference: plain
/// LibTorch operations, the specification. Both agree to rounding.
enum class Kernels { fast, reference };
constexpr Names<Kernels, 2> kKernelNames{
    {{Kernels::fast, "fast"}, {Kernels::reference, "reference"}}};

struct SelfAttentionConfig {
  SelfAttentionKind kind = SelfAttentionKind::none;
  int64_t heads = 1;
};

struct EncoderConfig {
  CellKind cell = CellKind::lstm;
  int64_t layers = 1;
  int64_t hidden = 256;  // width of a state h_i; two directions have half of it each
  bool bidirectional = true;
  bool residual = false;  // each layer from the second on adds its input
  bool layer_norm = false;
  SelfAttentionConfig self_attention;
};

struct DecoderConfig {
  CellKind cell = CellKind::lstm;
  int64_t layers = 1;
  int64_t hidden = 256;
  bool residual = false;
  bool layer_norm = false;
  DecoderStart start = DecoderStart::bridge;
};

struct AttentionConfig {
  ScoreKind score = ScoreKind::general;
  int64_t heads = 1;     // projected only
  int64_t key_size = 0;  // additive, concat, projected; 0: the decoder's width
  WindowKind window = WindowKind::global;
  int64_t window_size = 10;     // D of Luong §3.2: positions on each side
  int64_t location_size = 100;  // source positions that `location` can score
  AttentionOrder order = AttentionOrder::luong;
  bool input_feeding = false;  // s̃_{t-1} is part of the cell's input at t (Luong §3.3)
  int64_t state_size = 0;      // width of s̃_t; 0: the decoder's width
};

struct DropoutConfig {
  double embedding = 0.0;    // source and target embeddings
  double layers = 0.0;       // between recurrent layers
  double encoder = 0.0;      // encoder output, before keys and values
  double output = 0.0;       // s̃_t, before the output layer
  double word = 0.0;         // whole tokens replaced by UNK
  bool variational = false;  // one mask for all steps of a sentence (Gal & Ghahramani 2016)
};

struct ModelConfig {
  int64_t source_vocabulary = 0, target_vocabulary = 0;
  int64_t source_embedding = 256, target_embedding = 256;
  Tying tie = Tying::none;
  EncoderConfig encoder;
  DecoderConfig decoder;
  AttentionConfig attention;
  DropoutConfig dropout;
  Kernels kernels = Kernels::fast;  // how it is computed; no part of the model's file format
};

/// What training minimises besides plain cross-entropy.
struct LossOptions {
  double label_smoothing = 0.0;
  double guided_alignment = 0.0;  // weight of the loss on α; 0: off
  bool keep_scores = false;       // the path whose attention shows its scores, for diagnostics
};

/// Throws Error naming the config key if sizes don't fit together (an odd width for two
/// directions, heads that don't divide, `dot` with unequal widths, tied but unequal embeddings…).
void check(const ModelConfig& config);

}  // namespace softalign
