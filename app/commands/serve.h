#pragma once

namespace CLI {
class App;
}

namespace softalign {

/// The attention explorer: a page and a JSON API over one model, or two to compare.
void add_serve(CLI::App& app);

}  // namespace softalign
