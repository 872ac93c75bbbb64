"""Aligned fragments: two token lists whose tokens share group numbers.

A token belongs to one or more groups; a group holds the Chinese and the
English tokens that express the same thing.  Concatenating fragments keeps the
groups, so the alignment of a whole sentence is never computed by guessing:
it is read off the groups (see `links`).
"""

import itertools
import re
from collections import namedtuple

Token = namedtuple("Token", "text groups")
Piece = namedtuple("Piece", "zh en")

EMPTY = Piece([], [])

# Words that carry grammar rather than content.  Inside a group that also has
# content words on the same side, their links are only "possible".
FUNCTION_ZH = set(
    "的 了 过 着 得 地 个 本 只 条 张 件 把 辆 台 部 封 份 首 篇 位 名 家 座 棵 朵 支 "
    "场 头 匹 幅 顶 块 架 根 所 盏 间 列 艘 次 种 门 节 口 是 就 都 吗 呢 吧 在 被 给 "
    "也 才 又 来 去 里 上 那 还 再 则 扇 套 道 枚".split()
)
FUNCTION_EN = set(
    "a an the to of for in on at by with from it that who which than as and "
    "do does did don't doesn't didn't be is are am was were been being isn't "
    "aren't wasn't weren't has have had hasn't haven't will won't would "
    "my your his her its our their some any one up out down off away there".split()
)

_numbers = itertools.count(1)


def new_group():
    return next(_numbers)


def token(text, *groups):
    return Token(text, tuple(groups))


def pair(zh, en):
    """A fragment whose words all belong to one group."""
    group = new_group()
    return Piece(
        [token(word, group) for word in zh.split()],
        [token(word, group) for word in en.split()],
    )


def join(*pieces):
    """Concatenates fragments on both sides in the same order."""
    zh, en = [], []
    for piece in pieces:
        zh += piece.zh
        en += piece.en
    return Piece(zh, en)


_parsed = {}
_SLOT = re.compile(r"\{(\w+)\}$")


def _parse_side(text):
    parts = []
    for word in text.split():
        slot = _SLOT.match(word)
        if slot:
            parts.append(("slot", slot.group(1), ()))
            continue
        star = word.endswith("*")
        word, _, tags = word.rstrip("*").partition("^")
        parts.append(("word", word, tuple(tags.split(",")) if tags else ()))
        if star:
            parts.append(("star", "*", ()))
    return parts


def _parse(zh, en):
    """Gives untagged words their default tags.

    With as many untagged words on both sides they pair off in order;
    otherwise they form one group.
    """
    sides = [_parse_side(zh), _parse_side(en)]
    free = [[p for p in side if p[0] == "word" and not p[2]] for side in sides]
    pairwise = len(free[0]) == len(free[1])
    result = []
    for side in sides:
        count = 0
        parts = []
        for kind, value, tags in side:
            if kind == "word" and not tags:
                tags = ("#%d" % (count if pairwise else 0),)
                count += 1
            parts.append((kind, value, tags))
        result.append(parts)
    return result


def fill(zh, en, slots=None):
    """Instantiates a template pair; `slots` maps slot names to fragments.

    Words are separated by spaces; `word^1` puts a word into the group 1 of
    this template, `word^0` into none; `{name}` is a slot; a `*` directly after
    a Chinese verb marks where aspect particles go.
    """
    key = (zh, en)
    if key not in _parsed:
        _parsed[key] = _parse(zh, en)
    zh_parts, en_parts = _parsed[key]
    slots = slots or {}
    local = {"0": None}

    def groups(tags):
        found = []
        for tag in tags:
            if tag not in local:
                local[tag] = new_group()
            if local[tag] is not None:
                found.append(local[tag])
        return tuple(found)

    out_zh, out_en = [], []
    for parts, out, side in ((zh_parts, out_zh, 0), (en_parts, out_en, 1)):
        for kind, value, tags in parts:
            if kind == "slot":
                out.extend(slots[value][side])
            elif kind == "star":
                out.append(Token("*", out[-1].groups))
            else:
                out.append(Token(value, groups(tags)))
    return Piece(out_zh, out_en)


def _ends(tokens, function_words):
    """Maps group -> (content positions, function positions)."""
    found = {}
    for position, item in enumerate(tokens):
        for group in item.groups:
            content, function = found.setdefault(group, ([], []))
            (function if item.text.lower() in function_words else content).append(position)
    return {
        group: (content, function) if content else (function, [])
        for group, (content, function) in found.items()
    }


def links(piece):
    """The Pharaoh line: `i-j` sure, `i?j` possible.

    Within a group the content words of both sides are linked surely, every
    link with a function word is possible; a side made of function words only
    counts as content.
    """
    zh_ends = _ends(piece.zh, FUNCTION_ZH)
    en_ends = _ends(piece.en, FUNCTION_EN)
    sure, possible = set(), set()
    for group, (zh_content, zh_function) in zh_ends.items():
        if group not in en_ends:
            continue
        en_content, en_function = en_ends[group]
        for i in zh_content + zh_function:
            for j in en_content + en_function:
                is_sure = i in zh_content and j in en_content
                (sure if is_sure else possible).add((i, j))
    possible -= sure
    marked = [(i, j, "-") for i, j in sure] + [(i, j, "?") for i, j in possible]
    return " ".join("%d%s%d" % (i, mark, j) for i, j, mark in sorted(marked))
