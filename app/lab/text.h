#pragma once

#include <string>

namespace softalign {

/// Text of a report (see Text) as HTML or SVG content: escaped, `$…$` set as mathematics with
/// <i>, <sub> and <sup>, or, in SVG, with <tspan>.
std::string to_html(const std::string& text);
std::string to_svg_text(const std::string& text);
/// The same for a terminal or a CSV file: the signs of mathematics left out.
std::string to_plain(const std::string& text);

/// `value` with so many decimals, a true minus sign, thin spaces between thousands; "–" for nan.
std::string typeset_number(double value, int decimals);

/// "12.3 KiB", "4.0 MiB".
std::string memory_text(double bytes);
/// "1.23 ms", "45.6 µs", "2.34 s".
std::string time_text(double seconds);

}  // namespace softalign
