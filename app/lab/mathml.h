#pragma once

#include <string>

// MathML Core, which browsers set without any script: each function is one element.
namespace softalign::mathml {

inline std::string element(const std::string& name, const std::string& content) {
  return "<" + name + ">" + content + "</" + name + ">";
}
inline std::string i(const std::string& name) { return element("mi", name); }
/// A vector or matrix.
inline std::string b(const std::string& name) {
  return "<mi mathvariant=\"normal\" class=\"bold\">" + name + "</mi>";
}
/// A function's name, upright.
inline std::string f(const std::string& name) {
  return "<mi mathvariant=\"normal\">" + name + "</mi><mo>&#x2061;</mo>";
}
inline std::string n(const std::string& number) { return element("mn", number); }
inline std::string o(const std::string& sign) { return element("mo", sign); }
inline std::string row(const std::string& content) { return element("mrow", content); }
inline std::string sub(const std::string& base, const std::string& below) {
  return element("msub", row(base) + row(below));
}
inline std::string sup(const std::string& base, const std::string& above) {
  return element("msup", row(base) + row(above));
}
inline std::string frac(const std::string& above, const std::string& below) {
  return element("mfrac", row(above) + row(below));
}
inline std::string root(const std::string& content) { return element("msqrt", content); }
inline std::string in_brackets(const std::string& content) {
  return row(o("(") + content + o(")"));
}
/// Σ from below to above.
inline std::string sum(const std::string& below, const std::string& above) {
  return "<munderover>" + o("∑") + row(below) + row(above) + "</munderover>";
}
/// Σ with what runs below it.
inline std::string sum(const std::string& below) {
  return "<munder>" + o("∑") + row(below) + "</munder>";
}
/// Wide space between two formulas on a line.
inline std::string quad() { return "<mspace width=\"2.2em\"/>"; }
inline std::string display(const std::string& content) {
  return "<math xmlns=\"http://www.w3.org/1998/Math/MathML\" display=\"block\">" + content +
         "</math>";
}

}  // namespace softalign::mathml
