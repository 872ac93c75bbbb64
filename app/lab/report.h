#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace softalign {

/// The pages speak both.
enum class Language { english, chinese };

/// One text in both languages. `$…$` is mathematics: letters are set in italics, `_x` and `^x` (or
/// `_{…}`) below and above the line.
struct Text {
  std::string en, zh;
  const std::string& in(Language language) const { return language == Language::english ? en : zh; }
};
/// Names and numbers that read the same in both.
inline Text same(const std::string& text) { return {text, text}; }

/// A column of numbers or words. `key` names it in the CSV file; values that differ from run to run
/// because they are measured times are marked wherever they are shown.
struct Column {
  std::string key;
  Text title;
  int decimals = 3;
  bool measured_time = false;
};

/// nan is an empty cell.
using Cell = std::variant<double, Text>;

struct Table {
  std::string name;  // of the CSV file, without its ending
  Text caption;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;
};

enum class Scale { linear, logarithmic };

struct Axis {
  Text label;
  Scale scale = Scale::linear;
  std::optional<double> from, to;  // else by the data
  std::vector<Text> categories;    // names of x = 0, 1, 2, …
};

struct Point {
  double x = 0, y = 0;
  double low = 0, high = 0;  // error bar; none where they are equal
};
inline Point point(double x, double y) { return {x, y, y, y}; }

struct Series {
  enum class Style { line, theory, marks };  // markers and line; dashed line; markers alone
  Text label;
  std::vector<Point> points;
  Style style = Style::line;
};

struct Plot {
  std::string name;  // of the SVG file, without its ending
  Text caption;
  Axis x, y;
  std::vector<Series> series;
};

/// A picture that is drawn already.
struct Picture {
  std::string name;
  Text caption;
  std::string svg;
};

struct Heading {
  Text text;
};
struct Paragraph {
  Text text;
};
/// HTML that reads the same in both languages.
struct Listing {
  std::string html;
};
/// HTML as it is.
struct Markup {
  Text html;
};
using Block = std::variant<Heading, Paragraph, Listing, Table, Plot, Picture, Markup>;

/// What the numbers say of one statement.
struct Verdict {
  std::string name;  // for the summary file
  Text statement;
  bool confirmed = false;
  Text words;
};

/// One experiment, done.
struct Report {
  std::string name;     // its word on the command line
  size_t number = 0;    // among all experiments, from 1
  Text title, claim;    // one line; the notes' statement
  std::string formula;  // MathML
  Text measured;        // what is measured, and how
  std::vector<Verdict> verdicts;
  std::vector<Block> blocks;
  std::vector<std::pair<Text, std::string>> settings;
  std::string command;
  double seconds = 0;
};

}  // namespace softalign
