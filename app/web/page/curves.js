// The curves of a training, from its record (training_record.h). Shared with the training report,
// which holds this file behind chart.js.
import { drawChart } from "./chart.js";

/** Draws every curve that the record has numbers for. */
export function drawCurves(container, record, names) {
  const reports = record.reports || [], validations = record.validations || [];
  const of = (list, key) => list.filter((entry) => entry[key] !== undefined).map((entry) => [entry.step, entry[key]]);
  const charts = [
    [names.loss, [{ name: names.training, points: of(reports, "loss") }]],
    [names.perplexity, [{ name: names.training, points: of(reports, "perplexity").filter(([, y]) => y < 1000) },
      { name: names.validation, points: of(validations, "perplexity").filter(([, y]) => y < 1000), second: true }]],
    [names.bleu, [{ name: "BLEU", points: of(validations, "bleu") }, { name: "chrF", points: of(validations, "chrf"), second: true }]],
    [names.rate, [{ name: names.rate, points: of(reports, "learning_rate") }]],
    [names.norm, [{ name: names.norm, points: of(reports, "gradient_norm") }]],
    [names.speed, [{ name: names.speed, points: of(reports, "target_tokens_per_second") }]],
  ];
  for (const [title, series] of charts) drawChart(container, series, { title, x: names.step });
}
