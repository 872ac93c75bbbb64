#include "app/lab/table.h"

#include <algorithm>
#include <cmath>

#include "app/lab/text.h"
#include "app/render/number.h"
#include "data/unicode.h"

namespace softalign {
namespace {

std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string csv_cell(const Cell& cell) {
  if (const auto* text = std::get_if<Text>(&cell)) return csv_text(to_plain(text->en));
  const double value = std::get<double>(cell);
  return std::isnan(value) ? std::string() : short_number(value);
}

bool is_text(const Table& table, size_t column) {
  return std::any_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return std::holds_alternative<Text>(row[column]); });
}

std::string shown(const Cell& cell, const Column& column, Language language) {
  if (const auto* text = std::get_if<Text>(&cell)) return text->in(language);
  return typeset_number(std::get<double>(cell), column.decimals);
}

std::string padded(const std::string& text, int64_t width, bool left) {
  const auto missing = static_cast<size_t>(std::max<int64_t>(0, width - display_width(text)));
  return left ? text + std::string(missing, ' ') : std::string(missing, ' ') + text;
}

}  // namespace

std::string to_csv(const Table& table) {
  std::string csv;
  for (const Column& column : table.columns)
    csv +=
        (csv.empty() ? "" : ",") + csv_text(column.key) + (column.measured_time ? "_measured" : "");
  csv += '\n';
  for (const auto& row : table.rows) {
    for (size_t c = 0; c < row.size(); ++c) csv += (c > 0 ? "," : "") + csv_cell(row[c]);
    csv += '\n';
  }
  return csv;
}

std::string to_terminal(const Table& table, Language language) {
  std::vector<std::vector<std::string>> lines(1);
  for (const Column& column : table.columns)
    lines[0].push_back(to_plain(column.title.in(language)) + (column.measured_time ? "*" : ""));
  for (const auto& row : table.rows) {
    std::vector<std::string> line;
    for (size_t c = 0; c < row.size(); ++c)
      line.push_back(to_plain(shown(row[c], table.columns[c], language)));
    lines.push_back(std::move(line));
  }
  std::vector<int64_t> widths(table.columns.size(), 0);
  for (const auto& line : lines)
    for (size_t c = 0; c < line.size(); ++c)
      widths[c] = std::max(widths[c], display_width(line[c]));
  std::string text;
  int64_t whole = -2;
  for (const int64_t width : widths) whole += width + 2;
  for (size_t k = 0; k < lines.size(); ++k) {
    std::string line;
    for (size_t c = 0; c < lines[k].size(); ++c)
      line += (c > 0 ? "  " : "") + padded(lines[k][c], widths[c], is_text(table, c));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
    if (k == 0) {
      for (int64_t n = 0; n < whole; ++n) text += "─";
      text += '\n';
    }
  }
  const bool timed = std::any_of(table.columns.begin(), table.columns.end(),
                                 [](const Column& column) { return column.measured_time; });
  if (timed)
    text += language == Language::english ? "* measured: differs from run to run\n"
                                          : "* 实测值，每次运行会略有不同\n";
  return text;
}

std::string to_html(const Table& table, Language language) {
  const std::string caption = to_html(table.caption.in(language));
  std::string html =
      "<div class=\"wide\"><p class=\"caption\">" + caption + "</p><table>\n<thead><tr>";
  for (size_t c = 0; c < table.columns.size(); ++c)
    html += std::string(is_text(table, c) ? "<th class=\"left\">" : "<th>") +
            to_html(table.columns[c].title.in(language)) +
            (table.columns[c].measured_time ? "<span class=\"timed\">*</span>" : "") + "</th>";
  html += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (size_t c = 0; c < row.size(); ++c)
      html += std::string(is_text(table, c) ? "<td class=\"left\">" : "<td>") +
              to_html(shown(row[c], table.columns[c], language)) + "</td>";
    html += "</tr>\n";
  }
  html += "</tbody></table>";
  if (std::any_of(table.columns.begin(), table.columns.end(),
                  [](const Column& column) { return column.measured_time; }))
    html += language == Language::english
                ? "<p class=\"note\">* measured on this machine; differs from run to run</p>"
                : "<p class=\"note\">* 在本机实测，每次运行会略有不同</p>";
  return html + "</div>\n";
}

}  // namespace softalign
