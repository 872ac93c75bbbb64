"""Sentence families built from the verb frames: statements, questions,
requests, reports and conditions about single events.

Every family takes the grammar and returns (piece, final mark) or None when
its random choices do not fit together.
"""

from alignment import EMPTY, Piece, fill, new_group, pair, token
from frames import ACTIONS

ASPECTS = {
    "act": {"hab": 2.2, "past": 4.5, "fut": 1.6, "hui": 1, "yao": 1.5, "zhengzai": 1.4, "zai": 1.5, "perf": 0.4,
            "want": 1.8, "plan": 0.9, "like": 1.2, "should": 0.7, "must": 0.5, "need": 0.4, "may": 0.4,
            "decide": 0.5, "begin": 0.4, "willing": 0.3, "prepare": 0.4, "exp": 0.35},
    "ach": {"past": 5, "fut": 1.4, "hui": 1, "yao": 1.4, "perf": 1.4, "want": 2, "plan": 1, "should": 0.7,
            "must": 0.6, "need": 0.6, "may": 0.4, "decide": 0.6, "prepare": 0.5, "willing": 0.2},
    "ach2": {"hab": 1.4, "past": 3, "fut": 1, "yao": 1, "perf": 1, "should": 0.7, "must": 0.3, "want": 0.6},
    "recv": {"past": 4},
    "recv2": {"past": 4},
    "go": {"hab": 0.7, "past": 3.5, "fut": 1.8, "hui": 0.6, "yao": 2, "exp": 1.8, "want": 2, "plan": 1.5, "hope": 0.8,
           "decide": 0.6, "prepare": 0.4},
    "gofut": {"hab": 0.8, "past": 2, "fut": 2.5, "yao": 2, "want": 2, "plan": 1.5, "decide": 0.7, "prepare": 0.4},
    "habit": {"hab": 3, "fut": 1.4, "yao": 1, "want": 1.2, "like": 1.5, "plan": 0.5, "past": 1},
    "habit2": {"hab": 3, "fut": 1.2, "yao": 1, "want": 1.2, "like": 1.2, "plan": 0.5, "past": 1, "zhengzai": 1,
               "zai": 1.2, "begin": 0.4, "should": 0.4},
    "act2": {"hab": 1, "past": 2, "fut": 1, "zai": 1.5, "zhengzai": 1, "want": 1, "plan": 0.5},
    "habit3": {"fut": 2, "yao": 1, "past": 2},
    "habit4": {"hab": 1, "want": 1.5},
    "daily": {"hab": 3, "past": 2, "fut": 0.5},
    "once": {"past": 2, "fut": 2, "plan": 2, "yao": 2, "decide": 0.6, "want": 0.5},
    "keep": {"past": 0.6, "want": 2, "exp": 1.5},
    "prog": {"zhengzai": 1, "zai": 1},
    "wear": {"hab": 1.5, "past": 2, "want": 2, "like": 2, "should": 0.6},
    "animal": {"hab": 1, "past": 1},
}
TIMED = {"fut": "fut", "hui": "fut", "hab": "hab"}
MAY_BE_TIMED = {"past": ("past", 0.8), "yao": ("fut", 0.5), "plan": ("fut", 0.5), "must": ("fut", 0.3),
                "want": ("fut", 0.2), "need": ("fut", 0.4), "may": ("fut", 0.3), "should": ("fut", 0.2),
                "prepare": ("fut", 0.4), "decide": ("fut", 0.2)}
NEGATABLE = {"hab", "past", "hui", "exp", "perf", "want", "plan", "like", "know_how", "can"}
HABIT_ADVERBS = [("常常", "often"), ("经常", "often"), ("总是", "always"), ("有时候", "sometimes"),
                 ("通常", "usually"), ("很少", "rarely"), ("一般", "usually")]
FUTURE_ADVERBS = [("一定", "definitely"), ("大概", "probably"), ("也", "also")]
PARTNER_MODES = {"hab", "past", "fut", "yao", "want", "zhengzai", "zai", "plan"}


def prepare(g):
    g.frames["rel"] = [f for f in ACTIONS if "rel" in f.flags]


def context_of(mode, neg=False, question=False):
    if neg or mode in ("hab", "like", "willing", "begin"):
        return "hab"
    if mode == "perf":
        return "def"
    return "indef"


def choose_mode(g, frame, allowed=None):
    table = dict(ASPECTS[frame.m[0]])
    if "skill" in frame.flags:
        table["know_how"] = 1.2
    if "*" not in frame.zh:
        table.pop("exp", None)
    options = [(weight, mode) for mode, weight in table.items() if allowed is None or mode in allowed]
    return g.weighted(options) if options else None


def choose_frame(g, allowed=None, test=None):
    for _ in range(40):
        frame = g.pick(ACTIONS)
        if test and not test(frame):
            continue
        mode = choose_mode(g, frame, allowed)
        if mode:
            return frame, mode
    return None, None


def choose_subject(g, frame, question=False, pronouns=True):
    return g.person(frame.s, question, pronouns, gendered="poss" in frame.flags)


def adverb(g, mode):
    if mode == "hab":
        return pair(*g.pick(HABIT_ADVERBS))
    if mode in ("fut", "hui") and g.chance(0.2):
        return pair(*g.pick(FUTURE_ADVERBS))
    if mode in ("past", "want", "like", "yao") and g.chance(0.06):
        return pair("也", "also")
    return None


def event(g, subject=None, allowed=None, frame_test=None, neg=None, timed=True, placed=True, front=None,
          question=None, frame=None, mode=None, context=None, drop_subject=False, adverbs=True):
    """A clause about one event, with its time and place where they fit."""
    if frame is None:
        frame, mode = choose_frame(g, allowed, frame_test)
    elif mode is None:
        mode = choose_mode(g, frame, allowed)
    if not frame or not mode:
        return None
    interrogative = question is not None
    subject = subject or choose_subject(g, frame, interrogative)
    if neg is None:
        neg = mode in NEGATABLE and not interrogative and g.chance(0.16)
    if mode == "hab" and (set(frame.to) & {"trip", "zoo", "city", "hospital"} or "{city}" in frame.zh or neg and "def" in frame.flags):
        return None
    verb = g.verb_phrase(frame, subject, context or context_of(mode, neg, interrogative), question=interrogative)
    time = None
    extra = None
    if timed:
        if mode in TIMED:
            if mode == "hab":
                if neg:
                    extra = None
                elif g.chance(0.5):
                    extra = adverb(g, mode)
                else:
                    time = g.time("hab", frame)
                if time is None and extra is None and not neg:
                    return None
            else:
                time = g.time(TIMED[mode], frame)
                if time is None:
                    return None
                extra = adverb(g, mode) if adverbs and not neg else None
        elif mode in MAY_BE_TIMED:
            tense, share = MAY_BE_TIMED[mode]
            if g.chance(share):
                time = g.time(tense, frame)
            if adverbs and not neg and not time and not interrogative:
                extra = adverb(g, mode)
    elif mode in ("hab",) and not interrogative and not neg:
        extra = adverb(g, mode)
    place = None
    if placed and frame.at and frame.at != ("",) and mode not in ("perf", "exp", "know_how") and g.chance(0.5):
        places = g.places(frame.at)
        if places:
            place = g.place_at(g.place(frame.at, frame.zh))
    if front is None:
        front = bool(time) and not interrogative and mode != "hab" and g.chance(0.35)
    if question == "wh":
        question = None
    clause = g.clause(subject, verb, mode, neg, extra, time, front, place, question, drop_subject=drop_subject)
    return clause, subject, mode, frame


def statement(g):
    made = event(g)
    return made and (made[0], "。")


def question_ma(g):
    mark = new_group()
    made = event(g, question="ma", neg=False, allowed={
        "hab", "past", "fut", "hui", "yao", "zhengzai", "zai", "exp", "want", "plan", "like", "know_how", "may",
        "need", "willing"})
    if not made:
        return None
    clause = made[0]
    return Piece(clause.zh + [token("吗", "q")], clause.en), "？"


def question_anota(g):
    made = event(g, question="anota", neg=False, allowed={"want", "like", "know_how", "hui", "yao"})
    return made and (made[0], "？")


def question_meiyou(g):
    frame, mode = choose_frame(g, {"past"}, lambda f: "{p}" not in f.zh and f.m[0] not in ("recv", "recv2", "wear", "keep")
                               and ("imp" in f.flags or "def" in f.flags) and not f.zh.startswith(("坐", "找")))
    if not frame:
        return None
    subject = choose_subject(g, frame, True)
    if subject.person[0] == "1":
        return None
    verb = g.verb_phrase(frame, subject, "def", question=True)
    clause = g.clause(subject, verb, "done", question="ma")
    group = new_group()
    return Piece(clause.zh + [token("了", "q"), token("没有", group)], clause.en + [token("yet", group)]), "？"


def question_what(g):
    frame, mode = choose_frame(g, {"past", "want", "like", "zhengzai", "zai", "plan", "fut", "yao"},
                               lambda f: f.zh in ("看* {o}", "吃* {o}", "喝* {o}", "买* {o}", "写* {o}", "画* {o}", "点* {o}",
                                                  "听* {o}", "修* {o}", "找* {o}", "卖* {o}", "做* {o}", "翻译* {o}",
                                                  "下载* {o}", "学* {sj}", "借* {o}"))
    if not frame:
        return None
    group = new_group()
    kind = g.weighted([(4, "what"), (2, "which"), (2, "howmany")])
    subject = choose_subject(g, frame, True)
    if "{sj}" in frame.zh:
        return None
    if kind == "what":
        gap = Piece([token("什么", group)], [])
        wh = [token("what", group)]
    else:
        noun = g.pick(g.nouns(frame.o))
        g.combine("object", frame.zh, noun.zh)
        np = g.noun_phrase(noun, kind)
        gap, wh = Piece(np.zh, []), np.en
        if kind == "howmany" and mode not in ("past", "want", "fut", "plan", "yao"):
            return None
        if kind == "which" and mode in ("zhengzai",):
            return None
    verb = g.verb_phrase(frame, subject, gap=gap)
    time = None
    if mode == "past":
        time = g.time("past", frame) if g.chance(0.6) else None
    elif mode == "fut":
        time = g.time("fut", frame)
        if not time:
            return None
    place = g.place_at(g.place(frame.at, frame.zh)) if frame.at and g.places(frame.at) and g.chance(0.2) else None
    return g.clause(subject, verb, mode, time=time, place=place, question="wh", fronted=wh), "？"


def question_who(g):
    group = new_group()
    frame, mode = choose_frame(g, {"past", "want", "zhengzai", "zai", "know_how", "fut", "exp", "like", "yao"},
                               lambda f: "poss" not in f.flags)
    from grammar import NounPhrase
    who = NounPhrase([token("谁", group)], [token("who", group)], "3m", key="who")
    if not frame:
        return None
    made = event(g, subject=who, frame=frame, mode=mode, neg=False, question="wh")
    return made and (made[0], "？") if made and made[0].zh[0].text == "谁" else None


def question_wh_adjunct(g):
    kind = g.weighted([(3, "where"), (3, "when"), (3, "why"), (1.2, "withwho")])
    group = new_group()
    allowed = {"past", "want", "fut", "plan", "zai", "hab", "yao"}
    if kind == "where":
        frame, mode = choose_frame(g, {"past", "fut", "zai", "hab"}, lambda f: f.at and len(g.places(f.at)) > 3)
        where = Piece([token("在", group), token("哪儿", group)], [])
        wh = [token("where", group)]
    elif kind == "when":
        frame, mode = choose_frame(g, {"past", "plan", "yao", "want"})
        wh = [token("when", group)]
    elif kind == "why":
        frame, mode = choose_frame(g, {"past", "want", "like", "plan", "zai"})
        wh = [token("why", group)]
    else:
        frame, mode = choose_frame(g, {"past", "fut", "want", "hab"}, lambda f: "social" in f.flags)
        wh = [token("who", group)]
    if not frame:
        return None
    subject = choose_subject(g, frame, True)
    neg = kind == "why" and mode in ("past", "want", "like") and g.chance(0.5)
    if neg and frame.m[0].startswith("recv"):
        return None
    if kind == "why" and mode == "zai" or kind in ("when", "why") and subject.person == "1s":
        return None
    verb = g.verb_phrase(frame, subject, context_of(mode, True), question=True)
    time = place = adverb_piece = None
    if kind == "where":
        place = where
        if mode == "past" and g.chance(0.5):
            time = g.time("past", frame)
        if mode == "fut":
            time = g.time("fut", frame)
        if mode == "hab":
            adverb_piece = pair(*g.pick(HABIT_ADVERBS[:2] + HABIT_ADVERBS[4:5]))
        if mode == "fut" and not time:
            return None
    elif kind == "when":
        past = mode == "past"
        adverb_piece = Piece(([token("是", "shi")] if past else []) + [token("什么", group), token("时候", group)], [])
        piece = g.clause(subject, verb, mode, adverb=adverb_piece, question="wh", fronted=wh, bare_past=past)
        return Piece(piece.zh + ([token("的", "shi")] if past else []), piece.en), "？"
    elif kind == "why":
        why = Piece([token("为什么", group)], [])
        if mode == "past":
            time = g.time("past", frame) if g.chance(0.4) else None
        piece = g.clause(subject, verb, mode, neg=neg, adverb=why, time=time, question="wh", fronted=wh)
        return piece, "？"
    else:
        with_group = new_group()
        adverb_piece = Piece([token("跟", with_group), token("谁", group), token("一起", with_group)], [])
        if mode in ("fut",):
            time = g.time("fut", frame)
            if not time:
                return None
        if mode == "past" and g.chance(0.6):
            time = g.time("past", frame)
        if mode == "hab":
            return None
        piece = g.clause(subject, verb, mode, time=None, question="wh", fronted=wh)
        zh_subject = len(subject.zh)
        # 跟谁一起 follows the time and precedes the modal or the verb.
        zh = piece.zh[:zh_subject] + (time.zh if time else []) + adverb_piece.zh + piece.zh[zh_subject:]
        if mode == "want":
            zh = piece.zh[:zh_subject + 1] + adverb_piece.zh + piece.zh[zh_subject + 1:]
        en = piece.en + [token("with", with_group)] + (time.en if time else [])
        return Piece(zh, en), "？"
    return g.clause(subject, verb, mode, adverb=adverb_piece, time=time, place=place, question="wh", fronted=wh), "？"


def companions(g):
    """X 跟 Y 一起 …: together with somebody."""
    frame, mode = choose_frame(g, PARTNER_MODES, lambda f: "social" in f.flags)
    if not frame:
        return None
    if mode == "hab" and ({"trip", "zoo", "city"} & set(frame.to) or "def" in frame.flags):
        return None
    subject = choose_subject(g, frame)
    partner = g.other_person(subject)
    with_group = new_group()
    together = Piece([token("跟", with_group)] + partner.zh + [token("一起", with_group)],
                     [token("with", with_group)] + partner.acc)
    time = None
    if mode in ("past", "fut", "yao", "hab"):
        time = g.time({"yao": "fut"}.get(mode, mode), frame)
        if not time:
            return None
    verb = g.verb_phrase(frame, subject, context_of(mode))
    modal = mode in ("want", "plan", "zhengzai", "zai", "yao")
    front = bool(time) and g.chance(0.35)
    base = g.clause(subject, verb, mode, time=None)
    at = len(subject.zh) + (1 if modal else 0)
    zh_time = time.zh if time else []
    en_time = time.en if time else []
    if front:
        zh = zh_time + base.zh[:at] + together.zh + base.zh[at:]
        en = en_time + base.en + together.en
    else:
        zh = base.zh[:len(subject.zh)] + zh_time + base.zh[len(subject.zh):at] + together.zh + base.zh[at:]
        en = base.en + together.en + en_time
    return Piece(zh, en), "。"


# What nobody is told not to do.
WHOLESOME = ("锻炼", "洗", "刷", "复习", "做* 作业", "背", "吃* 药", "准备", "打扫", "收拾", "练习", "看* 医生", "吃* 早饭", "吃* 午饭", "吃* 晚饭",
             "查", "休息", "浇", "学", "给^2 {p} 打")


def imperative(g):
    frame, _ = choose_frame(g, None, lambda f: "imp" in f.flags and "poss" not in f.flags)
    kind = g.weighted([(3, "please"), (2.5, "dont"), (2, "lets"), (1.5, "canyou"), (1, "wo"), (1, "remember"), (1, "dontforget")])
    you = g.pronoun("1p" if kind == "lets" else "1s" if kind == "wo" else "2s")
    context = "def" if kind != "lets" else "indef"
    if kind == "dont":
        context = "def"
        if frame.zh.startswith(WHOLESOME):
            return None
    if kind in ("lets",) and frame.m[0] in ("ach2",):
        return None
    verb = g.verb_phrase(frame, you, context)
    verb = Piece([t for t in verb.zh if t.text != "*"], g._resolve(verb.en, "2s"))
    now = ""
    if kind == "please":
        when = g.time("fut", frame, clock=False) if g.chance(0.4) else None
        if when and "imp" in frame.flags:
            return fill("请 {t} {v}", "please {v} {t}", {"v": verb, "t": when}), "。"
        piece = fill("请 {v}", "please {v}", {"v": verb})
        return piece, "。"
    if kind == "dont":
        extra = g.weighted([(3, None), (2, ("在 这儿", "here^1")), (2, ("现在", "now"))])
        if extra is None or frame.at == ():
            return fill("别 {v}", "don't {v}", {"v": verb}), "。"
        here = "这儿" in extra[0]
        return fill(("别^1 在^2 这儿^2" if here else "现在^2 别^1") + " {v}",
                    "don't^1 {v} " + ("here^2" if here else "now^2"), {"v": verb}), "。"
    if kind == "lets":
        when = g.time("fut", frame, clock=False) if g.chance(0.5) else None
        if when:
            return fill("我们^1 {t} {v} 吧^1", "let's^1 {v} {t}", {"v": verb, "t": when}), "。"
        return fill("我们^1 一起^2 {v} 吧^1", "let's^1 {v} together^2", {"v": verb}), "。"
    if kind == "canyou":
        return fill("你^1 能^2 {v} 吗^0", "can^2 you^1 {v}", {"v": verb}), "？"
    if kind == "wo":
        return fill("我^1 可以^2 {v} 吗^0", "can^2 I^1 {v}", {"v": verb}), "？"
    if kind == "remember":
        return fill("记得 {v}", "remember^1 to^1 {v}", {"v": verb}), "。"
    return fill("别^1 忘了^2 {v}", "don't^1 forget^2 to^2 {v}", {"v": verb}), "。"


def report(g):
    """Reported speech and thought; the reporting verb sets the tense."""
    reporter = g.person(("adult",))
    made = event(g, allowed={"past", "fut", "hui", "yao", "want", "plan", "exp", "perf", "hab", "know_how", "should", "zai", "like"},
                 subject=None)
    if not made or made[3].zh.startswith(("擦", "搬*", "关上", "打开")):
        return None
    clause, subject, mode, frame = made
    if "".join(t.text for t in subject.zh) == "".join(t.text for t in reporter.zh):
        return None
    if subject.person[0] == "2" or clause.en[0].text == "that":
        return None
    kind = g.weighted([(4, "说"), (2.5, "告诉"), (2.5, "知道"), (2, "听说"), (1.5, "希望"), (1.5, "不知道"), (4, "担心"), (1, "发现"), (6, "相信"), (1, "记得")])
    if kind == "说":
        piece = g.template("{s} 说^1 {c}", "{s} [say]^1 that^1 {c}", reporter, c=clause)
    elif kind == "告诉":
        hearer = g.other_person(reporter)
        piece = g.template("{s} 告诉^1 {h} {c}", "{s} [tell:past]^1 {h} that^2 {c}", reporter, h=hearer.accusative(), c=clause)
        if mode not in ("past",):
            return None
    elif kind == "知道":
        if mode in ("should",):
            return None
        piece = g.template("{s} 知道^1 {c}", "{s} [know]^1 that^1 {c}", reporter, c=clause)
    elif kind == "听说":
        piece = g.template("听说^1 {c}", "I^1 heard^1 that^1 {c}", None, c=clause) if g.chance(0.5) else g.template(
            "{s} 听说^1 {c}", "{s} [hear:past]^1 that^1 {c}", reporter, c=clause)
        if mode not in ("past", "want", "hab", "plan"):
            if mode not in ("fut", "yao", "perf", "exp"):
                return None
            if "听说" not in piece.zh[0].text:
                return None
    elif kind == "希望":
        if mode not in ("fut", "hui"):
            return None
        piece = g.template("{s} 希望^1 {c}", "{s} [hope]^1 that^1 {c}", reporter, c=clause)
    elif kind == "不知道":
        if mode not in ("past", "hab", "plan", "like") or reporter.person[0] != "3":
            return None
        piece = g.template("{s} 不^1 知道^2 {c}", "{s} [do]^2 not^1 know^2 that^2 {c}", reporter, c=clause)
        en = []
        for t in piece.en:
            if t.text == "not" and en and en[-1].text in ("do", "does"):
                last = en.pop()
                en.append(token(last.text + "n't", *(last.groups + t.groups)))
            else:
                en.append(t)
        piece = Piece(piece.zh, en)
    elif kind == "担心":
        if mode not in ("hui",):
            return None
        piece = g.template("{s} 担心^1 {c}", "{s} [be]^1 worried^1 that^1 {c}", reporter, c=clause)
    elif kind == "发现":
        if mode not in ("past",):
            return None
        piece = g.template("{s} 发现^1 {c}", "{s} [find:past]^1 out^1 that^1 {c}", reporter, c=clause)
    elif kind == "相信":
        if mode not in ("hui", "know_how"):
            return None
        piece = g.template("{s} 相信^1 {c}", "{s} [believe]^1 that^1 {c}", reporter, c=clause)
    else:
        if mode not in ("past",):
            return None
        piece = g.template("{s} 记得^1 {c}", "{s} [remember]^1 that^1 {c}", reporter, c=clause)
    return piece, "。"


def embedded_question(g):
    """我不知道他什么时候…: the order stays that of a statement."""
    group = new_group()
    kind = g.weighted([(1, "when"), (1, "why"), (1, "where"), (1, "whether")])
    subject = None
    if kind == "where":
        frame, mode = choose_frame(g, {"zai"}, lambda f: f.at and len(g.places(f.at)) > 3)
    else:
        frame, mode = choose_frame(g, {"past", "want", "yao"} if kind != "whether" else {"hui", "want", "like", "know_how"})
    if not frame:
        return None
    subject = choose_subject(g, frame)
    if (subject.person[0] in "12" or kind == "when" and mode == "want"
            or kind == "why" and mode == "past" and not (frame.m[0].startswith("recv") or frame.m[0] in ("go", "gofut", "once"))):
        return None
    verb = g.verb_phrase(frame, subject, "hab")
    if kind == "where":
        inner = g.clause(subject, verb, mode, place=Piece([token("在", group), token("哪儿", group)], []), bare_past=True)
    elif kind == "whether":
        marked = g.clause(subject, verb, mode, question="anota")
        plain = g.clause(subject, verb, mode)
        # The Chinese of the A-not-A question with the English of the statement.
        inner = _regroup(marked, plain)
    else:
        words = [token("什么", group), token("时候", group)] if kind == "when" else [token("为什么", group)]
        when = kind == "when" and mode == "past"
        inner = g.clause(subject, verb, mode, adverb=Piece(([token("是", "shi")] if when else []) + words, []), bare_past=when)
        if when:
            inner = Piece(inner.zh + [token("的", "shi")], inner.en)
    wh = {"when": "when", "why": "why", "where": "where", "whether": "whether"}[kind]
    c = Piece(inner.zh, [token(wh, group)] + inner.en)
    start = g.weighted([(3, 0), (2, 1), (2, 2), (1.5, 3), (1, 4)])
    if start == 0:
        return fill("我^3 不^1 知道^2 {c}", "I^3 don't^1 know^2 {c}", {"c": c}), "。"
    if start == 1:
        return fill("你^3 知道^2 {c} 吗^0", "do^2 you^3 know^2 {c}", {"c": c}), "？"
    if start == 2:
        other = g.person(("adult",))
        return g.template("{s} 想^1 知道^2 {c}", "{s} [want]^1 to^1 know^2 {c}", other, c=c), "。"
    if start == 3:
        other = g.person(("adult",))
        return g.template("{s} 问^1 我^2 {c}", "{s} [ask]^1 me^2 {c}", other, c=c) if other.person[0] == "3" else None, "。"
    return fill("没^1,2 人^1 知道^2 {c}", "nobody^1 knows^2 {c}", {"c": c}), "。"


def _regroup(marked, plain):
    """Chinese of one rendering, English of another, matched word by word."""
    mapping = {}
    position = 0
    for item in plain.zh:
        while position < len(marked.zh) and marked.zh[position].text != item.text:
            position += 1
        if position < len(marked.zh):
            for new, old in zip(item.groups, marked.zh[position].groups):
                mapping[new] = old
            position += 1
    en = [t._replace(groups=tuple(mapping.get(x, x) for x in t.groups)) for t in plain.en]
    return Piece(marked.zh, en)


def causative(g):
    frame, _ = choose_frame(g, None, lambda f: "imp" in f.flags and ("person" in f.s or "adult" in f.s) and f.m[0] != "go")
    causer = g.person(("adult",))
    person = g.other_person(causer)
    verb = g.verb_phrase(frame, person, "def")
    verb = Piece([t for t in verb.zh if t.text != "*"], g._resolve(verb.en, person.person))
    if "poss" in frame.flags and not person.gendered:
        return None
    kind = g.weighted([(2, "让"), (2, "叫"), (2, "请"), (1, "不让"), (1, "提醒")])
    if kind == "不让" and frame.zh.startswith(WHOLESOME):
        return None
    time = g.time("past", frame, clock=False) if g.chance(0.4) and kind not in ("不让",) else None
    front = g.chance(0.5)
    lead = Piece(time.zh, time.en) if time and front else EMPTY
    mid_zh = Piece(time.zh, []) if time and not front else EMPTY
    tail = Piece([], time.en) if time and not front else EMPTY
    slots = dict(l=lead, m=mid_zh, e=tail, p=person.accusative(), v=verb)
    table = {
        "让": ("{l} {s} {m} 让^1 {p} {v}", "{l} {s} [ask:past]^1 {p} to^1 {v} {e}"),
        "叫": ("{l} {s} {m} 叫^1 {p} {v}", "{l} {s} [tell:past]^1 {p} to^1 {v} {e}"),
        "请": ("{l} {s} {m} 请^1 {p} {v}", "{l} {s} [ask:past]^1 {p} to^1 {v} {e}"),
        "不让": ("{s} 不^1 让^2 {p} {v}", "{s} [do]^2 not^1 let^2 {p} {v}"),
        "提醒": ("{l} {s} {m} 提醒^1 {p} {v}", "{l} {s} [remind:past]^1 {p} to^1 {v} {e}"),
    }
    piece = g.template(*table[kind], causer, **slots)
    return Piece(piece.zh, contract(piece.en)), "。"


def contract(tokens):
    """Merges a finite auxiliary and a following `not`."""
    from grammar import CONTRACTED
    merged = []
    for item in tokens:
        if item.text == "not" and merged and merged[-1].text in CONTRACTED:
            last = merged.pop()
            merged.append(token(CONTRACTED[last.text], *(last.groups + item.groups)))
        else:
            merged.append(item)
    return merged


def never(g):
    made_frame, mode = choose_frame(g, {"exp"}, lambda f: f.m[0] == "keep" or f.m[0] == "go" and not f.zh.startswith("来") and (not f.to or "trip" in f.to) or "skill" in f.flags and "*" in f.zh or set(f.o) & {"wear_c", "exhib", "art"})
    if not made_frame:
        return None
    subject = choose_subject(g, made_frame)
    verb = g.verb_phrase(made_frame, subject, "hab")
    zh_verb = []
    group = new_group()
    for item in verb.zh:
        zh_verb.append(item._replace(text="过") if item.text == "*" else item)
    if all(item.text != "过" for item in zh_verb):
        return None
    have = "have" if subject.person in ("1s", "2s", "1p", "2p", "3p") else "has"
    from grammar import conjugate
    head = verb.en[0]
    en = subject.en + [token(have, *head.groups), token("never", group), token("been" if head.text == "go" else conjugate(head.text, "pp"), *head.groups)] + g._resolve(verb.en[1:], subject.person)
    zh = subject.zh + [token("从来", group), token("没", group)] + zh_verb
    return Piece(zh, en), "。"


def never_does(g):
    frame, mode = choose_frame(g, {"hab"}, lambda f: f.m[0] in ("act", "habit", "habit2", "go"))
    if not frame:
        return None
    subject = choose_subject(g, frame)
    verb = g.verb_phrase(frame, subject, "hab")
    group = new_group()
    base = g.clause(subject, verb, "hab", adverb=Piece([token("从来", group), token("不", group)], [token("never", group)]))
    return base, "。"


def just_did(g):
    frame, mode = choose_frame(g, {"past"}, lambda f: "now" in f.t)
    if not frame:
        return None
    subject = choose_subject(g, frame)
    verb = g.verb_phrase(frame, subject, "def")
    group = new_group()
    return g.clause(subject, verb, "past", adverb=Piece([token("刚", group)], [token("just", group)])), "。"


def shi_de(g):
    """是…的 stresses when, where, with whom or how something happened."""
    frame, mode = choose_frame(g, {"past"}, lambda f: f.zh in ("买* {o}", "写* {o}", "画* {o}", "拍* {o}", "做* {o}", "租* {o}", "收到* {o}", "借* {o}"))
    if not frame:
        return None
    subject = choose_subject(g, frame, pronouns=True)
    if "{o}" in frame.zh:
        noun = g.pick(g.nouns(frame.o))
        g.combine("object", frame.zh, noun.zh)
        np = g.noun_phrase(noun, g.weighted([(1, "this"), (1, "that")]))
        time = g.day()
        place = g.place_at(g.place(frame.at, frame.zh)) if frame.at and g.places(frame.at) else None
        if not time or frame.zh not in ("买* {o}", "写* {o}", "画* {o}", "拍* {o}", "做* {o}", "租* {o}", "收到* {o}", "借* {o}"):
            return None
        verb = g.verb_phrase(frame, subject, gap=EMPTY)
        focus = "place" if place and g.chance(0.5) else "time"
        base = g.clause(subject, verb, "past", time=time if focus == "time" else None,
                        place=place if focus == "place" else None, bare_past=True)
        shi, was = new_group(), new_group()
        zh = np.zh + [token("是", shi)] + base.zh + [token("的", shi)]
        # 这本书是我昨天买的 -> I bought this book yesterday
        at = len(base.en) - len((time if focus == "time" else place).en)
        en = base.en[:at] + np.en + base.en[at:]
        return Piece(zh, en), "。"
    return None


def passive(g):
    """被: something unpleasant happened to a thing."""
    made = g.pick(PASSIVES)
    zh, en, classes, agents = made
    noun = g.pick(g.nouns(classes.split()))
    g.combine("object", zh, noun.zh)
    np = g.thing_phrase(noun, g.weighted([(1, "def")]))
    if np.heavy:
        return None
    kind = g.weighted([(2, "agent"), (1, "none")])
    time = g.time("past", None, clock=False) if g.chance(0.4) else None
    if agents == "people":
        agent = g.person(("adult",), pronouns=False)
    elif agents == "kids":
        agent = g.person(("kid",), pronouns=False)
    elif agents == "wind":
        agent = None
        by = pair("风", "the wind")
    elif agents == "pets":
        agent = g.thing_phrase(g.pick(g.nouns(["pet"])), "def")
        if agent.heavy or agent.plural:
            return None
    else:
        agent = None
        by = pair("人", "someone")
    if agent is not None:
        by = agent.accusative()
    t = time or EMPTY
    if kind == "none" and agents in ("someone", "people"):
        return g.template("{s} {t} 被^1 " + zh, "{s} [be:past]^1 " + en + " {t}", np, t=t), "。"
    return g.template("{s} {t} 被^1 {a} " + zh, "{s} [be:past]^2 " + en + " by^1 {a} {t}", np, t=t, a=by), "。"


PASSIVES = [
    ("偷^2 走^2 了^2", "stolen^2", "device vehicle2 dear lose", "someone"),
    ("借^2 走^2 了^2", "borrowed^2", "book_borrow vehicle2 instrument umb tool", "people"),
    ("拿^2 走^2 了^2", "taken^2 away^2", "item toy study", "people"),
    ("打^2 破^2 了^2", "broken^2", "dish small_glass open_window", "kids"),
    ("吃^2 了^2", "eaten^2", "snack cake fruit", "kids"),
    ("弄^2 脏^2 了^2", "dirtied^2", "wear furn_soft", "kids"),
    ("吹^2 走^2 了^2", "blown^2 away^2", "hatlike", "wind"),
    ("咬^2 坏^2 了^2", "chewed^2 up^2", "shoe toy soft", "pets"),
    ("卖^2 掉^2 了^2", "sold^2", "vehicle house furn", "people"),
    ("修^2 好^2 了^2", "repaired^2", "device vehicle vehicle2 appliance", "people"),
    ("撕^2 坏^2 了^2", "torn^2", "paper", "kids"),
]


def disposal(g):
    """把: a definite thing is put, handed, or changed."""
    zh, en, classes, subject_class = g.pick(DISPOSALS)
    noun = g.pick(g.nouns(classes.split()))
    g.combine("object", zh, noun.zh)
    np = g.thing_phrase(noun, "def")
    poss = "POSS" in en
    subject = g.person(tuple(subject_class.split()), gendered=poss)
    receiver = g.other_person(subject)
    if np.heavy and "走" in zh + "回" and zh.startswith(("还", "借^1 走")):
        return None
    kind = g.weighted([(5, "past"), (2, "please"), (1.2, "want"), (1.2, "already"), (1, "neg"), (1, "q")])
    if zh.startswith(("忘", "打^1 破")):
        kind = "past"
    if kind in ("please", "q"):
        receiver = g.name() if g.chance(0.5) else g.partner(g.pronoun("1s")) or g.name()
        while receiver.key == "pro":
            receiver = g.name()
    slots = dict(o=np.accusative(), p=receiver.accusative())
    verb_en, _, rest = en.partition(" ")
    word, _, tag = verb_en.partition("^")
    zh_le = zh + " 了^" + tag
    zh_plain = zh
    tagx = "^" + tag
    if kind == "past":
        time = g.time("past", None, clock=False) if g.chance(0.4) else None
        t = time or EMPTY
        if time and g.chance(0.4):
            return g.template("{t} {s} 把%s {o} %s" % (tagx, zh_le), "{t} {s} [%s:past]%s %s" % (word, tagx, rest), subject, t=t, **slots), "。"
        return g.template("{s} {t} 把%s {o} %s" % (tagx, zh_le), "{s} [%s:past]%s %s {t}" % (word, tagx, rest), subject, t=t, **slots), "。"
    if kind == "please":
        return g.template("请^9 把%s {o} %s" % (tagx, zh_plain), "please^9 %s%s %s" % (word, tagx, rest.replace("POSS", "your").replace("/s", "")), None, **slots), "。"
    if kind == "want":
        return g.template("{s} 想^8 把%s {o} %s" % (tagx, zh_plain), "{s} [want]^8 to^8 %s%s %s" % (word, tagx, rest), subject, **slots), "。"
    if kind == "already":
        return g.template("{s} 已经^8 把%s {o} %s" % (tagx, zh_le), "{s} [have]%s already^8 [%s:pp]%s %s" % (tagx, word, tagx, rest), subject, **slots), "。"
    if kind == "neg":
        piece = g.template("{s} 没^8 把%s {o} %s" % (tagx, zh_plain), "{s} didn't^8%s %s%s %s" % (",1", word, tagx, rest), subject, **slots)
        return piece, "。"
    you = g.pronoun("2s")
    return g.template("你^7 能^8 把%s {o} %s 吗^0" % (tagx, zh_plain), "can^8 you^7 %s%s %s" % (word, tagx, rest.replace("POSS", "your").replace("/s", "")), None, **slots), "？"


DISPOSALS = [
    ("放^1 在^2 桌子^3 上^2", "put^1 {o} on^2 the^3 table^3", "book_borrow item dish toy study", "person"),
    ("放^1 在^2 书架^3 上^2", "put^1 {o} on^2 the^3 bookshelf^3", "book_borrow photo", "person"),
    ("放^1 在^2 冰箱^3 里^2", "put^1 {o} in^2 the^3 refrigerator^3", "food_cold fruit drinkmilk", "person"),
    ("放^1 在^2 书包^3 里^2", "put^1 {o} in^2 POSS^3 schoolbag/s^3", "study", "stu kid"),
    ("放^1 进^2 盒子^3 里^2", "put^1 {o} into^2 the^3 box^3", "toy photo paper", "person"),
    ("放^1 进^2 行李箱^3 里^2", "put^1 {o} into^2 the^3 suitcase^3", "wear", "adult"),
    ("挂^1 在^2 墙^3 上^2", "hang^1 {o} on^2 the^3 wall^3", "art photo map_", "adult"),
    ("还^1 给^2 {p}", "return^1 {o} to^2 {p}", "book_borrow vehicle2 umb tool instrument_small", "person"),
    ("送^1 给^2 {p}", "give^1 {o} to^2 {p}", "gift", "adult"),
    ("借^1 给^2 {p}", "lend^1 {o} to^2 {p}", "book_borrow vehicle2 vehicle_car umb", "adult"),
    ("交^1 给^2 {p}", "hand^1 {o} to^2 {p}", "doc lose_key", "person"),
    ("寄^1 给^2 {p}", "mail^1 {o} to^2 {p}", "mail_paper photo mail2 card", "adult"),
    ("发^1 给^2 {p}", "send^1 {o} to^2 {p}", "email doc photo media", "adult"),
    ("拿^1 给^2 {p}", "bring^1 {o} to^2 {p}", "dish study item", "person"),
    ("洗^1 干净^2", "wash^1 {o} clean^2", "laundry dish", "adult"),
    ("修^1 好^1", "fix^1 {o}", "device vehicle vehicle2 appliance", "adult"),
    ("收拾^1 干净^2", "tidy^1 up^2 {o}", "room", "person"),
    ("打开^1", "open^1 {o}", "open open2 mail2", "person"),
    ("关上^1", "close^1 {o}", "open", "person"),
    ("喝^1 完^2", "finish^2 drinking^1 {o}", "drink soup", "person"),
    ("吃^1 完^2", "finish^2 eating^1 {o}", "meal snack", "person"),
    ("看^1 完^2", "finish^2 reading^1 {o}", "lit book_read", "person"),
    ("写^1 完^2", "finish^2 writing^1 {o}", "writework", "adult"),
    ("翻译^1 成^2 英语^3", "translate^1 {o} into^2 English^3", "lit doc lang_s", "adult"),
    ("翻译^1 成^2 汉语^3", "translate^1 {o} into^2 Chinese^3", "lit doc lang_s", "adult"),
    ("忘^1 在^2 家里^3", "leave^1 {o} at^2 home^3", "lose", "person"),
    ("忘^1 在^2 出租车^3 上^2", "leave^1 {o} in^2 the^3 taxi^3", "lose", "adult"),
    ("搬^1 到^2 楼上^3", "carry^1 {o} upstairs^2,3", "furn heavy", "adult"),
    ("搬^1 到^2 外面^3", "carry^1 {o} outside^2,3", "furn heavy", "adult"),
    ("切^1 成^2 两^3 块^4", "cut^1 {o} into^2 two^3 pieces^4", "cake fruit_cut", "adult"),
    ("带^1 回^2 家^3", "take^1 {o} home^2,3", "item pet", "person"),
    ("带^1 到^2 学校^3", "take^1 {o} to^2 school^3", "study toy instrument_small", "stu kid"),
    ("记^1 在^2 本子^3 上^2", "write^1 down^1 {o} in^2 the^3 notebook^3", "lang idea plan", "stu adult"),
    ("扔^1 掉^2", "throw^1 away^2 {o}", "paper container_ dish_old", "person"),
    ("借^1 走^2", "borrow^1,2 {o}", "book_borrow umb", "person"),
    ("关^1 掉^2", "turn^1 off^2 {o}", "switch appliance device", "person"),
    ("打^1 破^2", "break^1,2 {o}", "dish small_glass", "kid"),
]
