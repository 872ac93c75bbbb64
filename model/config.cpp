#include "model/config.h"

#include "data/error.h"

namespace softalign {
namespace {

void require(bool holds, const std::string& message) {
  if (!holds) throw Error(message);
}

std::string number(int64_t value) { return std::to_string(value); }

bool is_dot(ScoreKind score) { return score == ScoreKind::dot || score == ScoreKind::scaled_dot; }

}  // namespace

void check(const ModelConfig& config) {
  const EncoderConfig& encoder = config.encoder;
  const DecoderConfig& decoder = config.decoder;
  const AttentionConfig& attention = config.attention;

  require(!encoder.bidirectional || encoder.hidden % 2 == 0,
          "model.encoder.hidden: " + number(encoder.hidden) +
              " is odd, but two directions share it: use an even number, or set "
              "model.encoder.bidirectional to false");
  require(!is_dot(attention.score) || encoder.hidden == decoder.hidden,
          "model.attention.score: " + std::string(name_of(kScoreNames, attention.score)) +
              " needs encoder and decoder states of one width, but model.encoder.hidden is " +
              number(encoder.hidden) + " and model.decoder.hidden " + number(decoder.hidden) +
              ": use `general`, which has a matrix between them, or equal widths");
  require(decoder.start != DecoderStart::last || encoder.hidden == decoder.hidden,
          "model.decoder.start: `last` copies the encoder's state, but model.encoder.hidden is " +
              number(encoder.hidden) + " and model.decoder.hidden " + number(decoder.hidden) +
              ": use `bridge` or equal widths");
  require(attention.heads == 1 || attention.score == ScoreKind::projected,
          "model.attention.heads: " + number(attention.heads) + " heads need score `projected`; `" +
              std::string(name_of(kScoreNames, attention.score)) + "` has one");
  const int64_t key_size = attention.key_size > 0 ? attention.key_size : decoder.hidden;
  require(attention.score != ScoreKind::projected || key_size % attention.heads == 0,
          "model.attention.heads: " + number(attention.heads) +
              " doesn't divide the width of the keys, " + number(key_size));
  require(encoder.self_attention.kind == SelfAttentionKind::none ||
              encoder.hidden % encoder.self_attention.heads == 0,
          "model.encoder.self_attention_heads: " + number(encoder.self_attention.heads) +
              " doesn't divide model.encoder.hidden, " + number(encoder.hidden));
  require(attention.score != ScoreKind::none || attention.window == WindowKind::global,
          "model.attention.window: score `none` looks nowhere, so there is nothing to put a window "
          "on: use `global`");
  require(config.tie != Tying::all || config.source_embedding == config.target_embedding,
          "model.tie: `all` shares one table, but model.source_embedding is " +
              number(config.source_embedding) + " and model.target_embedding " +
              number(config.target_embedding));
  require(config.tie != Tying::all || config.source_vocabulary == config.target_vocabulary,
          "model.tie: `all` shares one table, but the vocabularies have " +
              number(config.source_vocabulary) + " and " + number(config.target_vocabulary) +
              " pieces: set subword.joint to true");
}

}  // namespace softalign
