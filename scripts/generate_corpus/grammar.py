"""The synchronous grammar: noun phrases, verb phrases and clauses.

Everything here returns `Piece`s, so both languages and their alignment grow
together.  The choices are drawn from one seeded generator.
"""

import random
import zlib
from collections import Counter, namedtuple

import inflection
import lexicon
from alignment import EMPTY, Piece, fill, new_group, pair, token

Person = namedtuple("Person", "zh en acc poss self")

PRONOUNS = {
    "1s": Person("我", "I", "me", "my", "myself"),
    "2s": Person("你", "you", "you", "your", "yourself"),
    "3m": Person("他", "he", "him", "his", "himself"),
    "3f": Person("她", "she", "her", "her", "herself"),
    "3n": Person("它", "it", "it", "its", "itself"),
    "1p": Person("我们", "we", "us", "our", "ourselves"),
    "2p": Person("你们", "you", "you", "your", "yourselves"),
    "3p": Person("他们", "they", "them", "their", "themselves"),
}
POSSESSORS = ["1s", "3m", "3f", "2s", "1p", "3p"]

# Every thirtieth verb x object, verb x subject and verb x aspect pairing is
# kept out of train, valid and test: only test-new shows it.
HELD_OUT_MODULUS = 30


def is_held_out(kind, first, second):
    key = "%s|%s|%s" % (kind, first, second)
    return zlib.crc32(key.encode("utf-8")) % HELD_OUT_MODULUS == 7


KIN_WORDS = {kin.en for kin in lexicon.KIN}
ELDERS = {"father", "mother", "grandfather", "grandmother", "uncle", "aunt"}
RELATIVE_OUTER = ("看", "读", "尝", "吃", "喝", "穿", "戴", "找", "丢", "修", "翻译", "检查", "听")
SEVERAL = {"food", "snack", "meal", "fruit", "drink", "read", "lit", "song", "watch", "mail", "cook", "vegetable", "soup", "market"}


class NounPhrase:
    """A noun phrase with what agreement needs to know about it."""

    def __init__(self, zh, en, person, acc=None, key="", heavy=False):
        self.zh = zh
        self.en = en
        self.acc = acc if acc is not None else en
        self.person = person
        self.key = key
        self.heavy = heavy

    @property
    def plural(self):
        return self.person.endswith("p")

    @property
    def gendered(self):
        return self.person != "3x"

    def nominative(self):
        return Piece(self.zh, self.en)

    def accusative(self):
        return Piece(self.zh, self.acc)


Frame = namedtuple("Frame", "zh en s o at to into m t flags")
FRAME_DEFAULTS = {"s": "person", "o": "", "at": "", "to": "", "into": "", "m": "act", "t": "any day eve now", "flags": ""}


def parse_frame(line):
    """`zh = en # key=value,value ...` describes one verb phrase."""
    body, _, options = line.partition("#")
    zh, en = (side.strip() for side in body.split("="))
    values = dict(FRAME_DEFAULTS)
    for option in options.split():
        key, _, value = option.partition("=")
        values[key] = value.replace(",", " ")
    return Frame(zh, en, *(tuple(values[field].split()) for field in Frame._fields[2:]))


def parse_frames(text):
    return [parse_frame(line) for line in text.strip().splitlines() if line.strip() and not line.strip().startswith("//")]


PRESENT_BE = {"1s": "am", "2s": "are", "2p": "are", "1p": "are", "3p": "are"}
CONTRACTED = {
    "do": "don't", "does": "doesn't", "did": "didn't", "is": "isn't", "are": "aren't", "was": "wasn't",
    "were": "weren't", "will": "won't", "can": "can't", "should": "shouldn't", "have": "haven't",
    "has": "hasn't", "had": "hadn't", "must": "mustn't", "would": "wouldn't", "could": "couldn't",
}


def conjugate(lemma, form, person="3s"):
    if form == "base":
        return lemma
    if form == "pp":
        return inflection.participle(lemma)
    if form == "ing":
        return inflection.gerund(lemma)
    if lemma in ("will", "can", "should", "must", "may", "would", "could", "am"):
        return lemma
    if lemma == "be":
        if form == "past":
            return "were" if person in ("2s", "2p", "1p", "3p") else "was"
        return PRESENT_BE.get(person, "is")
    if form == "past":
        return inflection.past(lemma)
    return lemma if person in PRESENT_BE else inflection.third_person(lemma)


# mode -> (Chinese marker, English chain before the head, tense, form of the head)
# A chain item is a word; "to" stays as it is, the first word is finite.
MODES = {
    "hab": ("", [], "pres", "fin"),
    "past": ("", [], "past", "fin"),
    "done": ("", ["have"], "pres", "pp"),
    "fut": ("", ["will"], "pres", "base"),
    "hui": ("会", ["will"], "pres", "base"),
    "yao": ("要", ["be", "going", "to"], "pres", "base"),
    "zhengzai": ("正在", ["be"], "pres", "ing"),
    "zai": ("在", ["be"], "pres", "ing"),
    "exp": ("", ["have"], "pres", "pp"),
    "perf": ("", ["have"], "pres", "pp"),
    "want": ("想", ["want", "to"], "pres", "base"),
    "plan": ("打算", ["plan", "to"], "pres", "base"),
    "hope": ("希望", ["hope", "to"], "pres", "base"),
    "like": ("喜欢", ["like", "to"], "pres", "base"),
    "know_how": ("会", ["can"], "pres", "base"),
    "can": ("能", ["can"], "pres", "base"),
    "may": ("可以", ["can"], "pres", "base"),
    "should": ("应该", ["should"], "pres", "base"),
    "must": ("必须", ["must"], "pres", "base"),
    "need": ("需要", ["need", "to"], "pres", "base"),
    "willing": ("愿意", ["be", "willing", "to"], "pres", "base"),
    "decide": ("决定", ["decide", "to"], "past", "base"),
    "begin": ("开始", ["begin", "to"], "past", "base"),
    "prepare": ("准备", ["be", "preparing", "to"], "pres", "base"),
    "used": ("以前 常常", ["often"], "past", "fin"),
}
LEADING_ADVERBS = {"often", "always", "rarely", "never", "still", "soon", "only", "first", "usually"}
AUXILIARIES = {"will", "be", "can", "should", "must", "have"}


class Grammar:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.used = Counter()
        self.combinations = []
        self.frames = {}
        self._nouns = {}
        self._places = {}
        self.depth = 0
        self.restart()

    def restart(self):
        """Begins a new sentence."""
        self.combinations = []
        self.names = []
        self.depth = 0

    # ---- choices ---------------------------------------------------------

    def chance(self, probability):
        return self.random.random() < probability

    def below(self, n):
        return int(self.random.random() * n)

    def any(self, items):
        return items[self.below(len(items))]

    def pick(self, items):
        """The less used of two random items: keeps rare words alive."""
        first, second = self.any(items), self.any(items)
        chosen = first if self.used[first] <= self.used[second] else second
        self.used[chosen] += 1
        return chosen

    def weighted(self, options):
        """options: (weight, value) pairs."""
        point = self.random.random() * sum(weight for weight, _ in options)
        for weight, value in options:
            point -= weight
            if point < 0:
                return value
        return options[-1][1]

    def combine(self, kind, first, second):
        self.combinations.append((kind, first, second))

    def held_out(self):
        return any(is_held_out(*combination) for combination in self.combinations)

    # ---- people ----------------------------------------------------------

    def pronoun(self, person):
        form = PRONOUNS[person]
        group = new_group()
        return NounPhrase([token(form.zh, group)], [token(form.en, group)], person, [token(form.acc, group)], "pro")

    def name(self, kids=False):
        options = [n for n in lexicon.NAMES if n not in self.names and (not kids or n.zh.startswith("小"))]
        if not options:
            options = lexicon.NAMES
        chosen = self.pick(options)
        self.names.append(chosen)
        piece = pair(chosen.zh, chosen.en)
        return NounPhrase(piece.zh, piece.en, "3" + chosen.gender, key="name")

    def possessive(self, owner=None, question=False):
        """的-possessive: (Chinese tokens without 的, English tokens)."""
        if owner is None and self.chance(0.2):
            np = self.name()
            return np.zh, np.en[:-1] + [np.en[-1]._replace(text=np.en[-1].text + "'s")], "name"
        owner = owner or self.weighted([(5, "1s"), (3, "3m"), (3, "3f"), (3 if question else 0, "2s"), (1, "1p"), (1, "3p")])
        group = new_group()
        form = PRONOUNS[owner]
        return [token(form.zh, group)], [token(form.poss, group)], owner

    def kin(self, classes=(), question=False, owner=None):
        options = [k for k in lexicon.KIN if not classes or set(classes) & set(k.classes)]
        if not options:
            return None
        kin = self.pick(options)
        fixed = owner
        owner = owner or self.weighted([(1 if question else 6, "1s"), (2, "3m"), (2, "3f"), (6 if question else 0, "2s"), (2, None)])
        if "spouse" in kin.classes and fixed is None:
            owner = "3m" if kin.gender == "f" else "3f"
        zh, en, kind = self.possessive(owner, question)
        noun = pair(kin.zh, kin.en)
        if kind == "name":
            zh = zh + [token("的", *zh[-1].groups)]
        return NounPhrase(zh + noun.zh, en + noun.en, "3" + kin.gender, key=kin.en)

    def role(self, classes=(), plural=None, question=False, gendered=False):
        options = [r for r in lexicon.ROLES if not classes or set(classes) & set(r.classes)]
        if gendered:
            options = [r for r in options if "m" in r.classes or "f" in r.classes]
        if not options:
            return None
        role = self.pick(options)
        person = "3m" if "m" in role.classes else "3f" if "f" in role.classes else "3x"
        kinds = [(2, "that"), (2, "this"), (0.25, "those"), (0.15, "these")]
        if "rel" in role.classes:
            kinds = [(8, "poss"), (0.5, "that")]
        if gendered:
            kinds = [(1, "that"), (1, "this")]
        if role.zh in lexicon.TITLES and not gendered and self.chance(0.5):
            surname = self.pick(lexicon.SURNAMES)
            return self.titled(surname, role)
        return self.noun_phrase(role, self.weighted(kinds), person, people=True, question=question)

    def titled(self, surname, role):
        """王老师: a surname with a title."""
        title = lexicon.TITLES[role.zh]
        zh, en = pair(*surname), pair(role.zh, title)
        return NounPhrase(zh.zh + en.zh, en.en + zh.en, "3x", key="name")

    def person(self, classes=("person",), question=False, pronouns=True, gendered=False):
        """A human subject of one of the classes."""
        classes = set(classes)
        if classes & {"person", "adult"}:
            kind = self.weighted([
                (5 if pronouns else 0, "pronoun"), (4, "name"), (3.5, "kin"), (1.4 if not gendered else 0, "role")])
        elif "kid" in classes:
            kind = self.weighted([(2, "kidname"), (3, "kin"), (3, "role"), (0 if not pronouns else 1, "pronoun")])
        elif "stu" in classes:
            kind = self.weighted([(2 if pronouns else 0, "pronoun"), (3, "name"), (3 if not gendered else 0, "role"), (2, "kidkin")])
        else:
            kind = "role"
        wanted = [c for c in sorted(classes) if c not in ("person",)]
        found = None
        if kind == "pronoun":
            found = self.pronoun(self.weighted([
                (4 if not question else 0, "1s"), (7 if question else 0.0, "2s"), (3, "3m"), (3, "3f"),
                (2 if not question else 0, "1p"), (1 if question else 0, "2p"), (2, "3p")]))
        elif kind == "name":
            found = self.name()
        elif kind == "kidname":
            found = self.name(kids=True)
        elif kind == "kidkin":
            found = self.kin(["kid"], question)
        elif kind == "kin":
            found = self.kin(wanted, question)
        if found is None:
            if gendered and (classes - {"kid"}):
                return self.name()
            found = self.role(wanted, question=question, gendered=gendered)
        return found or self.name()

    def other_person(self, subject):
        """A person in object position; never the subject again."""
        for _ in range(20):
            found = self.partner(subject)
            if found is None or (subject is not None and found.zh[-1].text == subject.zh[-1].text):
                continue
            if subject is None or "".join(t.text for t in found.zh) not in "".join(t.text for t in subject.zh):
                if subject is not None and found.key == "pro" and (found.person[0] == subject.person[0]):
                    continue
                return found
        return self.name()

    def partner(self, subject):
        """A name, a relative of the subject, a friend or a colleague."""
        kind = self.weighted([(4, "name"), (4, "kin"), (2, "poss"), (0.8, "role"), (0.8, "me")])
        if kind == "name" or subject is None:
            return self.name()
        if kind == "me":
            return self.pronoun("1s") if subject.person[0] == "3" else None
        owner = subject.person if subject.person[1] != "x" and subject.person[0] != "2" else None
        if kind == "poss" and owner:
            role = self.pick([r for r in lexicon.ROLES if r.zh in ("朋友", "同事", "邻居", "同学")])
            return self.noun_phrase(role, "poss", "3x", people=True, owner=owner)
        if kind == "kin" and owner:
            is_kin = subject.key in KIN_WORDS
            classes = ("sib",) if not is_kin else ("sib", "child") if subject.key in ELDERS else ("sib",)
            if not is_kin:
                classes = ()
            for _ in range(10):
                kin = self.kin(classes, owner="1s" if owner == "1p" else owner)
                wife = kin.key in ("wife", "husband")
                if wife and (owner not in ("3m", "3f") or (kin.key == "wife") != (owner == "3m")):
                    continue
                return kin
        return self.role(("adult",)) if kind == "role" else None

    def acquaintance(self, subject):
        """Somebody who is no relative of the subject."""
        for _ in range(20):
            found = self.other_person(subject)
            if found.key not in KIN_WORDS and found.key != "pro":
                return found
        return self.name()

    def day(self):
        """A past time that says the day."""
        options = [t for t in lexicon.TIMES if t[2] == "past" and t[3] in ("any", "day", "eve") and ("昨天" in t[0] or "前天" in t[0] or "星期" in t[0] and "个" not in t[0] or "今天" in t[0])]
        zh, en, _, _ = self.pick(options)
        return fill(zh, en)

    # ---- things ----------------------------------------------------------

    def nouns(self, classes):
        key = tuple(classes)
        if key not in self._nouns:
            wanted = set(classes)
            self._nouns[key] = [n for n in lexicon.NOUNS if wanted & set(n.classes)]
        return self._nouns[key]

    def noun_phrase(self, noun, kind, person="3n", people=False, question=False, owner=None, adjective=None):
        """One noun with the determiner `kind`."""
        group = new_group()
        container = getattr(noun, "container", None)
        head_words = noun.en.split()
        zh_noun = [token(noun.zh, group)]
        zh_adj, en_adj = [], []
        if adjective:
            zh_adj, en_adj = adjective
        measure_group = new_group() if container else group
        measure = token(noun.mw, measure_group)

        def english(plural, determiner=None):
            if container:
                box = inflection.plural(container) if plural else container
                tokens = [token(box, measure_group), token("of", measure_group)] + en_adj
                tokens += [token(w, group) for w in head_words]
            else:
                words = (inflection.plural(noun.en) if plural else noun.en).split()
                tokens = en_adj + [token(w, group) for w in words]
            return ([determiner] if determiner else []) + tokens

        plural_person = "3p"
        if kind == "one":
            g2 = new_group()
            body = english(False)
            en = [token(inflection.article(body[0].text), g2)] + body
            return NounPhrase([token("一", g2), measure] + zh_adj + zh_noun, en, person, key=noun.zh)
        if kind in ("this", "that", "these", "those", "which"):
            g2 = new_group()
            zh_word = {"this": "这", "that": "那", "these": "这些", "those": "那些", "which": "哪"}[kind]
            many = kind in ("these", "those")
            if many:
                body = en_adj + [token(w, group) for w in (noun.en if container or self._is_mass(noun) else inflection.plural(noun.en)).split()]
                word = {"these": "this", "those": "that"}[kind] if self._is_mass(noun) else kind
                en = [token(word, g2)] + body
                return NounPhrase([token(zh_word, g2)] + zh_adj + zh_noun, en,
                                  person if self._is_mass(noun) else plural_person, key=noun.zh)
            return NounPhrase([token(zh_word, g2), measure] + zh_adj + zh_noun,
                              [token(kind, g2)] + english(False), person, key=noun.zh)
        if isinstance(kind, int):
            g2 = new_group()
            zh_number, en_number = ("两", "two") if kind == 2 else lexicon.NUMBERS[kind]
            return NounPhrase([token(zh_number, g2), measure] + zh_adj + zh_noun,
                              [token(w, g2) for w in en_number.split()] + english(True), plural_person, key=noun.zh)
        if kind in ("few", "howmany"):
            g2 = new_group()
            words = "a few" if kind == "few" else "how many"
            return NounPhrase([token("几", g2), measure] + zh_adj + zh_noun,
                              [token(w, g2) for w in words.split()] + english(True), plural_person, key=noun.zh)
        if kind in ("many", "some", "bare", "plural"):
            mass = self._is_mass(noun)
            words = noun.en if container or mass else inflection.plural(noun.en)
            en = en_adj + [token(w, group) for w in words.split()]
            who = person if mass else plural_person
            if kind == "many":
                g2 = new_group()
                return NounPhrase([token("很多", g2)] + zh_adj + zh_noun, [token("a", g2), token("lot", g2), token("of", g2)] + en, who, key=noun.zh)
            if kind == "some":
                g2 = new_group()
                return NounPhrase([token("一些", g2)] + zh_adj + zh_noun, [token("some", g2)] + en, who, key=noun.zh)
            if people and kind == "bare":
                en = [token("the", group)] + [token(w, group) for w in head_words]
                return NounPhrase(zh_noun, en, person, key=noun.zh)
            if people and kind == "plural":
                return NounPhrase(zh_noun + [token("们", group)], [token("the", group)] + en, "3p", key=noun.zh)
            return NounPhrase(zh_adj + zh_noun, en, who, key=noun.zh)
        if kind == "the":
            who = person if not container or self._is_mass(noun) else "3p"
            en = [token("the", group)] + en_adj + [token(w, group) for w in head_words]
            return NounPhrase(zh_adj + zh_noun, en, who, key=noun.zh)
        if kind == "poss":
            zh, en, _ = self.possessive(owner, question)
            who = person if not container or self._is_mass(noun) else "3p"
            zh = zh + [token("的", *zh[-1].groups)]
            return NounPhrase(zh + zh_adj + zh_noun, en + en_adj + [token(w, group) for w in head_words], who, key=noun.zh)
        raise ValueError(kind)

    @staticmethod
    def _is_mass(noun):
        return getattr(noun, "container", None) and not noun.en.endswith("s") or noun.en == "ice cream"

    def attribute(self, noun, definite=False):
        """An adjective in front of a noun."""
        classes = set(noun.classes)
        if "colored" in classes and self.chance(0.5):
            zh, en = self.pick(lexicon.COLORS)
            group = new_group()
            if self.chance(0.5):
                return [token(zh + "色", group), token("的", group)], [token(en, group)]
            return [token(zh, group)], [token(en, group)]
        options = [a for a in lexicon.ADJECTIVES if classes & set(a.classes) and "dist" not in a.classes]
        if not options:
            return None
        adjective = self.pick(options)
        group = new_group()
        en = [token(w, group) for w in adjective.en.split()]
        if adjective.zh in ("新", "旧", "大", "小", "好"):
            return [token(adjective.zh, group)], en
        if self.chance(0.4):
            degree = new_group()
            return ([token("很", degree), token(adjective.zh, group), token("的", group)],
                    [token("very", degree)] + en)
        return [token(adjective.zh, group), token("的", group)], en

    OWNED = {"item", "item2", "wear", "wearf", "device", "device2", "pet", "house", "room", "vehicle", "vehicle2",
             "lose", "dish", "instrument", "toy", "plan", "idea", "photo", "appliance", "furn"}

    def thing(self, frame, context="indef", subject=None, question=False):
        """An object for the frame; context: indef, def, hab or gen (generic)."""
        noun = self.pick(self.nouns(frame.o))
        self.combine("object", frame.zh, noun.zh)
        return self.thing_phrase(noun, context, subject, question, frame)

    def thing_phrase(self, noun, context="indef", subject=None, question=False, frame=None):
        classes = set(noun.classes)
        owned = bool(classes & self.OWNED)
        if frame and frame.zh.lstrip("给^2 {p}").startswith(("买", "送", "租", "借", "收到", "点", "做", "画", "写", "拍")):
            owned = False
        if context == "indef":
            kinds = [(6, "one"), (1.6, "this"), (1.6, "that"), (2, "number"), (1.2, "few" if not question else "one"),
                     (1, "many"), (1, "some"), (1.2 if owned else 0, "poss"), (1.0, "rel"), (0.6, "those"), (0.6, "these")]
            if classes & {"dear", "house", "bigv", "appliance", "instrument", "furn", "wedding", "event"}:
                kinds = [(6, "one"), (1.6, "this"), (1.6, "that"), (0.5, "rel")]
            elif noun.container and noun.container in ("cup", "glass", "bottle", "bowl", "plate", "slice"):
                kinds = [(6, "one"), (1.5, "this"), (1.5, "that"), (3, "number"), (1.5, "some"), (1, "few" if not question else "one"), (1.5, "bare")]
        elif context == "def":
            kinds = [(3, "this"), (3, "that"), (2.5 if owned else 0, "poss"), (1.5, "rel"), (3 if frame is None else 0, "the"), (1, "those"), (1, "these")]
        elif context == "gen":
            kinds = [(1, "bare")]
        else:
            kinds = [(7, "bare"), (1, "this"), (1, "that"), (0.5, "rel")]
            if not classes & SEVERAL:
                kinds = [(1, "bare"), (4, "this"), (4, "that"), (0.5, "rel")]
        if frame and not frame.zh.startswith(RELATIVE_OUTER):
            kinds = [(weight, kind) for weight, kind in kinds if kind != "rel"]
        kind = self.weighted(kinds)
        if kind == "rel":
            phrase = self.relative(noun, question)
            if phrase:
                return phrase
            kind = "that"
        if kind == "number":
            kind = self.weighted([(5, 2), (4, 3), (2, 4), (2, 5), (1, 6), (0.7, 8), (0.7, 10)])
            if noun.container or "food" in classes:
                kind = min(kind, 4)
        adjective = None
        if kind in ("one", "this", "that", "many", "poss", "those", "these") and self.chance(
                0.5 if "colored" in classes else 0.3 if kind == "one" else 0.15):
            if not (kind == "bare" and context == "gen"):
                adjective = self.attribute(noun)
        person = "3n" if not (noun.container in ("pair",) and kind in ("the", "poss")) else "3p"
        return self.noun_phrase(noun, kind, person, question=question, adjective=adjective)

    def relative(self, noun, question=False):
        """the N that S V-ed: an object-gap relative clause."""
        if self.depth:
            return None
        options = [f for f in self.frames.get("rel", []) if set(f.o) & set(noun.classes)]
        if not options:
            return None
        self.depth += 1
        frame = self.pick(options)
        self.combine("relative", frame.zh, noun.zh)
        subject = self.person(frame.s if frame.s != ("person",) else ("adult",), question)
        group, noun_group = new_group(), new_group()
        verb = self.verb_phrase(frame, subject, gap=EMPTY)
        mode = self.weighted([(6, "past"), (1.2, "like")])
        if mode == "like" and not set(noun.classes) & {"song", "food", "drink", "watch", "lit", "wear", "snack"}:
            mode = "past"
        if mode == "like":
            like = fill("{s} 喜欢", "{s} [like]", {"s": subject.nominative()})
            body = Piece(like.zh, [t._replace(text=conjugate("like", "pres", subject.person)) if t.text == "[like]" else t for t in like.en])
        else:
            time = self.time("past", frame) if mode == "past" and self.chance(0.5) else None
            body = self.clause(subject, verb, mode, time=time, bare_past=True)
        self.depth -= 1
        demonstrative = []
        if self.chance(0.3):
            demonstrative = [token("那", noun_group), token(noun.mw, noun_group)]
        zh = body.zh + [token("的", group)] + demonstrative + [token(noun.zh, noun_group)]
        container = noun.container == "pair"
        words = noun.en.split()
        en = [token("the", noun_group)] + [token(w, noun_group) for w in words] + [token("that", group)] + body.en
        return NounPhrase(zh, en, "3p" if container else "3n", key=noun.zh, heavy=True)

    # ---- places and times ------------------------------------------------

    def places(self, classes):
        key = tuple(classes)
        if key not in self._places:
            wanted = set(classes)
            self._places[key] = [p for p in lexicon.PLACES if wanted & set(p.classes)]
        return self._places[key]

    def place(self, classes, frame_key=""):
        chosen = self.pick(self.places(classes))
        if frame_key:
            self.combine("place", frame_key, chosen.zh)
        return chosen

    def place_at(self, place):
        """在 X: location."""
        group, at = new_group(), new_group()
        zh = [token("在", at), token(place.zh, group)]
        words = place.name.split()
        if place.zh == "国外":
            return Piece(zh, [token("abroad", group, at)])
        return Piece(zh, [token(place.prep, at)] + [token(w, group) for w in words])

    def place_to(self, place):
        group = new_group()
        return Piece([token(place.zh, group)], [token(w, group) for w in place.to.split()])

    def place_name(self, place):
        return pair(place.zh, place.name)

    def time(self, tense, frame=None, clock=True):
        allowed = set(frame.t if frame else FRAME_DEFAULTS["t"].split())
        options = [t for t in lexicon.TIMES if t[2] == tense and (t[3] in allowed or "dawn" in allowed and "早上" in t[0])]
        if not options:
            return None
        zh, en, _, part = self.pick(options)
        piece = fill(zh, en)
        if clock and part in ("day", "eve") and self.chance(0.3) and "noclock" not in (frame.flags if frame else ()):
            if "上午" in zh or "早上" in zh:
                hours = [6, 7, 8] if "上午" not in zh else [8, 9, 10, 11]
            elif "下午" in zh:
                hours = [2, 3, 4, 5]
            else:
                hours = [7, 8, 9]
            if "下班" in zh or "放学" in zh:
                return piece
            piece = fill("{t} {c}", "{c} {t}", {"t": piece, "c": self.clock(self.any(hours))})
        return piece

    def clock(self, hour, bare=False):
        zh, en = lexicon.HOURS[hour - 1]
        kind = self.weighted([(6, "full"), (2, "half"), (1, "quarter")])
        at = "" if bare else "at^1 "
        if kind == "full":
            return fill(zh + "^1", at + en + "^1 o'clock^1")
        if kind == "half":
            return fill(zh + "^1 半^2", at + "half^2 past^2 " + en + "^1")
        return fill(zh + "^1 一刻^2", at + "a^2 quarter^2 past^2 " + en + "^1")

    # ---- verbs -----------------------------------------------------------

    def verb_phrase(self, frame, subject, context="indef", gap=None, question=False):
        """Fills the slots of a frame; the first English word is the head."""
        slots = {}
        if "{o}" in frame.zh:
            slots["o"] = gap if gap is not None else self.thing(frame, "def" if "def" in frame.flags else context, subject, question).accusative()
        if "{p}" in frame.zh:
            slots["p"] = (self.acquaintance(subject) if frame.zh.startswith(("接", "去^1 {to} 接", "认识", "遇到", "拜访", "批评", "表扬", "跟^2 {p} 见面")) else self.other_person(subject)).accusative()
        if "{to}" in frame.zh:
            slots["to"] = self.place_to(self.place(frame.to, frame.zh))
        if "{in}" in frame.zh:
            slots["in"] = self.place_at(self.place(frame.into, frame.zh))
        if "{lg}" in frame.zh:
            slots["lg"] = pair(*self.pick(lexicon.LANGUAGES))
        if "{sj}" in frame.zh:
            slots["sj"] = pair(*self.pick(lexicon.SUBJECTS))
        if "{sp}" in frame.zh:
            slots["sp"] = fill(*self.pick(lexicon.SPORTS))
        if "{city}" in frame.zh:
            city = self.place(["city"], frame.zh)
            if "火车" in frame.zh and "abroadcity" in city.classes:
                city = lexicon.PLACE[self.any(["北京", "上海", "西安", "南京", "杭州"])]
                self.combine("place", frame.zh, city.zh)
            slots["city"] = self.place_name(city)
        if subject is not None:
            self.combine("subject", frame.zh, subject.key)
        return fill(frame.zh, frame.en, slots)

    def clause(self, subject, verb, mode="hab", neg=False, adverb=None, time=None, front=False, place=None,
               question=None, fronted=None, bare_past=False, drop_subject=False):
        """A clause without final punctuation.

        subject may be None (imperative-like, English base form).  `question`:
        None, "ma", "anota", "wh"; `fronted` holds English tokens of a fronted
        question word.
        """
        marker, chain, tense, head_form = MODES[mode]
        if place and mode == "zai":
            # One 在 serves both the place and the progressive.
            marker = ""
        elif place and mode == "zhengzai":
            marker = "正"
        lead = []
        while verb.en[0].text in LEADING_ADVERBS:
            lead.append(verb.en[0])
            verb = Piece(verb.zh, verb.en[1:])
        self.combine("mode", verb.zh[0].text + verb.en[0].text, mode + str(neg))
        head = verb.en[0]
        verb_group = head.groups
        person = subject.person if subject else "2s"
        neg_group = new_group()
        mark_group = new_group()

        # Chinese
        particle = None
        if not neg:
            if mode == "past" and not bare_past:
                particle = "了"
            elif mode == "exp":
                particle = "过"
            elif mode == "perf":
                particle = "了"
        elif mode == "exp":
            particle = "过"
        verb_zh = []
        for item in verb.zh:
            if item.text == "*":
                if particle:
                    verb_zh.append(item._replace(text=particle))
                    particle = None
            else:
                verb_zh.append(item)
        zh = []
        if time and front:
            zh += time.zh
        if subject and not drop_subject:
            zh += subject.zh
        if time and not front:
            zh += time.zh
        if adverb:
            zh += adverb.zh
        neg_word = "没" if mode in ("past", "exp", "perf") else "不"
        marker_tokens = [token(w, mark_group) for w in marker.split()]
        if question == "anota" and marker_tokens:
            marker_tokens = marker_tokens + [token("不", neg_group)] + marker_tokens
        if mode == "perf":
            if neg:
                marker_tokens = [token("还", mark_group)]
                zh += marker_tokens + [token(neg_word, neg_group)]
            else:
                zh += [token("已经", mark_group)]
        else:
            if neg:
                zh += [token(neg_word, neg_group)]
            zh += marker_tokens
        if place:
            zh += place.zh
        if question == "anota" and not marker_tokens:
            verb_zh = [verb_zh[0], token("不", neg_group)] + verb_zh
        zh += verb_zh
        if mode == "perf" and not neg and particle and verb_zh[-1].text != "了":
            zh += [token("了", *verb_group)]
        elif mode == "past" and particle and not bare_past:
            zh += [token("了", *verb_group)]
        elif mode == "exp" and particle:
            raise ValueError("no place for 过")

        # English
        adverb_en = (list(adverb.en) if adverb else []) + lead
        if mode == "used":
            adverb_en, chain = [token("often", mark_group)] + adverb_en, []
        inverted = question in ("ma", "anota", "wh")
        finite_tokens, rest = self._predicate(person, chain, tense, head_form, head, mark_group if marker else None,
                                              neg, neg_group, inverted, adverb_en)
        en = []
        if time and front:
            en += time.en
        if fronted:
            en += fronted
        if inverted:
            en += finite_tokens
            if subject:
                en += subject.en
        else:
            if subject and not drop_subject:
                en += subject.en
            en += finite_tokens
        if mode == "perf" and not neg:
            en += [token("already", mark_group)]
        en += rest
        en += self._resolve(verb.en[1:], person)
        if place:
            en += place.en
        if time and not front:
            en += time.en
        if mode == "perf" and neg:
            en += [token("yet", mark_group)]
        return Piece(zh, en)

    def _predicate(self, person, chain, tense, head_form, head, mark_group, neg, neg_group, inverted, adverb_en):
        """(finite auxiliary tokens, the remaining verb tokens)."""
        groups = head.groups
        words = []
        mark = (mark_group,) if mark_group else groups
        for position, word in enumerate(chain):
            words.append([word, mark if mark_group else groups])
        head_is_finite = not chain
        finite_lemma = head.text if head_is_finite else chain[0]
        finite_groups = groups if head_is_finite else tuple(words[0][1])
        auxiliary = finite_lemma == "be" or (not head_is_finite and finite_lemma in AUXILIARIES)
        rest = []
        finite = []
        if auxiliary:
            text = conjugate(finite_lemma, tense, person)
            finite = self._negated(text, finite_groups, neg, neg_group)
            rest += adverb_en
        elif neg or inverted:
            text = conjugate("do", tense, person)
            finite = self._negated(text, finite_groups, neg, neg_group)
            rest += adverb_en + [token(finite_lemma, *finite_groups)]
        else:
            rest += adverb_en + [token(conjugate(finite_lemma, tense, person), *finite_groups)]
        if not head_is_finite:
            rest += [token(word, *group) for word, group in words[1:]]
            rest += [token("been" if head.text == "go" and chain == ["have"] else conjugate(head.text, head_form), *groups)]
        return finite, rest

    @staticmethod
    def _negated(text, groups, neg, neg_group):
        if not neg:
            return [token(text, *groups)]
        if text in CONTRACTED:
            return [token(CONTRACTED[text], neg_group, *groups)]
        return [token(text, *groups), token("not", neg_group)]

    def _resolve(self, tokens, person):
        return [self._resolve_token(t, person) for t in tokens]

    @staticmethod
    def _resolve_token(item, person):
        form = PRONOUNS.get(person)
        if item.text == "POSS":
            return item._replace(text=form.poss if form else "their")
        if item.text == "SELF":
            return item._replace(text=form.self if form else "themselves")
        if item.text.endswith("/s"):
            word = item.text[:-2]
            return item._replace(text=inflection.plural(word) if person.endswith("p") else word)
        return item

    def conjugated(self, piece, person):
        """Resolves `[verb]`, `[verb:form]`, POSS and SELF of a template."""
        en = []
        for item in piece.en:
            if item.text.startswith("["):
                lemma, _, form = item.text[1:-1].partition(":")
                item = item._replace(text=conjugate(lemma, form or "pres", person))
            en.append(self._resolve_token(item, person))
        return Piece([t for t in piece.zh if t.text != "*"], en)

    def template(self, zh, en, subject=None, **slots):
        """A template sentence; {s} is the subject, who decides agreement."""
        if subject is not None:
            slots["s"] = subject.nominative()
        return self.conjugated(fill(zh, en, slots), subject.person if subject else "3n")
