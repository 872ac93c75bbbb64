#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "tests/app/browser/browser.h"
#include "tests/app/served.h"
#include "tests/app/well_formed.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

using Json = nlohmann::json;

constexpr const char* kPictureIsThere = "document.querySelector('.grid-cell')";

Served& served() {
  static Served server({tiny_model().string(), tiny_model().string()});
  return server;
}

/// A browser on the page, after its first translation. Skips where there is no browser.
class Explorer : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_browser(); !reason.empty()) GTEST_SKIP() << reason;
  }

  Browser& open(const BrowserOptions& options = {}, const std::string& text = "the red dog sees") {
    browser_.emplace(options);
    browser_->open(served().address() + "/?text=" + encoded(text));
    EXPECT_TRUE(browser_->wait_for(kPictureIsThere));
    return *browser_;
  }

  void TearDown() override {
    if (!browser_) return;
    // No request leaves the machine, and nothing hurts the security policy.
    for (const std::string& address : browser_->requested_addresses())
      EXPECT_EQ(address.rfind(served().address() + "/", 0), 0U) << address;
    for (const std::string& error : browser_->console_errors()) ADD_FAILURE() << error;
  }

  static std::string encoded(const std::string& text) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    std::string result;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      result += '%';
      result += kDigits[byte / 16];
      result += kDigits[byte % 16];
    }
    return result;
  }

  std::optional<Browser> browser_;
};

/// A sentence of the toy language, longer than the others.
std::string source() {
  for (const ToyPair& pair : toy_pairs(200, 5))
    if (std::count(pair.source.begin(), pair.source.end(), ' ') >= 4) return pair.source;
  return "";
}

std::string target_text() { return "document.querySelector('#target').textContent"; }

TEST_F(Explorer, TranslatesWhatIsTyped) {
  Browser& page = open();
  const std::string expected = served().ask("/translate", {{"text", source()}})["translation"];
  page.type("#source", source());
  EXPECT_TRUE(page.wait_for(target_text() + " === " + Json(expected).dump()))
      << page.value(target_text());
  EXPECT_GE(page.value("document.querySelectorAll('#nbest button').length"), 2);
}

TEST_F(Explorer, DrawsItsAnswerSoon) {
  Browser& page = open({}, source());
  page.value("performance.clearMarks('translated')");
  // Ten words, asked for and drawn; the best of three, as other tests run beside this one.
  const std::string ten = source() + " " + source();
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    page.value("performance.clearMarks('translated')");
    page.value(
        "(() => { const box = document.querySelector('#source'); box.value = " + Json(ten).dump() +
        "; performance.mark('typed'); box.dispatchEvent(new Event('input')); return 1; })()");
    ASSERT_TRUE(page.wait_for("performance.getEntriesByName('translated').length"));
    const double taken = page.value(
        "performance.getEntriesByName('translated').at(-1).startTime - "
        "performance.getEntriesByName('typed').at(-1).startTime");
    constexpr double kTypingPause = 140;
    best = std::min(best, taken - kTypingPause);
  }
  RecordProperty("milliseconds", std::to_string(best));
  std::cout << "answer drawn after " << best << " ms\n";
  EXPECT_LT(best, 1000);  // 100 on an idle machine; a loaded one must not fail
}

TEST_F(Explorer, HoverShowsTheWeightOfTheJson) {
  Browser& page = open({}, source());
  const Json answer = served().ask("/translate", {{"text", source()}});
  page.hover("[data-row='1'][data-column='1']");
  const double weight = answer["attention"][1][1];
  EXPECT_NEAR(std::stod(page.value("document.querySelector(\"[data-row='1'][data-column='1']\")"
                                   ".dataset.weight")
                            .get<std::string>()),
              weight, 1e-4);
  const std::string shown = page.value("document.querySelector('#readout .share').textContent");
  EXPECT_NEAR(std::stod(shown), 100 * weight, 0.51) << shown;
  // Both words light up.
  EXPECT_EQ(page.value("document.querySelectorAll('.grid-svg text.on').length"), 2);
}

TEST_F(Explorer, AnotherTokenChangesWhatFollows) {
  Browser& page = open({}, source());
  const std::string before = page.value(target_text());
  page.click(".next button:nth-child(2)");
  EXPECT_TRUE(page.wait_for("!document.querySelector('#notice').hidden"));
  EXPECT_TRUE(page.wait_for(target_text() + " !== " + Json(before).dump()));
  page.click("#undo");
  EXPECT_TRUE(page.wait_for(target_text() + " === " + Json(before).dump()));
}

TEST_F(Explorer, DraggingABarGivesTheStepOtherWeights) {
  Browser& page = open({}, source());
  page.drag_to("[data-source='3'].track", 0.95);
  ASSERT_TRUE(page.wait_for("document.querySelector('.track.given')"));
  const double held = std::stod(
      page.value(
              "document.querySelector(\"[data-source='3'].track\").getAttribute('aria-valuenow')")
          .get<std::string>());
  EXPECT_NEAR(held, 95, 3);
  EXPECT_TRUE(page.wait_for("!document.querySelector('#notice').hidden"));
  page.click("#show-compare");
  EXPECT_TRUE(page.wait_for("document.querySelectorAll('.compare .grid-svg').length === 2"));
}

TEST_F(Explorer, OwnTranslationGetsItsWeights) {
  Browser& page = open({}, source());
  page.click("#write");
  page.type("#own-target", "chien rouge");
  const Json expected =
      served().ask("/attention", {{"source", source()}, {"target", "chien rouge"}});
  const size_t rows = expected["target_tokens"].size();
  EXPECT_TRUE(page.wait_for("document.querySelectorAll(\"[data-column='0']\").length === " +
                            std::to_string(rows)));
  const std::string weight =
      page.value("document.querySelector(\"[data-row='0'][data-column='0']\").dataset.weight");
  EXPECT_NEAR(std::stod(weight), expected["attention"][0][0], 1e-4);
}

TEST_F(Explorer, ReplacesASourceWordAndComparesBoth) {
  Browser& page = open({}, source());
  const std::string before = page.value(target_text());
  page.click(".grid-svg text.pick");  // the first source word
  ASSERT_TRUE(page.wait_for("document.querySelector('#replace').open"));
  page.type("#replacement", "dog");
  page.press(kEnter);
  EXPECT_TRUE(page.wait_for("document.querySelector('#source').value.startsWith('dog')"));
  ASSERT_TRUE(page.wait_for("document.querySelector('#show-compare')"));
  page.click("#show-compare");
  EXPECT_TRUE(page.wait_for("document.querySelectorAll('.compare .grid-svg').length === 2"));
  EXPECT_NE(page.value(target_text()), before);
}

TEST_F(Explorer, EveryViewDraws) {
  Browser& page = open({}, source());
  page.click("#tab-ribbons");
  EXPECT_TRUE(page.wait_for("document.querySelector('.ribbon')"));
  page.click("#tab-beam");
  EXPECT_TRUE(page.wait_for("document.querySelectorAll('.tree-node').length > 4"));
  const auto nodes = page.value("document.querySelectorAll('.tree-node').length").get<int>();
  page.click("#dropped");
  EXPECT_TRUE(
      page.wait_for("document.querySelectorAll('.tree-node').length > " + std::to_string(nodes)));
  page.click("#tab-neighbours");
  EXPECT_TRUE(page.wait_for("document.querySelectorAll('.neighbour mark').length > 3"));
  EXPECT_TRUE(page.value("document.querySelectorAll('.path-dot').length > 2"));
  page.click("#tab-compare");
  EXPECT_TRUE(page.wait_for("document.querySelectorAll('.compare .grid-svg').length === 2"));
  page.click("#tab-card");
  EXPECT_TRUE(page.wait_for("document.querySelectorAll('.chart-line').length > 3"));
}

TEST_F(Explorer, SavesWhatItShows) {
  Browser& page = open({}, source());
  const auto saved = [&](const std::string& name) {
    page.click("[data-export=" + name + "]");
    const auto file = page.downloads() / ("attention." + name);
    for (int k = 0; k < 300 && !std::filesystem::exists(file); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return std::filesystem::exists(file) ? read_text(file) : std::string();
  };
  EXPECT_EQ(xml_fault(saved("svg")), "");
  EXPECT_EQ(saved("png").substr(0, 4), "\x89PNG");
  const Json json = Json::parse(saved("json"));
  EXPECT_EQ(json["source"], source());
  EXPECT_EQ(json["attention"].size(), json["target_tokens"].size());
  const std::string tsv = saved("tsv");
  EXPECT_EQ(tsv.rfind("sentence\tstep\ttarget_token", 0), 0U);
  EXPECT_EQ(static_cast<size_t>(std::count(tsv.begin(), tsv.end(), '\n')),
            1 + json["target_tokens"].size() * json["source_tokens"].size());
}

TEST_F(Explorer, S39_MarkupStaysText) {
  const std::string markup =
      "<script>window.broken=1</script> & \"x\" 'y' <img src=x onerror=alert(1)>";
  Browser& page = open({}, markup);
  EXPECT_EQ(page.value("document.querySelector('#source').value"), markup);
  for (const char* view : {"#tab-ribbons", "#tab-beam", "#tab-neighbours", "#tab-compare"}) {
    page.click(view);
    page.wait_for("document.querySelector('#picture').childNodes.length");
  }
  EXPECT_TRUE(page.value("window.broken === undefined"));
  EXPECT_EQ(page.value("document.querySelectorAll('main script, main img').length"), 0);
}

TEST_F(Explorer, SpeaksTheBrowsersLanguage) {
  BrowserOptions chinese;
  chinese.language = "zh-CN";
  Browser& page = open(chinese, source());
  EXPECT_EQ(page.value("document.documentElement.lang"), "zh-Hans");
  EXPECT_EQ(page.value("document.querySelector('#tab-heatmap').textContent"), "热力图");
  EXPECT_EQ(page.value("import('/words.js').then((words) => words.languagesAreComplete())"), true);
  page.click("#language");
  EXPECT_EQ(page.value("document.querySelector('#tab-heatmap').textContent"), "Heat map");
}

TEST_F(Explorer, WorksWithTheKeyboardAlone) {
  Browser& page = open({}, source());
  page.value("document.querySelector('#tab-heatmap').focus()");
  bool reached = false;
  for (int k = 0; k < 20 && !reached; ++k) {
    page.press(kTab);
    reached = page.value("document.activeElement.classList.contains('grid-svg')");
  }
  ASSERT_TRUE(reached);
  page.press(kArrowDown);
  page.press(kArrowDown);
  page.press(kArrowRight);
  EXPECT_TRUE(page.value("document.querySelector('#readout .share') !== null"));
  page.press(kEnter);
  EXPECT_TRUE(
      page.wait_for("document.querySelector('[aria-current=step]') === "
                    "document.querySelectorAll('.words-line button')[1]"));
  reached = false;
  for (int k = 0; k < 40 && !reached; ++k) {
    page.press(kTab);
    reached = page.value("document.activeElement.classList.contains('track')");
  }
  ASSERT_TRUE(reached);
  page.press(kArrowRight);
  EXPECT_TRUE(page.wait_for("document.querySelector('.track.given')"));
  // The focus stays on the bar that was moved.
  EXPECT_TRUE(page.value("document.activeElement.classList.contains('track')"));
}

TEST_F(Explorer, FitsANarrowScreen) {
  BrowserOptions phone;
  phone.width = 390;
  phone.height = 844;
  Browser& page = open(phone, source());
  for (const char* view : {"#tab-heatmap", "#tab-ribbons", "#tab-beam", "#tab-card"}) {
    page.click(view);
    page.wait_for("document.querySelector('#picture').childNodes.length");
    EXPECT_LE(page.value("document.documentElement.scrollWidth"), 390) << view;
  }
}

TEST_F(Explorer, ShowsTheSumsOfTheOpenStep) {
  Browser& page = open({}, source());
  page.click(".sum-by-hand summary");
  ASSERT_TRUE(page.wait_for("document.querySelectorAll('.formula .numbers').length > 2"));
  // The table's own numbers: exp divided by their sum is the share.
  EXPECT_TRUE(page.value(
      "[...document.querySelectorAll('.hand tbody tr')].every((row) => Math.abs(Number("
      "row.cells[2].textContent) / Number(document.querySelector('.hand tfoot').rows[0].cells[2]"
      ".textContent) - Number(row.cells[3].textContent)) < 0.0005)"));
}

TEST_F(Explorer, ReportNeedsNoServer) {
  browser_.emplace();
  browser_->open("file://" + (tiny_model() / "report.html").string());
  EXPECT_TRUE(browser_->wait_for("document.querySelectorAll('.chart-line').length > 3"));
  EXPECT_TRUE(browser_->wait_for("document.querySelectorAll('.samples .grid-svg').length > 0"));
  for (const std::string& address : browser_->requested_addresses())
    EXPECT_EQ(address.rfind("file://", 0), 0U) << address;
  for (const std::string& error : browser_->console_errors()) ADD_FAILURE() << error;
  browser_.reset();
}

}  // namespace
}  // namespace softalign
