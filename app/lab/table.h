#pragma once

#include <string>

#include "app/lab/report.h"

namespace softalign {

/// Comma-separated with a header of keys (RFC 4180, "\n"); numbers with six significant digits, nan
/// as nothing. A key of measured times ends in "_measured".
std::string to_csv(const Table& table);

/// For people at a terminal: columns line up for wide (CJK) characters too.
std::string to_terminal(const Table& table, Language language);

/// <table> with a caption.
std::string to_html(const Table& table, Language language);

}  // namespace softalign
