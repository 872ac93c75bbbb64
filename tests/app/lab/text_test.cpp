#include "app/lab/text.h"

#include <gtest/gtest.h>

#include <cmath>

namespace softalign {
namespace {

TEST(LabText, SetsMathematicsInItalics) {
  EXPECT_EQ(to_html("the width $d$ is"), "the width <i>d</i> is");
  EXPECT_EQ(to_html("$n^2$"), "<i>n</i><sup>2</sup>");
  EXPECT_EQ(to_html("$e_{ti}$"), "<i>e</i><sub><i>ti</i></sub>");
  EXPECT_EQ(to_html("$Var(s·h/√d)$"), "Var(<i>s</i>·<i>h</i>/√<i>d</i>)");  // a word stands upright
  EXPECT_EQ(to_html("$10^{−3}$"), "10<sup>−3</sup>");
}

TEST(LabText, EscapesWhatIsntMarkup) {
  EXPECT_EQ(to_html("a < b & $x<y$"), "a &lt; b &amp; <i>x</i>&lt;<i>y</i>");
}

TEST(LabText, IsPlainForTerminals) {
  EXPECT_EQ(to_plain("$Var(s·h)$ of $n^2$, $e_{ti}$"), "Var(s·h) of n^2, e_ti");
}

TEST(LabText, SetsNumbers) {
  EXPECT_EQ(typeset_number(3.14159, 2), "3.14");
  EXPECT_EQ(typeset_number(-2, 1), "−2.0");
  EXPECT_EQ(typeset_number(-0.0001, 2), "0.00");  // no minus before nothing
  EXPECT_EQ(typeset_number(1234, 0), "1234");
  EXPECT_EQ(typeset_number(1234567.5, 1), "1\u2009234\u2009567.5");
  EXPECT_EQ(typeset_number(std::nan(""), 2), "–");
}

TEST(LabText, NamesUnits) {
  EXPECT_EQ(memory_text(512), "512 B");
  EXPECT_EQ(memory_text(1536), "1.5 KiB");
  EXPECT_EQ(memory_text(200.0 * 1048576), "200 MiB");
  EXPECT_EQ(time_text(0.0000123), "12.3 µs");
  EXPECT_EQ(time_text(0.1234), "123 ms");
  EXPECT_EQ(time_text(2), "2.00 s");
}

}  // namespace
}  // namespace softalign
