#include "app/config/sections.h"

namespace softalign {
namespace {

// A width beyond this is a slip of the pen, not a model.
const Range kWidth = between(1, 65536);
const Range kWidthOrDefault = between(0, 65536);
const Range kLayers = between(1, 64);

void declare_encoder(Section& model, EncoderConfig& config) {
  Section& encoder = model.section("encoder", "reads the source");
  encoder.key("cell", config.cell, kCellNames, "kind of recurrent cell");
  encoder.key("layers", config.layers, kLayers, "stacked recurrent layers");
  encoder.key("hidden", config.hidden, kWidth,
              "width of a state h_i; two directions have half of it each");
  encoder.key("bidirectional", config.bidirectional, "read in both directions");
  encoder.key("residual", config.residual, "layers from the second on add their input");
  encoder.key("layer_norm", config.layer_norm, "layer normalisation inside the cell");
  encoder.key("self_attention", config.self_attention.kind, kSelfAttentionNames,
              "softmax(QK^T/√d)V over the encoder's states, added to them");
  encoder.key("self_attention_heads", config.self_attention.heads, between(1, 1024),
              "heads of the self-attention; they divide `hidden`");
}

void declare_decoder(Section& model, DecoderConfig& config) {
  Section& decoder = model.section("decoder", "writes the target");
  decoder.key("cell", config.cell, kCellNames, "kind of recurrent cell");
  decoder.key("layers", config.layers, kLayers, "stacked recurrent layers");
  decoder.key("hidden", config.hidden, kWidth, "width of a state s_t");
  decoder.key("residual", config.residual, "layers from the second on add their input");
  decoder.key("layer_norm", config.layer_norm, "layer normalisation inside the cell");
  decoder.key("start", config.start, kDecoderStartNames,
              "first state: zeros, the encoder's last, tanh(W mean h_i), tanh(W last)");
}

void declare_attention(Section& model, AttentionConfig& config) {
  Section& attention = model.section("attention", "where the decoder looks");
  attention.key("score", config.score, kScoreNames, "how s_t and h_i are compared: e_ti");
  attention.key("heads", config.heads, between(1, 1024),
                "score projected: parallel attentions; they divide key_size");
  attention.key("key_size", config.key_size, kWidthOrDefault,
                "scores additive, concat, projected: inner width; 0: the decoder's");
  attention.key("window", config.window, kWindowNames,
                "all positions, around position t (local-m), or around a predicted one (local-p)");
  attention.key("window_size", config.window_size, between(0, 100000),
                "positions on each side that a window shows: D of Luong et al. 2015");
  attention.key("location_size", config.location_size, between(1, 100000),
                "score location: source positions that it knows");
  attention.key("order", config.order, kOrderNames,
                "attend with s_t after the cell (luong) or with s_{t-1} before it (bahdanau)");
  attention.key("input_feeding", config.input_feeding, "the last s̃_t is an input of the next step");
  attention.key("state_size", config.state_size, kWidthOrDefault,
                "width of the attentional state s̃_t; 0: the decoder's");
}

void declare_dropout(Section& model, DropoutConfig& config) {
  const Range rate = half_open(0, 1);
  Section& dropout = model.section("dropout", "what training hides at random");
  dropout.key("embedding", config.embedding, rate, "source and target embeddings");
  dropout.key("layers", config.layers, rate, "between recurrent layers");
  dropout.key("encoder", config.encoder, rate, "the encoder's output");
  dropout.key("output", config.output, rate, "s̃_t, before the output layer");
  dropout.key("word", config.word, rate, "whole tokens become unknown");
  dropout.key("variational", config.variational,
              "one mask for all steps of a sentence (Gal & Ghahramani 2016)");
}

}  // namespace

void declare_model(Section& root, ModelConfig& config) {
  Section& model = root.section("model", "the network");
  model.both("embedding", config.source_embedding, config.target_embedding, kWidth,
             "width of both embeddings");
  model.key("source_embedding", config.source_embedding, kWidth, "width of source embeddings");
  model.key("target_embedding", config.target_embedding, kWidth, "width of target embeddings");
  model.key("tie", config.tie, kTyingNames,
            "share the output layer with the target embedding, or with both (all)");
  declare_encoder(model, config.encoder);
  declare_decoder(model, config.decoder);
  declare_attention(model, config.attention);
  declare_dropout(model, config.dropout);
}

}  // namespace softalign
