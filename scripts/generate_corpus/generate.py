#!/usr/bin/env python3
"""Writes the embedded Chinese-English corpus, or checks it (--check).

    python3 scripts/generate_corpus/generate.py
    python3 scripts/generate_corpus/generate.py --check
"""

import argparse
import os
import re
import sys
from collections import Counter

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import descriptions  # noqa: E402
import discourse  # noqa: E402
import sentences  # noqa: E402
import situations  # noqa: E402
from grammar import Grammar  # noqa: E402
from splits import Collection, divide, finish, shuffled  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.path.normpath(os.path.join(HERE, "..", "..", "data", "zh-en"))
HAND_WRITTEN = os.path.join(HERE, "hand_written.tsv")

SEED = 20150401
GRAMMAR_LINES = 16500
VALID, TEST, TEST_NEW = 500, 500, 300
HAND_TEST_EVERY = 8
MINIMUM_OCCURRENCES = 15
MAXIMUM_FILLING = 220000

FAMILIES = [
    (8, sentences.statement), (2, sentences.question_ma), (1.1, sentences.question_anota), (0.8, sentences.question_meiyou),
    (2, sentences.question_what), (1.3, sentences.question_who), (2.6, sentences.question_wh_adjunct), (3, sentences.companions),
    (3.5, sentences.imperative), (4.5, sentences.report), (2, sentences.embedded_question), (2.2, sentences.causative),
    (1, sentences.never), (0.4, sentences.never_does), (1, sentences.just_did), (1.5, sentences.shi_de), (2, sentences.passive),
    (3.5, sentences.disposal),
    (3.5, descriptions.quality), (0.8, descriptions.becoming), (3.5, descriptions.comparison), (1.2, descriptions.superlative),
    (3, descriptions.existence), (2.5, descriptions.position), (2.5, descriptions.weather), (2, descriptions.price),
    (2.2, descriptions.clock_and_date), (0.8, descriptions.age), (2, descriptions.duration), (2, descriptions.manner),
    (2.5, descriptions.ability), (2.5, descriptions.identity), (2, descriptions.possession), (2, descriptions.liking),
    (1, descriptions.distance),
] + discourse.FAMILIES + situations.FAMILIES

NAME_OF = {family: family.__name__ for _, family in FAMILIES}


def grammar_sentences():
    """Everything the grammar contributes, in a fixed order."""
    g = Grammar(SEED)
    sentences.prepare(g)
    collection = Collection()

    def made_by(family):
        g.restart()
        made = family(g)
        return made if made and all(made) else None

    known = 0
    fresh = 0
    while known < GRAMMAR_LINES + VALID + TEST:
        family = g.weighted(FAMILIES)
        made = made_by(family)
        if made is None or (g.held_out() and fresh >= 4 * TEST_NEW):
            continue
        if len(made[0].en) < 7 and g.chance(0.5):
            continue
        sentence = finish(made[0], made[1], NAME_OF[family], g.held_out())
        if collection.add(sentence):
            if sentence.held_out:
                fresh += 1
            else:
                known += 1
    fill_rare_words(g, collection, made_by)
    return g, collection


def fill_rare_words(g, collection, made_by):
    """Adds sentences until every word has been seen often enough."""
    counts = Counter(w for s in collection.sentences if not s.held_out for w in set(s.zh_words.split()))
    goal = MINIMUM_OCCURRENCES + 8
    rare = {word for word, count in counts.items() if count < goal}
    weights = Counter()
    for s in collection.sentences:
        for word in s.zh_words.split():
            if word in rare:
                weights[s.family] += 1.0 / counts[word]
    families = [(weights[name], family) for family, name in NAME_OF.items() if weights[name]]
    for _ in range(MAXIMUM_FILLING):
        if not rare:
            break
        family = g.weighted(families)
        made = made_by(family)
        if made is None or g.held_out() or not any(t.text in rare for t in made[0].zh):
            continue
        sentence = finish(made[0], made[1], NAME_OF[family], False)
        if collection.add(sentence):
            counts.update(set(sentence.zh_words.split()))
            rare = {word for word in rare if counts[word] < goal}


def hand_written():
    """(train pairs, test pairs)."""
    train, test = [], []
    if not os.path.exists(HAND_WRITTEN):
        return train, test
    seen = set()
    with open(HAND_WRITTEN, encoding="utf-8") as lines:
        pairs = []
        for line in lines:
            cells = line.rstrip("\r\n").split("\t")
            if len(cells) != 2 or not cells[0].strip() or not cells[1].strip() or line.startswith("#"):
                continue
            cells = (cells[0].strip(), re.sub(r"\s+", " ", cells[1].strip()))
            if cells in seen:
                continue
            seen.add(cells)
            pairs.append(cells)
    for index, cells in enumerate(pairs):
        (test if index % HAND_TEST_EVERY == HAND_TEST_EVERY - 1 else train).append(cells)
    return train, test


def build():
    """File name -> list of lines."""
    g, collection = grammar_sentences()
    train, valid, test, test_new = divide(collection.sentences, g.random, VALID, TEST, TEST_NEW)
    hand_train, hand_test = hand_written()
    held_zh = {s.zh for s in valid + test + test_new} | {zh for zh, _ in hand_test}
    held_en = {s.en for s in valid + test + test_new} | {en for _, en in hand_test}
    english_of = {s.zh: s.en for s in collection.sentences}
    rows = [(s.zh, s.en, s.align, s.zh_words, s.en_words) for s in train
            if s.zh not in held_zh and s.en not in held_en]
    for zh, en in hand_train:
        if zh not in held_zh and en not in held_en and english_of.get(zh, en) == en and (zh not in english_of):
            rows.append((zh, en, "", "", ""))
            english_of[zh] = en
    rows = shuffled(rows, g.random)
    files = {
        "train.zh": [r[0] for r in rows], "train.en": [r[1] for r in rows], "train.align": [r[2] for r in rows],
        "train.words.zh": [r[3] for r in rows], "train.words.en": [r[4] for r in rows],
        "valid.zh": [s.zh for s in valid], "valid.en": [s.en for s in valid],
        "test-hand.zh": [zh for zh, _ in hand_test], "test-hand.en": [en for _, en in hand_test],
    }
    for name, part in (("test", test), ("test-new", test_new)):
        files[name + ".zh"] = [s.zh for s in part]
        files[name + ".en"] = [s.en for s in part]
        files[name + ".align"] = [s.align for s in part]
        files[name + ".words.zh"] = [s.zh_words for s in part]
        files[name + ".words.en"] = [s.en_words for s in part]
    files["README.md"] = readme(files).split("\n")[:-1]
    return files, collection


def as_text(lines):
    return "".join(line + "\n" for line in lines)


def readme(files):
    """The text of README.md with the counts filled in."""
    with open(os.path.join(HERE, "readme_template.md"), encoding="utf-8") as template:
        text = template.read()
    lengths = sorted(len(line.split()) for line in files["train.en"])
    aligned = sum(1 for line in files["train.align"] if line)
    values = {
        "train": len(files["train.zh"]), "grammar": aligned, "hand": len(files["train.zh"]) - aligned,
        "test-hand": len(files["test-hand.zh"]),
        "zhwords": len({w for line in files["train.words.zh"] for w in line.split()}),
        "enwords": len({w.lower() for line in files["train.words.en"] for w in line.split()}),
        "median": lengths[len(lengths) // 2], "longest": lengths[-1],
    }
    return re.sub(r"@([\w-]+)@", lambda match: str(values[match.group(1)]), text)


def write(files):
    os.makedirs(DATA, exist_ok=True)
    for name in sorted(files):
        with open(os.path.join(DATA, name), "w", encoding="utf-8", newline="\n") as out:
            out.write(as_text(files[name]))


def read(name):
    with open(os.path.join(DATA, name), encoding="utf-8", newline="\n") as lines:
        return lines.read().split("\n")[:-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="verify the committed files instead of writing them")
    parser.add_argument("--report", action="store_true", help="print counts of families and words as well")
    arguments = parser.parse_args()
    files, collection = build()
    if arguments.report:
        print(collection.families.most_common())
        print("conflicting renderings refused:", dict(collection.conflicts))
    if arguments.check:
        import checks
        sys.exit(checks.run(files, read, DATA, collection))
    write(files)
    for name in sorted(files):
        print("%7d  %s" % (len(files[name]), name))


if __name__ == "__main__":
    main()
