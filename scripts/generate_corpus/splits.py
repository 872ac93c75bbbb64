"""Sentences out of fragments, and their division into files."""

import re
from collections import Counter, namedtuple

from alignment import Piece, links, token

Sentence = namedtuple("Sentence", "zh en zh_words en_words align family held_out")

MARKS = {"。": ".", "？": "?", "！": "!"}
CLOSING = {",", ".", "?", "!", ":"}
MAX_ENGLISH_WORDS = 60


def detokenise(words):
    text = " ".join(words)
    return re.sub(r" ([,.?!:])", r"\1", text)


def finish(piece, mark, family, held_out):
    """Adds the final mark and the capital, and reads off the links."""
    zh = list(piece.zh)
    en = list(piece.en)
    if zh[-1].text in ("吗", "呢") and not zh[-1].groups:
        zh[-1] = zh[-1]._replace(groups=("mark",))
    zh.append(token(mark, "mark"))
    en.append(token(MARKS[mark], "mark"))
    for position, item in enumerate(en):
        if item.text == "a" and position + 1 < len(en):
            following = en[position + 1].text
            if following[0].lower() in "aeio":
                en[position] = item._replace(text="an")
    en[0] = en[0]._replace(text=en[0].text[0].upper() + en[0].text[1:])
    whole = Piece(zh, en)
    zh_words = [t.text for t in zh]
    en_words = [t.text for t in en]
    return Sentence("".join(zh_words), detokenise(en_words), " ".join(zh_words), " ".join(en_words),
                    whole, family, held_out)


class Collection:
    """Accepted sentences: no Chinese line twice, no Chinese with two English
    renderings (neither as a line nor once punctuation is taken off)."""

    def __init__(self):
        self.english_of = {}
        self.sentences = []
        self.families = Counter()
        self.conflicts = Counter()

    def add(self, sentence):
        key = re.sub(r"[，。！？]", "", sentence.zh)
        if "在 在 " in sentence.zh_words:
            return False
        if key in self.english_of:
            if self.english_of[key] != re.sub(r"[,.!?]", "", sentence.en).lower():
                self.conflicts[sentence.family] += 1
            return False
        if not 1 <= len(sentence.en.split()) <= MAX_ENGLISH_WORDS:
            return False
        self.english_of[key] = re.sub(r"[,.!?]", "", sentence.en).lower()
        # The links are read off only now: most candidates are refused.
        sentence = sentence._replace(align=links(sentence.align))
        self.sentences.append(sentence)
        self.families[sentence.family] += 1
        return True


def shuffled(items, random):
    """Fisher-Yates; needs nothing but random.random()."""
    items = list(items)
    for last in range(len(items) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        items[last], items[other] = items[other], items[last]
    return items


def divide(sentences, random, valid, test, test_new):
    """(train, valid, test, test_new); English lines never cross over."""
    ordered = shuffled(sentences, random)
    fresh = [s for s in ordered if s.held_out]
    known = [s for s in ordered if not s.held_out]
    taken = set()

    def take(pool, count):
        chosen = []
        for sentence in pool:
            if len(chosen) == count:
                break
            if sentence.en in taken:
                continue
            taken.add(sentence.en)
            chosen.append(sentence)
        return chosen

    test_lines = take(known, test)
    rest = [s for s in known if s not in set(test_lines)]
    valid_lines = take(rest, valid)
    chosen = set(test_lines) | set(valid_lines)
    train_pool = [s for s in known if s not in chosen and s.en not in taken]
    known_words = Counter(w for s in train_pool for w in set(s.zh_words.split()))
    known_english = Counter(w for s in train_pool for w in set(s.en_words.split()))
    train_english = {s.en for s in train_pool}

    def familiar(sentence):
        return (all(known_words[w] >= 5 for w in sentence.zh_words.split())
                and all(known_english[w] or known_english[w.lower()] for w in sentence.en_words.split()))

    new_lines = take([s for s in fresh if familiar(s) and s.en not in train_english], test_new)
    return train_pool, valid_lines, test_lines, new_lines
