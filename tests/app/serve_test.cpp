#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "tests/app/served.h"
#include "tests/support/process.h"
#include "tests/support/temp_dir.h"
#include "tests/support/tiny_model.h"

namespace softalign {
namespace {

using Json = nlohmann::json;
using std::chrono::milliseconds;

constexpr int kBodyLimit = 1 << 20;

std::vector<std::string> toy_sources(size_t count) {
  std::vector<std::string> sources;
  for (const ToyPair& pair : toy_pairs(count, 99)) sources.push_back(pair.source);
  return sources;
}

/// Shared by the tests that leave no trace in it.
Served& served() {
  static Served server({tiny_model().string()});
  return server;
}

/// What the command line says to these lines.
std::vector<std::string> translations_of(const std::vector<std::string>& lines,
                                         const std::vector<std::string>& options = {}) {
  std::string input;
  for (const std::string& line : lines) input += line + "\n";
  std::vector<std::string> arguments{"translate", tiny_model().string()};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const ProcessResult result = run_softalign(arguments, {input, {}, {}});
  std::vector<std::string> outputs;
  std::istringstream stream(result.out);
  for (std::string line; std::getline(stream, line);) outputs.push_back(line);
  return outputs;
}

TEST(Serve, TranslatesLikeTheCommandLine) {
  const std::vector<std::string> sources = toy_sources(8);
  const std::vector<std::string> expected = translations_of(sources);
  for (size_t i = 0; i < sources.size(); ++i) {
    const Json answer = served().ask("/translate", {{"text", sources[i]}});
    EXPECT_EQ(answer["translation"], expected[i]);
    EXPECT_EQ(answer["source"], sources[i]);
    ASSERT_EQ(answer["attention"].size(), answer["target_tokens"].size());
    for (const Json& row : answer["attention"]) {
      ASSERT_EQ(row.size(), answer["source_tokens"].size());
      const auto weights = row.get<std::vector<double>>();
      EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0), 1.0, 1e-4);
    }
  }
  std::vector<std::string> list = sources;
  list.insert(list.begin() + 3, "");
  const Json answers = served().ask("/translate", {{"text", list}})["translations"];
  ASSERT_EQ(answers.size(), list.size());
  EXPECT_EQ(answers[3]["translation"], "");
  EXPECT_EQ(answers[4]["translation"], expected[3]);
}

TEST(Serve, GivesNbestAndPrefix) {
  const std::string source = toy_sources(1).front();
  const Json answer = served().ask(
      "/translate", {{"text", source}, {"beam", 4}, {"nbest", 3}, {"attention", false}});
  ASSERT_EQ(answer["nbest"].size(), 3U);
  EXPECT_EQ(answer["nbest"][0]["translation"], answer["translation"]);
  EXPECT_GE(answer["nbest"][0]["score"], answer["nbest"][1]["score"]);
  EXPECT_FALSE(answer.contains("attention"));
  const Json forced = served().ask("/translate", {{"text", source}, {"prefix", "chien"}});
  EXPECT_EQ(forced["translation"].get<std::string>().rfind("chien", 0), 0U);
}

TEST(Serve, ScoresWhatItTranslates) {
  const std::string source = toy_sources(2).back();
  const Json translated = served().ask("/translate", {{"text", source}, {"beam", 1}});
  const Json request{{"source", source}, {"target", translated["translation"]}};
  const Json scored = served().ask("/score", request);
  EXPECT_NEAR(scored["log_prob"], translated["log_prob"], 1e-3);
  EXPECT_EQ(scored["tokens"], translated["ids"].size());
  const Json attention = served().ask("/attention", request);
  EXPECT_EQ(attention["target_tokens"], translated["target_tokens"]);
  EXPECT_NEAR(attention["attention"][0][0], translated["attention"][0][0], 1e-4);
}

TEST(Serve, WalksStepByStep) {
  const std::string source = toy_sources(3).back();
  const Json translated = served().ask("/translate", {{"text", source}, {"beam", 1}});
  const Json walk = served().ask("/step", {{"source", source}, {"vectors", {0}}});
  EXPECT_EQ(walk["translation"], translated["translation"]);
  EXPECT_TRUE(walk["finished"]);
  ASSERT_EQ(walk["steps"].size(), translated["ids"].size());
  for (size_t t = 0; t < walk["steps"].size(); ++t) {
    const Json& step = walk["steps"][t];
    double sum = 0;
    for (const double e : step["scores"][0]) sum += std::exp(e);
    for (size_t i = 0; i < step["weights"].size(); ++i) {
      EXPECT_NEAR(step["weights"][i], std::exp(step["scores"][0][i].get<double>()) / sum, 1e-4);
      EXPECT_NEAR(step["weights"][i], translated["attention"][t][i], 1e-4);
    }
    EXPECT_EQ(step["next"].size(), 10U);
    EXPECT_EQ(step["next"][0]["id"], step["id"]);
  }
  const Json& first = walk["steps"][0];
  double context = 0;
  for (size_t i = 0; i < first["weights"].size(); ++i)
    context += first["weights"][i].get<double>() * walk["states"][i][0].get<double>();
  EXPECT_NEAR(first["context"][0], context, 1e-4);
}

TEST(Serve, GoesOnFromAnotherToken) {
  const Json walk = served().ask("/step", {{"source", toy_sources(3).back()}});
  const int64_t other = walk["steps"][0]["next"][1]["id"];
  const Json forced =
      served().ask("/step", {{"source", toy_sources(3).back()}, {"prefix_ids", {other}}});
  EXPECT_EQ(forced["steps"][0]["id"], other);
  EXPECT_NE(forced["translation"], walk["translation"]);
}

TEST(Serve, InterventionsChangeTheContext) {
  const std::string source = toy_sources(3).back();
  const Json own = served().ask("/step", {{"source", source}});
  const Json same = served().ask(
      "/step", {{"source", source},
                {"interventions", {{{"step", 0}, {"weights", own["steps"][0]["weights"]}}}}});
  EXPECT_EQ(same["translation"], own["translation"]);
  EXPECT_NEAR(same["steps"][0]["log_prob"], own["steps"][0]["log_prob"], 1e-3);
  std::vector<double> last(own["source_tokens"].size());
  last[last.size() - 2] = 1;
  const Json changed = served().ask(
      "/step", {{"source", source}, {"interventions", {{{"step", 0}, {"weights", last}}}}});
  EXPECT_TRUE(changed["steps"][0]["given_weights"]);
  EXPECT_NE(changed["steps"][0]["log_prob"], own["steps"][0]["log_prob"]);
  const Json uniform = served().ask(
      "/step", {{"source", source}, {"interventions", {{{"step", 0}, {"weights", "uniform"}}}}});
  EXPECT_NEAR(uniform["steps"][0]["weights"][0], 1.0 / static_cast<double>(last.size()), 1e-5);
}

TEST(Serve, ShowsTheBeam) {
  const std::string source = toy_sources(4).back();
  const Json beam = served().ask("/beam", {{"source", source}, {"beam", 3}});
  const Json translated = served().ask("/translate", {{"text", source}, {"beam", 3}});
  EXPECT_EQ(beam["nbest"][0]["translation"], translated["translation"]);
  EXPECT_GT(beam["nodes"].size(), 6U);
}

TEST(Serve, FindsNeighboursOfTheTraining) {
  const std::string source = toy_pairs(300)[5].source;  // a training sentence
  const Json answer =
      served().ask("/neighbours", {{"source", source}, {"kind", "encoder"}, {"position", 0}});
  ASSERT_GT(answer["neighbours"].size(), 3U);
  double before = 1.01;
  for (const Json& neighbour : answer["neighbours"]) {
    EXPECT_LE(neighbour["similarity"], before);
    before = neighbour["similarity"];
    EXPECT_LT(neighbour["position"], neighbour["source_tokens"].size());
  }
  EXPECT_EQ(answer["path"].size(), answer["source_tokens"].size());
  EXPECT_FALSE(answer["cloud"].empty());
}

TEST(Serve, TellsOfModelAndHealth) {
  const Json model = served().get("/model");
  EXPECT_EQ(model["models"].size(), 1U);
  EXPECT_GT(model["models"][0]["parameters"], 1000);
  EXPECT_FALSE(model["models"][0]["training"]["validations"].empty());
  EXPECT_EQ(served().get("/health")["status"], "ok");
}

TEST(Serve, DescribesEveryPathOfItsApi) {
  const Json api = served().get("/openapi.json");
  EXPECT_EQ(api["openapi"].get<std::string>().rfind("3.0", 0), 0U);
  for (const auto& [path, operations] : api["paths"].items()) {
    for (const auto& [method, operation] : operations.items()) {
      if (method == "get") {
        EXPECT_EQ(served().client().Get(path)->status, 200) << path;
        continue;
      }
      const Json& content = operation["requestBody"]["content"]["application/json"];
      Json example = content["example"];
      const auto answer = served().post(path, example.dump());
      EXPECT_EQ(answer->status, 200) << path << answer->body;
      // Every field that is described is understood, and no other.
      example["nonsense"] = 1;
      const std::string message =
          Json::parse(served().post(path, example.dump())->body)["error"]["message"];
      for (const auto& [field, schema] : content["schema"]["properties"].items())
        EXPECT_NE(message.find(field), std::string::npos) << path << " " << field;
    }
  }
}

TEST(ServeMistakes, S37_GetAnAnswerOfTheRightKind) {
  struct Case {
    std::string path, body;
    int status;
  };
  const std::string nested(100000, '[');
  for (const Case& wrong : std::vector<Case>{
           {"/translate", "not JSON", 400},
           {"/translate", "[]", 400},
           {"/translate", "null", 400},
           {"/translate", "", 400},
           {"/translate", "{}", 400},
           {"/translate", R"({"text": 5})", 400},
           {"/translate", R"({"text": [1]})", 400},
           {"/translate", R"({"text": "a", "beam": 0})", 400},
           {"/translate", R"({"text": "a", "beam": 100000})", 400},
           {"/translate", R"({"text": "a", "beam": 2.5})", 400},
           {"/translate", R"({"text": "a", "beam": 18446744073709551615})", 400},
           {"/translate", R"({"text": "a", "beam": 2, "nbest": 3})", 400},
           {"/translate", R"({"text": "a", "max_length": 1000000})", 400},
           {"/translate", R"({"text": "a", "length_penalty": -1})", 400},
           {"/translate", R"({"text": "a", "unknown": 1})", 400},
           {"/translate", R"({"text": "a", "model": 1})", 400},
           {"/translate", nested, 400},
           {"/score", R"({"source": ["a", "b"], "target": ["a"]})", 400},
           {"/score", R"({"source": "a"})", 400},
           {"/attention", R"({"source": "a", "target": []})", 400},
           {"/step", R"({"source": "a", "prefix_ids": [-1]})", 400},
           {"/step", R"({"source": "a", "prefix_ids": [999999]})", 400},
           {"/step", R"({"source": "a", "prefix_ids": ["x"]})", 400},
           {"/step", R"({"source": "a", "interventions": [{"step": 0, "weights": [1]}]})", 400},
           {"/step", R"({"source": "a", "interventions": [{"step": 0}]})", 400},
           {"/step", R"({"source": "a", "interventions": [{"step": 0, "weights": "odd"}]})", 400},
           {"/beam", R"({"source": "a", "beam": 21})", 400},
           {"/neighbours", R"({"source": "a", "kind": "odd"})", 400},
           {"/neighbours", R"({"source": "a", "position": 400})", 400},
           {"/nothing", "{}", 404},
           {"/../etc/passwd", "{}", 404}}) {
    const auto answer = served().post(wrong.path, wrong.body);
    ASSERT_TRUE(answer) << wrong.path << wrong.body.substr(0, 60);
    EXPECT_EQ(answer->status, wrong.status) << wrong.body.substr(0, 60) << answer->body;
    const Json error = Json::parse(answer->body)["error"];
    EXPECT_EQ(error["status"], wrong.status);
    EXPECT_GT(error["message"].get<std::string>().size(), 10U);
  }
  const std::string list = Json{{"text", std::vector<std::string>(101, "a")}}.dump();
  EXPECT_EQ(served().post("/translate", list)->status, 400);
  const auto get = served().client().Get("/translate");
  EXPECT_EQ(get->status, 405);
  EXPECT_EQ(get->get_header_value("Allow"), "POST");
  EXPECT_EQ(served().client().Delete("/model")->status, 405);
  EXPECT_EQ(served().client().Post("/translate", R"({"text":"a"})", "text/plain")->status, 415);
  EXPECT_EQ(served().client().Head("/")->status, 200);
  // And the server still answers rightly.
  EXPECT_EQ(served().ask("/translate", {{"text", toy_sources(1)[0]}})["translation"],
            translations_of({toy_sources(1)[0]})[0]);
}

TEST(ServeMistakes, S37_TextIsTextWhateverIsInIt) {
  const auto answer = served().post("/translate", R"({"text": "red\u0000dog </s> <script>"})");
  ASSERT_EQ(answer->status, 200);
  EXPECT_TRUE(Json::accept(answer->body));
  EXPECT_EQ(served().post("/translate", "{\"text\": \"\xff\xfe\"}")->status, 400);  // not UTF-8
}

TEST(ServeLimits, S37_LargeBodiesAreRefused) {
  httplib::Client client = served().client();
  const std::string large(100 << 20, 'x');
  const auto answer = client.Post("/translate", large, "application/json");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 413);
  const std::string fitting =
      Json{{"text", "dog"}, {"prefix", ""}}.dump() + std::string(kBodyLimit - 100, ' ');
  EXPECT_EQ(served().post("/translate", fitting)->status, 200);
  const auto chunked = client.Post(
      "/translate",
      [](size_t, httplib::DataSink& sink) {
        sink.done();
        return true;
      },
      "application/json");
  ASSERT_TRUE(chunked);
  EXPECT_EQ(chunked->status, 411);
}

TEST(ServeLimits, LongTextsAreCutAndSaidToBe) {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "dog ";
  const Json answer = served().ask("/translate", {{"text", text}, {"beam", 1}});
  EXPECT_TRUE(answer["source_cut"]);
  EXPECT_EQ(answer["source_tokens"].size(), 251U);
  EXPECT_LE(answer["ids"].size(), 500U);
}

TEST(ServeOrigin, OnlyOurOwnPageMayAsk) {
  httplib::Client client = served().client();
  const std::string own = "127.0.0.1:" + std::to_string(served().port());
  const auto status = [&](const httplib::Headers& headers) {
    return client.Post("/translate", headers, R"({"text":"dog"})", "application/json")->status;
  };
  EXPECT_EQ(status({{"Host", own}}), 200);
  EXPECT_EQ(status({{"Host", own}, {"Origin", "http://" + own}}), 200);
  EXPECT_EQ(status({{"Host", "localhost:1"}, {"Origin", "http://localhost:1"}}), 200);
  EXPECT_EQ(status({{"Host", own}, {"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(status({{"Host", own}, {"Origin", "null"}}), 403);
  EXPECT_EQ(status({{"Host", own}, {"Origin", "http://127.0.0.1:1"}}), 403);
  EXPECT_EQ(status({{"Host", "evil.example"}}), 403);
  EXPECT_EQ(status({{"Host", "evil.example"}, {"Origin", "http://evil.example"}}), 403);
  EXPECT_EQ(client.Get("/model", {{"Host", "rebound.example"}})->status, 403);
  const auto answer = client.Get("/model", {{"Host", own}, {"Origin", "http://" + own}});
  EXPECT_EQ(answer->status, 200);
  EXPECT_FALSE(answer->has_header("Access-Control-Allow-Origin"));
}

TEST(ServePage, HasAStrictPolicyAndNothingInline) {
  const auto page = served().client().Get("/");
  ASSERT_EQ(page->status, 200);
  const std::string policy = page->get_header_value("Content-Security-Policy");
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("unsafe"), std::string::npos);
  EXPECT_EQ(page->get_header_value("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(page->body.find("style="), std::string::npos);
  EXPECT_EQ(page->body.find(" onclick"), std::string::npos);
  EXPECT_EQ(page->body.find("<script>"), std::string::npos);
  EXPECT_EQ(page->body.find("http"), std::string::npos);  // no address but our own
  for (const char* path : {"/main.js", "/style.css", "/icon.svg"})
    EXPECT_EQ(served().client().Get(path)->status, 200) << path;
}

TEST(ServeLoad, S38_FiftyClientsGetEachTheirOwnAnswer) {
  const std::vector<std::string> sources = toy_sources(50);
  const std::vector<std::string> expected = translations_of(sources);
  std::vector<std::string> answers(sources.size());
  std::vector<std::thread> clients;
  for (size_t i = 0; i < sources.size(); ++i)
    clients.emplace_back([&, i] {
      // Different beams don't share batches.
      const Json request{{"text", sources[i]}, {"beam", i % 3 == 0 ? 1 : 4}};
      if (const auto answer = served().post("/translate", request.dump()))
        answers[i] = Json::parse(answer->body).value("translation", answer->body);
    });
  for (std::thread& client : clients) client.join();
  const std::vector<std::string> greedy = translations_of(sources, {"--beam", "1"});
  const std::vector<std::string> wide = translations_of(sources, {"--beam", "4"});
  for (size_t i = 0; i < sources.size(); ++i)
    EXPECT_EQ(answers[i], i % 3 == 0 ? greedy[i] : wide[i]) << sources[i];
}

TEST(ServeLoad, S38_SlowAndVanishingClientsHurtNobody) {
  const std::string head =
      "POST /translate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: "
      "application/json\r\nContent-Length: 15\r\n\r\n";
  const std::string whole = head + R"({"text": "dog"})";
  std::vector<int> slow;
  for (int i = 0; i < 20; ++i) slow.push_back(served().connect());
  for (int round = 0; round < 5; ++round) {
    for (const int socket : slow) {
      const ssize_t sent = send(socket, &whole[static_cast<size_t>(round)], 1, MSG_NOSIGNAL);
      EXPECT_EQ(sent, 1);
    }
    const int vanishing = served().connect();  // leaves before the answer
    EXPECT_GT(send(vanishing, whole.data(), whole.size(), MSG_NOSIGNAL), 0);
    close(vanishing);
    const int half = served().connect();  // leaves in mid-request
    EXPECT_GT(send(half, whole.data(), whole.size() / 2, MSG_NOSIGNAL), 0);
    close(half);
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(served().get("/health")["status"], "ok");
    EXPECT_EQ(served().post("/translate", R"({"text":"dog"})")->status, 200);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  }
  for (const int socket : slow) close(socket);
}

TEST(ServeLoad, AClientThatNeverFinishesIsLetGo) {
  const int socket = served().connect();
  EXPECT_GT(send(socket, "POST /translate HTTP/1.1\r\n", 26, MSG_NOSIGNAL), 0);
  timeval patience{20, 0};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const auto start = std::chrono::steady_clock::now();
  char bytes[4096];
  while (recv(socket, bytes, sizeof bytes, 0) > 0) {
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
  close(socket);
}

TEST(ServeEnd, SignalsEndItGracefully) {
  for (const int number : {SIGINT, SIGTERM}) {
    Served server({tiny_model().string()});
    EXPECT_EQ(server.get("/health")["status"], "ok");
    const auto start = std::chrono::steady_clock::now();
    server.process().signal(number);
    const ProcessResult result = server.process().finish();
    EXPECT_EQ(result.exit_code, 128 + number);
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  }
}

TEST(ServeStart, AUsedPortIsSaidInOneLine) {
  const ProcessResult result =
      run_softalign({"serve", tiny_model().string(), "--port", std::to_string(served().port())});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("in use"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("--port"), std::string::npos);
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1);
}

TEST(ServeStart, WrongArgumentsAreRefused) {
  for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
           {"serve"},
           {"serve", "/nowhere"},
           {"serve", tiny_model().string(), "--port", "70000"},
           {"serve", tiny_model().string(), "--threads", "0"},
           {"serve", tiny_model().string(), "--host", "not a host"},
           {"serve", "a", "b", "c"}}) {
    const ProcessResult result = run_softalign(wrong);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_NE(result.err, "");
  }
}

TEST(Serve, ComparesTwoModels) {
  Served server({tiny_model().string(), tiny_model().string()});
  EXPECT_EQ(server.get("/model")["models"].size(), 2U);
  const std::string source = toy_sources(1).front();
  EXPECT_EQ(server.ask("/step", {{"source", source}, {"model", 1}})["translation"],
            server.ask("/step", {{"source", source}})["translation"]);
}

}  // namespace
}  // namespace softalign
