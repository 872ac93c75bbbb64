"""The invariants of the corpus; `run` prints what is violated."""

import os
import re
from collections import Counter

from splits import detokenise

PARTS = {
    "train": (["zh", "en", "align", "words.zh", "words.en"], None),
    "valid": (["zh", "en"], 500),
    "test": (["zh", "en", "align", "words.zh", "words.en"], 500),
    "test-new": (["zh", "en", "align", "words.zh", "words.en"], 300),
    "test-hand": (["zh", "en"], None),
}
MINIMUM_HAND = 150
MINIMUM_OCCURRENCES = 15
MAXIMUM_BYTES = 8 * 1024 * 1024
LINK = re.compile(r"^(\d+)([-?])(\d+)$")
FINAL = {"。": ".", "？": "?", "！": "!"}


def _finals_agree(zh, en):
    return FINAL.get(zh[-1]) == en[-1]


def _line_errors(zh, en):
    if not zh or not en:
        yield "empty side"
        return
    if "  " in en or en != en.strip():
        yield "stray spaces"
    if "  " in zh or zh != zh.strip():
        yield "stray spaces in the Chinese"
    if re.search(r" [,.?!]", en):
        yield "space before punctuation"


def _grammar_line_errors(zh, en):
    if " " in zh:
        yield "space in the Chinese"
    if not _finals_agree(zh, en):
        yield "final marks differ"
    if not en[0].isupper():
        yield "no capital"
    if re.search(r"[,.?!][A-Za-z]", en) or re.search(r"[\[\]{}^*_]|POSS|SELF", en + zh):
        yield "unfinished text"
    if re.search(r"(^|\s)[Aa] (?=[aeio])", en) or re.search(r"(^|\s)[Aa]n (?=[^aeiouAEIOU])(?!hour)", en):
        yield "a/an"
    if re.search(r"\b(\w+) \1\b", en) and not re.search(r"\b(more) and \1|that that|\bher her\b", en):
        yield "doubled word"


def _alignment_errors(align, zh_words, en_words):
    zh_count, en_count = len(zh_words.split(" ")), len(en_words.split(" "))
    seen = set()
    for link in align.split(" "):
        match = LINK.match(link)
        if not match:
            yield "malformed link %r" % link
            continue
        i, j = int(match.group(1)), int(match.group(3))
        if i >= zh_count or j >= en_count:
            yield "link %s out of range" % link
        if (i, j) in seen:
            yield "link %s twice" % link
        seen.add((i, j))
    if "-" not in align:
        yield "no sure link"


def run(files, read, folder, collection):
    errors = []

    def check(condition, message):
        if not condition and len(errors) < 40:
            errors.append(message)

    lines = {}
    for name in files:
        try:
            lines[name] = read(name)
        except OSError:
            check(False, "%s is missing" % name)
            lines[name] = []
        check(lines[name] == files[name], "%s differs from what the generator writes" % name)

    for part, (sides, count) in PARTS.items():
        sizes = {len(lines["%s.%s" % (part, side)]) for side in sides}
        check(len(sizes) == 1, "%s: sides have different line counts %s" % (part, sorted(sizes)))
        if count is not None:
            check(sizes == {count}, "%s: %s lines instead of %d" % (part, sorted(sizes), count))
        pairs = list(zip(lines[part + ".zh"], lines[part + ".en"]))
        check(len(pairs) == len(set(pairs)), "%s: a pair occurs twice" % part)
        for number, (zh, en) in enumerate(pairs, 1):
            for error in _line_errors(zh, en):
                check(False, "%s:%d: %s: %s | %s" % (part, number, error, zh, en))
        if "align" not in sides:
            continue
        rows = zip(pairs, lines[part + ".align"], lines[part + ".words.zh"], lines[part + ".words.en"])
        for number, ((zh, en), align, zh_words, en_words) in enumerate(rows, 1):
            if not align:
                check(part == "train" and not zh_words and not en_words, "%s:%d: no alignment" % (part, number))
                continue
            where = "%s:%d: " % (part, number)
            check(zh_words.replace(" ", "") == zh, where + "words.zh does not join back")
            check(detokenise(en_words.split(" ")) == en, where + "words.en does not join back")
            for error in _alignment_errors(align, zh_words, en_words):
                check(False, where + error)
            for error in _grammar_line_errors(zh, en):
                check(False, where + error + ": %s | %s" % (zh, en))
    check(19000 <= len(lines["train.zh"]) <= 22000, "train has %d lines" % len(lines["train.zh"]))
    check(len(lines["test-hand.zh"]) >= MINIMUM_HAND, "test-hand has only %d lines" % len(lines["test-hand.zh"]))

    for side in ("zh", "en"):
        train = set(lines["train." + side])
        for part in ("valid", "test", "test-new", "test-hand"):
            for number, line in enumerate(lines["%s.%s" % (part, side)], 1):
                check(line not in train, "%s.%s:%d also occurs in train: %s" % (part, side, number, line))

    renderings = {}
    for sentence in collection.sentences:
        check(renderings.setdefault(sentence.zh, sentence.en) == sentence.en, "two renderings of " + sentence.zh)
    for part in ("train", "valid", "test", "test-new"):
        for zh, en in zip(lines[part + ".zh"], lines[part + ".en"]):
            check(renderings.setdefault(zh, en) == en, "two renderings of %s: %s | %s" % (zh, renderings[zh], en))

    counts = Counter(word for line in lines["train.words.zh"] for word in line.split())
    english = {word for line in lines["train.words.en"] for word in line.split()}
    english |= {word.lower() for word in english}
    for line in lines["test-new.words.zh"]:
        for word in line.split():
            check(counts[word] > 0, "test-new has a word unknown to train: " + word)
    for line in lines["test-new.words.en"]:
        for word in line.split():
            check(word in english or word.lower() in english, "test-new has a word unknown to train: " + word)
    rare = ["%s (%d)" % item for item in sorted(counts.items()) if item[1] < MINIMUM_OCCURRENCES]
    check(not rare, "too many rare words in train: " + ", ".join(rare))

    total = sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))
    check(total <= MAXIMUM_BYTES, "the folder has %d bytes" % total)

    for error in errors:
        print("error:", error)
    print("%s: %d files, %d bytes, %d Chinese words" % ("failed" if errors else "ok", len(files), total, len(counts)))
    return 1 if errors else 0
