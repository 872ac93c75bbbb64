"""Sentence families about states: qualities, comparison, existence, place,
weather, prices, dates, ages, durations, manner and ability.
"""

import inflection
import lexicon
from alignment import EMPTY, Piece, fill, new_group, pair, token
from grammar import NounPhrase
from lexicon import rows
from sentences import contract

DEGREES = [(5, "很", "very"), (2, "非常", "extremely"), (2, "真", "really"), (1.5, "特别", "particularly"),
           (1, "有点儿", "a little"), (1, "比较", "fairly"), (1.5, "太", "too"), (1, "不太", "not very"),
           (1.5, "不", "not"), (1, "更", None), (1, "够", None)]
NEGATIVE_TONE = {"贵", "难", "累", "饿", "渴", "困", "紧张", "害羞", "脏", "无聊", "远", "慢", "重", "忙", "难过", "生气", "小", "旧", "老", "瘦"}


def _thing(g, classes, determiners=((3, "this"), (3, "that"), (2, "the"), (2, "poss"), (1, "these"), (1, "those"), (2, "rel"))):
    noun = g.pick(g.nouns(classes))
    return _described(g, noun, determiners)


def _described(g, noun, determiners=((3, "this"), (3, "that"), (2, "the"), (2, "poss"), (1, "these"), (1, "those"), (2, "rel"))):
    kind = g.weighted(list(determiners))
    if kind == "poss" and not set(noun.classes) & g.OWNED:
        kind = "this"
    if kind == "rel":
        return g.relative(noun) or g.noun_phrase(noun, "that")
    person = "3p" if noun.container == "pair" and kind in ("the", "poss") else "3n"
    return g.noun_phrase(noun, kind, person)


def _subject_for(g, adjective):
    """Something the adjective can be said of."""
    classes = adjective.classes
    if "person" in classes or "stuperson" in classes:
        return g.person(("adult",) if adjective.zh != "认真" else ("stu",))
    nouns = g.nouns(classes)
    if not nouns:
        return None
    g.combine("quality", adjective.zh, "")
    return _thing(g, classes)


def quality(g):
    """S is (very) A, with negation and questions."""
    adjective = g.pick([a for a in lexicon.ADJECTIVES if a.zh not in ("新", "好", "长", "近")])
    subject = _subject_for(g, adjective)
    if subject is None:
        return None
    kind = g.weighted([(7, "degree"), (1.5, "ma"), (1.5, "anota"), (1, "tai"), (1.2, "past"), (1.2, "seem"), (0.8, "neverso")])
    a = pair(adjective.zh, adjective.en)
    if kind == "degree":
        _, zh, en = g.weighted([(d[0], d) for d in DEGREES])
        if zh == "更" or zh == "够" or (zh == "有点儿" and adjective.zh not in NEGATIVE_TONE):
            return None
        if zh == "太" and adjective.zh not in NEGATIVE_TONE:
            return None
        if zh == "太":
            return g.template("{s} 太^1 {a} 了^1", "{s} [be] too^1 {a}", subject, a=a), "。"
        if zh == "不":
            piece = g.template("{s} 不^1 {a}", "{s} [be]^0 not^1 {a}", subject, a=a)
            return Piece(piece.zh, contract(piece.en)), "。"
        if zh == "不太":
            piece = g.template("{s} 不^1 太^2 {a}", "{s} [be]^0 not^1 very^2 {a}", subject, a=a)
            return Piece(piece.zh, contract(piece.en)), "。"
        time = ("今天", "today") if "person" in adjective.classes and adjective.zh in ("忙", "累", "高兴", "紧张", "困", "饿", "渴", "生气", "难过") and g.chance(0.3) else None
        if time:
            return g.template("{s} 今天^2 %s^1 {a}" % zh, "{s} [be]^0 %s {a} today^2" % " ".join(w + "^1" for w in en.split()), subject, a=a), "。"
        return g.template("{s} %s^1 {a}" % zh, "{s} [be]^0 %s {a}" % " ".join(w + "^1" for w in en.split()), subject, a=a), "。"
    if subject.person[0] == "1" and kind in ("ma", "anota"):
        return None
    if kind == "ma":
        return g.template("{s} {a} 吗^0", "[be]^0 {s} {a}", subject, a=a), "？"
    if kind == "anota":
        first = adjective.zh
        if len(first) > 1:
            return None
        return g.template("{s} %s^1 不^1 %s^1" % (first, first), "[be]^0 {s} %s^1" % adjective.en, subject), "？"
    if kind == "tai":
        return g.template("{s} 一点儿^1 都^1 不^1 {a}", "{s} [be]^0 not^1 {a} at^1 all^1", subject, a=a), "。"
    if kind == "past":
        if "person" not in adjective.classes or adjective.zh in ("聪明", "高", "年轻", "老", "有名", "善良"):
            return None
        time = g.day()
        if g.chance(0.5):
            return g.template("{t} {s} 很^1 {a}", "{t} {s} [be:past]^0 very^1 {a}", subject, a=a, t=time), "。"
        return g.template("{s} {t} 很^1 {a}", "{s} [be:past]^0 very^1 {a} {t}", subject, a=a, t=time), "。"
    if kind == "seem":
        return g.template("{s} 看起来^1 很^2 {a}", "{s} [look]^1 very^2 {a}", subject, a=a), "。"
    piece = g.template("{s} 没有^1 那么^2 {a}", "{s} [be]^0 not^1 that^2 {a}", subject, a=a)
    return Piece(piece.zh, contract(piece.en)), "。"


def becoming(g):
    """越来越: more and more."""
    items = list(rows("""
天气|the^1 weather^1|冷 热 暖和 凉快
东西|things^1|贵 便宜
城市|the^1 city^1|大 漂亮 热闹 干净
汉语|Chinese^1|难 有意思
"""))
    adj = {"冷": "cold", "热": "hot", "暖和": "warm", "凉快": "cool", "贵": "expensive", "便宜": "cheap", "大": "big",
           "漂亮": "beautiful", "热闹": "lively", "干净": "clean", "难": "difficult", "有意思": "interesting",
           "方便": "convenient", "慢": "slow", "高": "tall", "忙": "busy", "健康": "healthy", "瘦": "thin", "聪明": "smart", "有名": "famous"}
    if g.chance(0.6):
        subject = g.person(("adult",))
        zh = g.pick(["高", "忙", "健康", "瘦", "聪明", "有名"])
        if zh == "高":
            subject = g.person(("kid",))
    else:
        word, en, choices = g.pick(items)
        subject = None
        zh = g.pick(choices.split())
        piece = fill(word + "^1", en)
        subject = NounPhrase(piece.zh, piece.en, "3p" if word == "东西" else "3n")
    form = inflection.comparative(adj[zh])
    en = "more^1 and^1 %s^2" % form if form.startswith("more ") else "%s^1,2 and^1 %s^2" % (form, form)
    en = "more^1 and^1 more^1 %s^2" % adj[zh] if form.startswith("more ") else en
    return g.template("{s} 越来越^1 %s^2 了^0" % zh, "{s} [be]^0 getting^1 " + en, subject), "。"


COMPARABLE = [tuple(r) for r in rows("""
高|tall|person|3 厘米 centimeter
大|old|age|2 岁 year
忙|busy|person|
年轻|young|person|
瘦|thin|person|
聪明|smart|person|
努力|hardworking|person|
有名|famous|person|
热情|friendly|person|
健康|healthy|person|
贵|expensive|buy|50 块 yuan
便宜|cheap|buy|20 块 yuan
重|heavy|heavy|3 公斤 kilogram
新|new|buy|
大|big|citynoun room house container|
漂亮|beautiful|wear art flower|
可爱|cute|pet|
有意思|interesting|lit film watch|
难|difficult|ask lang|
容易|easy|ask lang|
重要|important|doc event2|
舒服|comfortable|furn|
甜|sweet|fruit|
快|fast|vehicle bigv|
高|tall|bigplant|2 米 meter
高|high|hill|200 米 meter
深|deep|river|2 米 meter
""")]


def comparison(g):
    zh, en, classes, measure = g.pick(COMPARABLE)
    g.combine("compare", zh, classes)
    people = classes in ("person", "age")
    if people:
        first = g.person(("adult",))
        second = g.other_person(first)
        if second.plural or (first.plural and classes == "age"):
            return None
    else:
        noun = g.pick(g.nouns(classes.split()))
        first, second = g.noun_phrase(noun, "this"), g.noun_phrase(noun, "that")
        if g.chance(0.3) and set(noun.classes) & g.OWNED:
            first, second = g.noun_phrase(noun, "poss", owner="1s"), g.noun_phrase(noun, "poss", owner=g.any(["3m", "3f"]))
            if noun.container:
                return None
    more = inflection.comparative(en)
    more_tagged = " ".join(w + "^1" for w in more.split())
    slots = dict(b=second.accusative())
    kind = g.weighted([(3, "plain"), (2, "bit"), (1.5, "much"), (2, "notas"), (2, "same"), (1, "even"), (9 if measure else 0, "measure"),
                       (1, "ma")])
    if kind == "plain":
        return g.template("{s} 比^2 {b} %s^1" % zh, "{s} [be]^0 %s than^2 {b}" % more_tagged, first, **slots), "。"
    if kind == "bit":
        return g.template("{s} 比^2 {b} %s^1 一点儿^3" % zh, "{s} [be]^0 a^3 little^3 %s than^2 {b}" % more_tagged, first, **slots), "。"
    if kind == "much":
        tail = g.weighted([(1, "多^3 了^3"), (1, "得^3 多^3")])
        return g.template("{s} 比^2 {b} %s^1 %s" % (zh, tail), "{s} [be]^0 much^3 %s than^2 {b}" % more_tagged, first, **slots), "。"
    if kind == "notas":
        piece = g.template("{s} 没有^3 {b} 那么^2 %s^1" % zh, "{s} [be]^0 not^3 as^2 %s^1 as^2 {b}" % en, first, **slots)
        return Piece(piece.zh, contract(piece.en)), "。"
    if kind == "same":
        return g.template("{s} 跟^2 {b} 一样^3 %s^1" % zh, "{s} [be]^0 as^3 %s^1 as^2 {b}" % en, first, **slots), "。"
    if kind == "even":
        word = g.any(["更", "还"])
        return g.template("{s} 比^2 {b} %s^3 %s^1" % (word, zh), "{s} [be]^0 even^3 %s than^2 {b}" % more_tagged, first, **slots), "。"
    if kind == "measure":
        amount, unit_zh, unit_en = measure.split()
        number = int(amount)
        number = g.any({3: [2, 3, 5, 8], 2: [2, 3, 4, 5], 50: [20, 50, 100, 200], 20: [10, 20, 30, 50], 200: [200, 300, 500]}[number])
        n_zh, n_en = ("两", "two") if number == 2 else lexicon.NUMBERS[number]
        unit = "yuan" if unit_en == "yuan" else unit_en + "s"
        return g.template("{s} 比^2 {b} %s^1 %s^4 %s^5" % (zh, n_zh, unit_zh),
                          "{s} [be]^0 %s %s^5 %s than^2 {b}" % (" ".join(w + "^4" for w in n_en.split()), unit, more_tagged), first, **slots), "。"
    if kind == "ma":
        if first.person[0] == "1":
            return None
        return g.template("{s} 比^2 {b} %s^1 吗^0" % zh, "[be]^0 {s} %s than^2 {b}" % more_tagged, first, **slots), "？"
    return None


def superlative(g):
    zh, en, classes, _ = g.pick([c for c in COMPARABLE if c[2] not in ("age",) and c[0] not in ("健康", "热情")])
    best = " ".join(w + "^1" for w in inflection.superlative(en).split())
    if classes == "person":
        subject = g.person(("adult",))
        if subject.plural:
            return None
        group = g.pick([("我们 班", "in our^1 class^2", "学生", "student"), ("我们 公司", "in our^1 company^2", "人", "person"),
                        ("我们 学校", "at our^1 school^2", "人", "person"), ("他们 家", "in their^1 family^2", "人", "person")])
        where, w_en, noun_zh, noun_en = group
        if subject.key not in ("name", "pro"):
            return None
        if where == "他们 家" and subject.key != "name":
            return None
        a, b = where.split()
        place = w_en.replace("^1", "^7").replace("^2", "^8")
        return g.template("{s} 是^3 %s^7 %s^8 最^4 %s^1 的^1 %s^5" % (a, b, zh, noun_zh),
                          "{s} [be]^3 the^4 %s %s^5 %s" % (best.replace("most^1", "most^4"), noun_en, place), subject), "。"
    noun = g.pick([n for n in g.nouns(classes.split()) if not n.container])
    if g.chance(0.5):
        np = g.noun_phrase(noun, g.any(["this", "that"]))
        return g.template("{s} 最^4 %s^1" % zh, "{s} [be]^0 the^4 %s" % best.replace("most^1", "most^4"), np), "。"
    where = g.pick([("商店 里", "in^8 the^7 store^7"), ("这儿", "here^7"), ("城 里", "in^8 the^7 city^7")]) if "buy" in classes else ("这儿", "here^7")
    z = " ".join(w + ("^7" if i == 0 else "^8") for i, w in enumerate(where[0].split()))
    if not set(noun.classes) & {"buy", "bigplant", "hill", "river", "room", "house"}:
        return None
    np = g.noun_phrase(noun, g.any(["this", "that"]))
    body = " ".join(w + "^5" for w in noun.en.split())
    return g.template("{s} 是^3 %s 最^4 %s^1 的^1 %s^5" % (z, zh, noun.zh), "{s} [be]^3 the^4 %s %s %s" % (best.replace("most^1", "most^4"), body, where[1]), np), "。"


LOCATIONS = [tuple(r) for r in rows("""
桌子 上|on^2 the^1 table^1|book_borrow paper dish study small photo fruit drink container soup
椅子 上|on^2 the^1 chair^1|book_read wear item pet
床 上|on^2 the^1 bed^1|wear book_read toy device pet
沙发 上|on^2 the^1 sofa^1|wear book_read pet toy
书架 上|on^2 the^1 bookshelf^1|book_borrow photo
墙 上|on^2 the^1 wall^1|art photo map_ 
冰箱 里|in^2 the^1 refrigerator^1|drinkmilk fruit food_cold
书包 里|in^2 the^1 schoolbag^1|study book_borrow
盒子 里|in^2 the^1 box^1|toy photo paper small
行李箱 里|in^2 the^1 suitcase^1|wear book_read gift
房间 里|in^2 the^1 room^1|furn pet appliance
客厅 里|in^2 the^1 living^1 room^1|furn appliance
厨房 里|in^2 the^1 kitchen^1|dish appliance fruit mouse_k
院子 里|in^2 the^1 yard^1|farm bigplant pet vehicle2 flower mouse_k
花园 里|in^2 the^1 garden^1|flower bigplant flyer
树 上|in^2 the^1 tree^1|bird_only monkey
树 下|under^2 the^1 tree^1|vehicle2 pet farm
桌子 下面|under^2 the^1 table^1|pet toy mouse_k
门 口|at^2 the^1 door^1|vehicle2 pet shoe umb
学校 旁边|next^2 to^2 the^1 school^1|shopnoun placenoun2 park_n
学校 附近|near^2 the^1 school^1|shopnoun park_n
火车站 附近|near^2 the^1 train^1 station^1|shopnoun placenoun2
公园 里|in^2 the^1 park^1|bigplant flower river_lake
农场 里|on^2 the^1 farm^1|farm big_animal
动物园 里|at^2 the^1 zoo^1|wild
河 边|by^2 the^1 river^1|bigplant farm school_n
路 边|by^2 the^1 road^1|bigplant vehicle vehicle2
银行 对面|opposite^2 the^1 bank^1|shopnoun park_n school_n
公园 对面|opposite^2 the^1 park^1|placenoun2 shopnoun
湖 边|by^2 the^1 lake^1|school_n bigplant shopnoun
宿舍 后面|behind^2 the^1 dormitory^1|bigplant park_n
医院 前面|in^2 front^2 of^2 the^1 hospital^1|park_n taxi
村子 旁边|next^2 to^2 the^1 village^1|river hill school_n
""")]


def _location(row):
    zh, en, classes = row
    a, b = zh.split()
    return a + "^1", b + "^2", en, classes


def existence(g):
    first, second, en, classes = _location(g.pick(LOCATIONS))
    nouns = g.nouns([c for c in classes.split()])
    if not nouns:
        return None
    noun = g.pick(nouns)
    if noun.zh == first.split("^")[0]:
        return None
    g.combine("exist", first + second, noun.zh)
    where = fill(first + " " + second, en)
    single = bool(set(noun.classes) & {"appliance", "dear", "park_n", "placenoun2", "shopnoun", "hill", "river"})
    kind = g.weighted([(4, "one"), (0 if single else 3, "number"), (1, "few"), (1.5, "many"), (1.5, "none"), (1.5, "ma"),
                       (1.2, "anota"), (1.2, "what"), (1.2 if not noun.container else 0, "howmany"), (0.8, "rest")])
    if single and kind in ("few", "many", "howmany"):
        kind = "one"
    be = lambda np: "are" if np.plural else "is"
    if kind in ("one", "number", "few", "many"):
        if kind == "number":
            kind = g.any([2, 3, 4, 5, 6]) if not noun.container else g.any([2, 3])
        adjective = g.attribute(noun) if kind == "one" and g.chance(0.35) else None
        np = g.noun_phrase(noun, kind, adjective=adjective)
        return g.template("{w} 有^1 {o}", "there^1 %s^1 {o} {w}" % be(np), None, w=where, o=np.accusative()), "。"
    np = g.noun_phrase(noun, "bare")
    if kind == "none":
        return g.template("{w} 没有^1 {o}", "there^1 %s no^1 {o} {w}" % (be(np) + "^1"), None, w=where, o=np.accusative()), "。"
    if kind == "ma":
        return g.template("{w} 有^1 {o} 吗^0", "%s^1 there^1 any^0 {o} {w}" % be(np), None, w=where, o=np.accusative()), "？"
    if kind == "anota":
        return g.template("{w} 有^1 没有^1 {o}", "%s^1 there^1 any^0 {o} {w}" % be(np), None, w=where, o=np.accusative()), "？"
    if kind == "what":
        return g.template("{w} 有^1 什么^2", "what^2 is^1 there^1 {w}", None, w=where), "？"
    if kind == "howmany":
        np = g.noun_phrase(noun, "howmany")
        return g.template("{w} 有^1 {o}", "{o} are^1 there^1 {w}", None, w=where, o=np.accusative()), "？"
    if g.chance(0.5):
        np = g.noun_phrase(noun, "one")
        verb = {"墙": ("挂^1 着^1", "is^1 hanging^1")}.get(first.split("^")[0])
        if not verb:
            return None
        return g.template("{w} 挂^1 着^1 {o}", "there^1 is^1 {o} hanging^1 {w}", None, w=where, o=np.accusative()), "。"
    return None


def position(g):
    """Where something or somebody is."""
    if g.chance(0.55):
        first, second, en, classes = _location(g.pick(LOCATIONS))
        nouns = g.nouns(classes.split())
        if not nouns:
            return None
        noun = g.pick(nouns)
        if noun.zh == first.split("^")[0]:
            return None
        g.combine("exist", first + second, noun.zh)
        np = _described(g, noun)
        where = fill(first + " " + second, en)
        kind = g.weighted([(4, "is"), (1, "not"), (1, "ma"), (1.5, "where")])
    else:
        np = g.person(("person",))
        place = g.place(("homein", "quiet", "office", "hospital", "shop", "kitchen", "living", "garden", "sport", "park",
                         "sea", "station", "hotel", "eat", "city", "cafe", "street"))
        at = g.place_at(place)
        where = Piece(at.zh[1:], at.en)
        kind = g.weighted([(4, "is"), (1.2, "not"), (1, "ma"), (1, "where"), (1, "now"), (1, "past")])
        if np.person[0] == "1" and kind in ("ma", "where"):
            return None
    if kind == "is":
        return g.template("{s} 在^1 {w}", "{s} [be]^1 {w}", np, w=where), "。"
    if kind == "not":
        piece = g.template("{s} 不^2 在^1 {w}", "{s} [be]^1 not^2 {w}", np, w=where)
        return Piece(piece.zh, contract(piece.en)), "。"
    if kind == "ma":
        return g.template("{s} 在^1 {w} 吗^0", "[be]^1 {s} {w}", np, w=where), "？"
    if kind == "where":
        return g.template("{s} 在^1 哪儿^2", "where^2 [be]^1 {s}", np), "？"
    if kind == "now":
        return g.template("{s} 现在^2 在^1 {w}", "{s} [be]^1 {w} now^2", np, w=where), "。"
    time = g.day()
    return g.template("{s} {t} 在^1 {w}", "{s} [be:past]^1 {w} {t}", np, w=where, t=time), "。"


WEATHER = {
    "winter": [("冷", "cold"), ("干燥", "dry")],
    "summer": [("热", "hot"), ("潮湿", "humid")],
    "spring": [("暖和", "warm")],
    "autumn": [("凉快", "cool")],
}
FALLS = [("下雨", "rain"), ("刮风", "be windy"), ("下雪", "snow")]


def weather(g):
    kind = g.weighted([(3, "day"), (2, "season"), (2, "fall"), (1.5, "falling"), (1.5, "will"), (1.5, "compare"), (1, "temperature"),
                       (1, "how"), (1, "started"), (1, "sunny"), (1, "should")])
    city = g.place(["city"])
    snowy = city.zh in ("北京", "东京", "纽约", "伦敦", "巴黎", "西安", "南京")
    where = g.place_name(city)
    days = {"今天": ("today", "is"), "昨天": ("yesterday", "was"), "前天": ("the day before yesterday", "was"), "明天": ("tomorrow", "will be"),
            "后天": ("the day after tomorrow", "will be"), "上个周末": ("last weekend", "was"), "这个周末": ("this weekend", "will be"),
            "昨天 晚上": ("last night", "was")}
    day = g.pick(list(days))
    day_en, be = days[day]
    season_zh, season_en = g.pick(lexicon.SEASONS)
    adj_zh, adj_en = g.any(WEATHER[season_en])
    if kind == "day":
        adj_zh, adj_en = g.any([a for v in WEATHER.values() for a in v] + [("好", "good"), ("冷", "cold")])
        degree, d_en = g.any([("很", "very"), ("非常", "extremely"), ("有点儿", "a little"), ("不太", "not very")])
        if (degree == "有点儿" and adj_zh == "好") or (degree == "不太" and be == "will be"):
            return None
        dtag = " ".join(w + "^3" for w in d_en.split())
        d = fill(day, day_en) if len(day.split()) == len(day_en.split()) else pair(day, day_en)
        b = " ".join(w + "^0" for w in be.split())
        if g.chance(0.5):
            zh, en = "{c} {d} %s^3 %s^4" % (degree, adj_zh), "it %s %s %s^4 in^0 {c} {d}" % (b, dtag, adj_en)
            if adj_zh == "好":
                return None
            en = en.replace("it ", "it^0 ")
        else:
            zh, en = "{d} 天气^2 %s^3 %s^4" % (degree, adj_zh), "the^2 weather^2 %s %s %s^4 {d}" % (b, dtag, adj_en)
        piece = g.template(zh, en, None, c=where, d=d)
        return Piece(piece.zh, contract(piece.en)), "。"
    if kind == "season":
        degree, d_en = g.any([("很", "very"), ("非常", "extremely"), ("不太", "not very"), ("特别", "particularly")])
        dtag = " ".join(w + "^3" for w in d_en.split())
        piece = g.template("{c} 的^0 %s^1 %s^3 %s^4" % (season_zh, degree, adj_zh), "%s^1 in^0 {c} is^0 %s %s^4" % (season_en, dtag, adj_en), None, c=where)
        return Piece(piece.zh, contract(piece.en)), "。"
    if kind == "fall":
        day = g.pick(["昨天", "前天", "上个周末", "昨天 晚上"])
        d_zh, d_en = day, days[day][0]
        d = fill(d_zh, d_en) if len(d_zh.split()) == len(d_en.split()) else pair(d_zh, d_en)
        rain, verb = g.any([("雨", "rained"), ("雪", "snowed")][:1 + snowy])
        size = g.weighted([(2, None), (1, ("大", "heavily"))])
        if size:
            return g.template("{d} {c} 下^1 了^1 大^2 %s^1" % rain, "it^0 %s^1 heavily^2 in^0 {c} {d}" % verb, None, c=where, d=d), "。"
        return g.template("{d} {c} 下^1 %s^1 了^1" % rain, "it^0 %s^1 in^0 {c} {d}" % verb, None, c=where, d=d), "。"
    if kind == "falling":
        rain, verb = g.any([("下雨", "raining"), ("下雪", "snowing")][:1 + snowy])
        place = g.weighted([(2, "外面"), (1, None)])
        if place:
            return g.template("外面^1 正在^2 %s^3" % rain, "it^0 is^2 %s^3 outside^1" % verb), "。"
        return g.template("{c} 正在^2 %s^3" % rain, "it^0 is^2 %s^3 in^0 {c}" % verb, None, c=where), "。"
    if kind in ("will", "should"):
        day = g.pick(["明天", "后天", "这个周末", "今天 晚上", "明天 上午", "明天 下午"])
        table = {"明天": "tomorrow", "后天": "the day after tomorrow", "这个周末": "this weekend", "今天 晚上": "tonight",
                 "明天 上午": "tomorrow morning", "明天 下午": "tomorrow afternoon"}
        d = fill(day, table[day]) if len(day.split()) == len(table[day].split()) else pair(day, table[day])
        rain, verb = g.any(FALLS[:2 + snowy])
        v = " ".join(w + "^1" for w in verb.split())
        modal = g.weighted([(2, "will"), (1, "may"), (1, "wont"), (1, "ma")])
        if modal == "will":
            return g.template("{c} {d} 会^2 %s^1" % rain, "it^0 will^2 %s in^0 {c} {d}" % v, None, c=where, d=d), "。"
        if modal == "may":
            return g.template("{c} {d} 可能^2 %s^1" % rain, "it^0 may^2 %s in^0 {c} {d}" % v, None, c=where, d=d), "。"
        if modal == "wont":
            return g.template("{c} {d} 不^3 会^2 %s^1" % rain, "it^0 won't^2,3 %s in^0 {c} {d}" % v, None, c=where, d=d), "。"
        return g.template("{c} {d} 会^2 %s^1 吗^0" % rain, "will^2 it^0 %s in^0 {c} {d}" % v, None, c=where, d=d), "？"
    if kind == "compare":
        other = g.place(["city"])
        if other.zh == city.zh:
            return None
        form = g.weighted([(2, "than"), (1, "notas"), (1, "bit"), (1, "same")])
        more = " ".join(w + "^4" for w in inflection.comparative(adj_en).split())
        o = g.place_name(other)
        if form == "than":
            return g.template("%s^1 {c} 比^2 {o} %s^4" % (season_zh, adj_zh), "in^1 %s^1 {c} is^0 %s than^2 {o}" % (season_en, more), None, c=where, o=o), "。"
        if form == "bit":
            return g.template("%s^1 {c} 比^2 {o} %s^4 一点儿^5" % (season_zh, adj_zh), "in^1 %s^1 {c} is^0 a^5 little^5 %s than^2 {o}" % (season_en, more), None, c=where, o=o), "。"
        if form == "notas":
            return g.template("%s^1 {c} 没有^5 {o} 那么^2 %s^4" % (season_zh, adj_zh), "in^1 %s^1 {c} isn't^5 as^2 %s^4 as^2 {o}" % (season_en, adj_en), None, c=where, o=o), "。"
        return g.template("%s^1 {c} 跟^2 {o} 一样^5 %s^4" % (season_zh, adj_zh), "in^1 %s^1 {c} is^0 as^5 %s^4 as^2 {o}" % (season_en, adj_en), None, c=where, o=o), "。"
    if kind == "temperature":
        n = g.any([5, 8, 10, 12, 15, 18, 20, 25, 30, 35])
        zh, en = lexicon.NUMBERS[n]
        return g.template("{c} 今天^1 最高^2 气温^3 %s^4 度^5" % zh, "the^3 highest^2 temperature^3 in^0 {c} today^1 is^0 %s^4 degrees^5" % en, None, c=where), "。"
    if kind == "how":
        day = g.any([("今天", "today", "how^1 is^0 the^2 weather^2 in^0 {c} today^3"), ("昨天", "yesterday", "how^1 was^0 the^2 weather^2 in^0 {c} yesterday^3"),
                     ("明天", "tomorrow", "how^1 will^0 the^2 weather^2 be^0 in^0 {c} tomorrow^3")])
        return g.template("{c} %s^3 天气^2 怎么样^1" % day[0], day[2], None, c=where), "？"
    if kind == "started":
        rain, verb = g.any([("下雨", "rain"), ("刮风", "get windy"), ("下雪", "snow")][:2 + snowy])
        v = " ".join(w + "^1" for w in verb.split())
        return g.template("{c} 开始^2 %s^1 了^0" % rain, "it^0 has^0 started^2 to^2 %s in^0 {c}" % v, None, c=where), "。"
    adj = g.any([("晴天", "sunny"), ("阴天", "cloudy")])
    day = g.pick(["今天", "昨天", "明天", "后天"])
    d = pair(day, days[day][0])
    b = " ".join(w + "^0" for w in days[day][1].split())
    return g.template("{c} {d} 是^0 %s^1" % adj[0], "it^0 %s %s^1 in^0 {c} {d}" % (b, adj[1]), None, c=where, d=d), "。"


PRICES = {"fruit": [2, 3, 4, 5, 6], "snack": [5, 8, 10, 15, 20], "wear": [80, 100, 200, 300, 500], "device": [800, 1000, 2000, 3000, 5000],
          "appliance": [1000, 2000, 3000, 5000], "furn": [200, 300, 500, 800, 1000], "read": [15, 20, 25, 30, 35, 40, 45, 50],
          "study": [5, 10, 15, 20], "umb": [20, 25, 30, 35], "instrument": [800, 1000, 2000, 3000, 5000, 8000], "drink": [5, 8, 10, 15, 20, 25],
          "vehicle2": [300, 500, 800, 1000], "toy": [20, 30, 50, 80], "ticket": [30, 40, 50, 60, 80], "meal": [15, 20, 25, 30]}


def price(g):
    key = g.pick(list(PRICES))
    noun = g.pick(g.nouns([key]))
    if noun.zh in ("报纸", "信", "邮件", "报告", "文章", "故事", "诗") or noun.zh == "词典" and key == "study":
        return None
    number = g.any(PRICES[key])
    n_zh, n_en = lexicon.NUMBERS[number] if number != 2 else ("两", "two")
    amount = fill("%s^1 块^2 钱^2" % n_zh, " ".join(w + "^1" for w in n_en.split()) + " yuan^2")
    np = g.noun_phrase(noun, g.any(["this", "that", "one"]))
    kind = g.weighted([(3, "is"), (2, "q"), (1.5, "spent"), (1, "only"), (1, "each")])
    if kind == "is":
        return g.template("{s} {a}", "{s} [cost]^0 {a}", np, a=amount), "。"
    if kind == "q":
        return g.template("{s} 多少^1 钱^1", "how^1 much^1 [do]^0 {s} cost^1", np), "？"
    if kind == "only":
        return g.template("{s} 只^1 要^2 {a}", "{s} only^1 [cost]^2 {a}", np, a=amount), "。"
    if kind == "each":
        np = g.noun_phrase(noun, g.any([2, 3, 4]))
        return g.template("{s} 一共^1 {a}", "{s} [cost]^0 {a} altogether^1", np, a=amount), "。" if number > 10 else None
    buyer = g.person(("adult",))
    item = g.noun_phrase(noun, "one")
    return g.template("{s} 花^1 了^1 {a} 买^2 了^2 {o}", "{s} [spend:past]^1 {a} on^2 {o}", buyer, a=amount, o=item.accusative()), "。"


def clock_and_date(g):
    kind = g.weighted([(2, "now"), (2, "date"), (2, "begins"), (2, "birthday"), (1.5, "day"), (1.5, "opens"), (1, "q"), (2.5, "year")])
    hour = g.any([7, 8, 9, 10, 11, 12, 12, 1, 2, 3, 4, 5, 6])
    if kind == "now":
        return g.template("现在^1 {c}", "it^0 is^0 {c} now^1", None, c=g.clock(hour, bare=True)), "。"
    month_zh, month_en = g.pick(lexicon.MONTHS)
    _, day_zh, day_en = g.pick(lexicon.ORDINALS)
    if month_zh == "二月" and day_zh == "三十":
        return None
    date = fill("%s^1 %s^2 号^2" % (month_zh, day_zh), "%s^1 %s^2" % (month_en, day_en))
    if kind == "date":
        return g.template("今天^1 是^0 {d}", "today^1 is^0 {d}", None, d=date), "。"
    if kind == "birthday":
        owner = g.person(("adult",))
        if owner.plural or owner.key not in ("name", "pro"):
            return None
        if owner.key == "pro":
            zh, en, _ = g.possessive(owner.person)
        else:
            zh, en = owner.zh, owner.en[:-1] + [owner.en[-1]._replace(text=owner.en[-1].text + "'s")]
        which = g.weighted([(3, "d"), (1, "q")])
        if which == "q":
            return g.template("{p} 的^0 生日^1 是^2 什么^3 时候^3", "when^3 is^2 {p} birthday^1", None, p=Piece(zh, en)), "？"
        return g.template("{p} 的^0 生日^1 是^2 {d}", "{p} birthday^1 is^2 {d}", None, p=Piece(zh, en), d=date), "。"
    events = list(rows("""
电影|the^1 movie^1|start
会议|the^1 meeting^1|start
音乐会|the^1 concert^1|start
比赛|the^1 match^1|start
课|the^1 class^1|start
考试|the^1 exam^1|start
银行|the^1 bank^1|open
商店|the^1 store^1|open
图书馆|the^1 library^1|open
博物馆|the^1 museum^1|open
超市|the^1 supermarket^1|open
火车|the^1 train^1|leave
飞机|the^1 plane^1|fly
公共汽车|the^1 bus^1|leave
"""))
    zh, en, what = g.pick(events)
    verbs = {"start": [("开始", "[start]^2"), ("结束", "[end]^2")], "open": [("开门", "[open]^2"), ("关门", "[close]^2")], "leave": [("出发", "[leave]^2"), ("到", "[arrive]^2")], "fly": [("起飞", "[take]^2 off^2"), ("到", "[arrive]^2")]}
    verb_zh, verb_en = g.any(verbs[what])
    lemma = verb_en[1:].split("]")[0]
    if kind in ("begins", "opens"):
        if what == "open":
            hour = g.any([8, 9, 10]) if verb_zh == "开门" else g.any([5, 6, 7, 8, 9])
            part = "早上" if verb_zh == "开门" else "晚上"
            if part == "晚上" and hour < 6:
                return None
            p = pair(part, "in the morning" if part == "早上" else "in the evening")
            if g.chance(0.5):
                return g.template("%s^1 {p} {c} %s^2" % (zh, verb_zh), "%s %s {c} {p}" % (en, verb_en), None, c=g.clock(hour), p=p), "。"
        front = g.weighted([(2, None), (1, ("明天", "tomorrow")), (1, ("今天", "today"))]) if what != "open" else None
        if front:
            if front[0] == "今天":
                return g.template("今天^4 的^0 %s^1 {c} %s^2" % (zh, verb_zh), "today's^4 %s %s {c}" % (en.replace("the^1 ", ""), verb_en), None, c=g.clock(hour)), "。"
            return g.template("明天^4 的^0 %s^1 {c} %s^2" % (zh, verb_zh), "tomorrow's^4 %s will^0 %s^2 {c}" % (en.replace("the^1 ", ""), lemma + ("^2 off" if lemma == "take" else "")), None, c=g.clock(hour)), "。"
        return g.template("%s^1 {c} %s^2" % (zh, verb_zh), "%s %s {c}" % (en, verb_en), None, c=g.clock(hour)), "。"
    if kind == "q":
        return g.template("%s^1 几点^3 %s^2" % (zh, verb_zh), "what^3 time^3 does^2 %s %s^2" % (en, lemma + ("^2 off" if lemma == "take" else ""))), "？"
    if kind == "day":
        w = g.pick(lexicon.WEEKDAYS)
        z = g.any([("今天", "today", "is"), ("昨天", "yesterday", "was"), ("明天", "tomorrow", "is"), ("后天", "the day after tomorrow", "is")])
        e = " ".join(x + "^1" for x in z[1].split())
        return g.template("%s^1 是^0 %s^2" % (z[0], w[0]), "%s %s^0 %s^2" % (e, z[2], w[1])), "。"
    year = g.any(["1998", "2001", "2005", "2008", "2010", "2012", "2015", "2018", "2019", "2020"])
    who = g.person(("adult",))
    if int(year) < 2012 and g.chance(0.4):
        return g.template("{s} 是^0 %s年^1 出生^2 的^0" % year, "{s} [be:past]^2 born^2 in^1 %s^1" % year, who), "。"
    what = g.pick([("大学 毕业", "graduated from college"), ("来 中国", "came to China"), ("结婚", "got married"), ("搬 到 {c}", "moved to {c}"), ("开始 工作", "started working")])
    city = g.place_name(g.place(["city"]))
    z = {"大学 毕业": ("大学^3 毕业^2", "graduated^2 from^2 college^3"), "来 中国": ("来^2 中国^3", "came^2 to^3 China^3"), "结婚": ("结婚^2", "got^2 married^2"),
         "搬 到 {c}": ("搬^2 到^4 {c}", "moved^2 to^4 {c}"), "开始 工作": ("开始^2 工作^3", "started^2 working^3")}[what[0]]
    return g.template("{s} 是^0 %s年^1 %s 的^0" % (year, z[0]), "{s} %s in^1 %s^1" % (z[1], year), who, c=city), "。"


def age(g):
    kind = g.weighted([(3, "is"), (1.5, "q"), (1, "this"), (1, "older")])
    person = g.person(("adult",)) if g.chance(0.5) else g.kin()
    if person.plural:
        return None
    en_key = person.key
    young = {"son", "daughter"}
    old = {"grandfather", "grandmother"}
    mid = {"father", "mother", "uncle", "aunt"}
    numbers = [20, 25, 30, 35]
    if en_key in young or person.zh[0].text in ("小明", "小红") and len(person.zh) == 1:
        numbers = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
    elif en_key in old:
        numbers = [60, 70, 80, 90]
    elif en_key in mid:
        numbers = [40, 45, 50]
    elif en_key.startswith("younger"):
        numbers = [10, 11, 12, 13, 14, 15, 16, 17, 18]
    elif person.key not in ("name", "pro") and not en_key.startswith("older"):
        return None
    n = g.any(numbers)
    zh, en = lexicon.NUMBERS[n]
    if kind == "is":
        return g.template("{s} 今年^3 %s^1 岁^2" % zh, "{s} [be]^0 %s^1 years^2 old^2 this^3 year^3" % en, person), "。"
    if kind == "this":
        return g.template("{s} 已经^3 %s^1 岁^2 了^0" % zh, "{s} [be]^0 already^3 %s^1 years^2 old^2" % en, person), "。"
    if kind == "older":
        return g.template("{s} 明年^3 就^0 %s^1 岁^2 了^0" % zh, "{s} will^0 be^0 %s^1 years^2 old^2 next^3 year^3" % en, person), "。"
    if person.person[0] == "1":
        return None
    if max(numbers) <= 12:
        return g.template("{s} 几^1 岁^2 了^0", "how^1 old^2 [be]^0 {s}", person), "？"
    return g.template("{s} 今年^3 多大^1,2", "how^1 old^2 [be]^0 {s} this^3 year^3", person), "？"


DURABLE = [tuple(r) for r in rows("""
看^1 {d} 书^1|read^1|hour|person
看^1 {d} 电视^2|watch^1 television^2|hour|person
学^1 {d} {lg}|study^1 {lg}|long|person
练习^1 {d} 汉字^2|practice^1 Chinese^2 characters^2|hour|stu
打^1 {d} 篮球^2|play^1 basketball^2|hour|person
踢^1 {d} 足球^2|play^1 soccer^2|hour|person
弹^1 {d} 钢琴^2|play^1 the^2 piano^2|hour|person
开^1 {d} 会^1|have^1 meetings^1|hour|off
坐^1 {d} 飞机^2|be^1 on^1 the^2 plane^2|hour|adult
等^1 {d} 公共汽车^2|wait^1 for^1 the^2 bus^2|minute|person
跑^1 {d} 步^1|run^1|minute|person
游^1 {d} 泳^1|swim^1|minute|person
睡^1 {d} 觉^1|sleep^1|hour|person
散^1 {d} 步^1|walk^1|minute|person
做^1 {d} 饭^1|cook^1|hour|adult
打扫^1 {d} 房间^2|clean^1 the^2 room^2|hour|person
聊^1 {d} 天^1|chat^1|hour|adult
教^1 {d} 数学^2|teach^1 math^2|long|edu
开^1 {d} 车^1|drive^1|hour|adult
玩^1 {d} 电脑^2 游戏^3|play^1 computer^2 games^3|hour|kid
听^1 {d} 音乐^2|listen^1 to^1 music^2|hour|person
复习^1 {d} 数学^2|review^1 math^2|hour|stu
写^1 {d} 作业^2|do^1 homework^2|hour|stu
爬^1 {d} 山^2|climb^1 the^2 mountain^2|hour|person
""")]
DURATIONS = {
    "hour": [("一 个 小时", "an hour"), ("两 个 小时", "two hours"), ("三 个 小时", "three hours"), ("半 个 小时", "half an hour"),
             ("四 个 小时", "four hours"), ("一 个 晚上", "a whole evening"), ("五 个 小时", "five hours")],
    "minute": [("十 分钟", "ten minutes"), ("二十 分钟", "twenty minutes"), ("三十 分钟", "thirty minutes"), ("半 个 小时", "half an hour"),
               ("一 个 小时", "an hour"), ("四十 分钟", "forty minutes")],
    "long": [("一 年", "a year"), ("两 年", "two years"), ("三 年", "three years"), ("五 年", "five years"), ("六 个 月", "six months"),
             ("三 个 月", "three months"), ("十 年", "ten years"), ("八 年", "eight years")],
}


def _duration(zh, en):
    z, e = zh.split(), en.split()
    group, unit = new_group(), new_group()
    zt = [token(z[0], group)] + [token(w, unit) for w in z[1:]]
    et = [token(w, group) for w in e[:-1]] + [token(e[-1], unit)]
    return Piece(zt, et)


def duration(g):
    zh, en, kind, who = g.pick(DURABLE)
    subject = g.person((who,))
    d_zh, d_en = g.any(DURATIONS[kind])
    d = _duration(d_zh, d_en)
    lg = pair(*g.pick(lexicon.LANGUAGES))
    lemma, _, rest = en.partition("^1")
    g.combine("duration", zh, d_zh)
    form = g.weighted([(3, "past"), (1.5, "since"), (1, "hab"), (1, "q"), (1, "want"), (0.8, "plan")])
    if form == "past":
        time = g.time("past", None, clock=False) if kind != "long" and g.chance(0.7) else None
        if time and any(w.text in ("个", "三", "两", "小时候", "刚才") for w in time.zh):
            return None
        if time and len(time.zh) > 1 and d_zh[0] in "三四五":
            return None
        z = zh.replace("{d}", "了^1 {d}")
        e = "[%s:past]^1%s for^0 {d}" % (lemma, rest)
        if time and g.chance(0.4):
            return g.template("{t} {s} " + z, "{t} {s} " + e, subject, d=d, t=time, lg=lg), "。"
        return g.template("{s} {t} " + z, "{s} " + e + " {t}", subject, d=d, t=time or EMPTY, lg=lg), "。"
    if form == "since" and kind == "long":
        return g.template("{s} %s 了^0" % zh.replace("{d}", "了^1 {d}"), "{s} [have]^1 been^1 [%s:ing]^1%s for^0 {d}" % (lemma, rest), subject, d=d, lg=lg), "。"
    if form == "hab" and kind != "long":
        return g.template("{s} 每天^5,6 %s" % zh, "{s} [%s]^1%s for^0 {d} every^5 day^6" % (lemma, rest), subject, d=d), "。"
    if form == "q" and kind == "long" and subject.person[0] != "1":
        group = new_group()
        q = Piece([token("多长", group), token("时间", group)], [])
        return g.template("{s} %s 了^0" % zh.replace("{d}", "了^1 {q}"), "{w} [have]^1 {s} been^1 [%s:ing]^1%s" % (lemma, rest), subject, q=q,
                          w=Piece([], [token("how", group), token("long", group)]), lg=lg), "？"
    if form == "want":
        return g.template("{s} 想^7 %s" % zh, "{s} [want]^7 to^7 %s^1%s for^0 {d}" % (lemma, rest), subject, d=d, lg=lg), "。"
    if form == "plan":
        return g.template("{s} 打算^7 %s" % zh, "{s} [plan]^7 to^7 %s^1%s for^0 {d}" % (lemma, rest), subject, d=d, lg=lg), "。"
    return None


MANNERS = [tuple(r) for r in rows("""
跑|run|person animal|很 快 : very fast ; 很 慢 : very slowly ; 不 快 : not fast
说|speak|person|很 快 : very fast ; 很 清楚 : very clearly ; 太 快 : too fast
走|walk|person|很 快 : very fast ; 很 慢 : very slowly ; 太 慢 : too slowly
吃|eat|person|很 多 : a lot ; 太 快 : too fast ; 很 少 : very little
睡|sleep|person|很 好 : very well ; 不 好 : badly
起|get up|person|很 早 : very early ; 太 晚 : too late ; 很 晚 : very late
来|come|person|很 早 : very early ; 太 晚 : too late
唱|sing|person|很 好 : very well ; 不 好 : badly ; 非常 好 : extremely well
跳|dance|person|很 好 : very well ; 非常 好 : extremely well
写|write|person|很 好 : very well ; 很 认真 : very carefully ; 太 快 : too fast
开车 开|drive|adult|很 慢 : very slowly ; 太 快 : too fast ; 很 好 : very well
学|learn|person|很 快 : very fast ; 很 认真 : very carefully
工作|work|adult|很 努力 : very hard ; 很 认真 : very carefully
学习|study|stu|很 努力 : very hard ; 很 认真 : very carefully
听|listen|person|很 认真 : very carefully
画|draw|person|很 好 : very well
笑|laugh|person|很 开心 : very happily ; 很 大声 : very loudly
哭|cry|kid|很 伤心 : very sadly ; 很 大声 : very loudly
汉语 说|speak Chinese|person|很 好 : very well ; 很 流利 : very fluently ; 不 好 : badly
英语 说|speak English|person|很 好 : very well ; 很 流利 : very fluently
法语 说|speak French|person|很 好 : very well ; 很 流利 : very fluently
钢琴 弹|play^2 the^1 piano^1|person|很 好 : very well ; 非常 好 : extremely well
足球 踢|play^2 soccer^1|person|很 好 : very well ; 不 好 : badly
篮球 打|play^2 basketball^1|person|很 好 : very well ; 非常 好 : extremely well
舞 跳|dance|person|很 好 : very well
饭 做|cook|adult|很 好 : very well ; 非常 好 : extremely well
""")]


def manner(g):
    zh, en, who, endings = g.pick(MANNERS)
    ending = g.pick(endings.split(";"))
    tail_zh, tail_en = (x.strip() for x in ending.split(":"))
    subject = g.person(tuple(w for w in who.split() if w != "animal"))
    if "^" not in en:
        words = en.split()
        if len(zh.split()) == 2 and len(words) == 2 and words[0] == "speak":
            en = "speak^2 %s^1" % words[1]
        else:
            en = " ".join(w + "^2" for w in words)
    z = zh.split()
    verb_zh = "%s^1 %s^2" % (z[0], z[1]) if len(z) == 2 else zh + "^2"
    if len(z) == 2 and "^1" not in en:
        verb_zh = "%s^2 %s^2" % (z[0], z[1])
    t = pair(tail_zh, tail_en)
    if len(tail_zh.split()) == len(tail_en.split()):
        t = fill(tail_zh, tail_en)
    g.combine("manner", zh, tail_zh)
    head, _, rest = en.partition("^")
    kind = g.weighted([(3, "hab"), (2, "past"), (1.2, "ma"), (1.5, "than"), (1, "how")])
    if tail_en.startswith("not"):
        return None
    if kind == "hab":
        return g.template("{s} %s 得^2 {t}" % verb_zh, "{s} [%s]^%s {t}" % (head, rest), subject, t=t), "。"
    if kind == "past":
        time = pair(*g.any([("昨天", "yesterday"), ("今天", "today"), ("今天 早上", "this morning")])) if zh in ("睡", "起", "来") else g.day()
        if zh == "睡" and time.zh[0].text == "今天" or "学" in zh:
            return None
        return g.template("{s} {d} %s 得^2 {t}" % verb_zh, "{s} [%s:past]^%s {t} {d}" % (head, rest), subject, t=t, d=time), "。"
    if subject.person[0] == "1" and kind in ("ma", "how"):
        return None
    bare_adv = tail_zh.split()[-1]
    adverb_en = {"快": "fast", "慢": "slowly", "清楚": "clearly", "好": "well", "早": "early", "晚": "late", "多": "much", "认真": "carefully",
                 "流利": "fluently", "努力": "hard"}.get(bare_adv)
    if kind == "ma":
        if not adverb_en or bare_adv == "多":
            return None
        return g.template("{s} %s 得^2 %s^3 吗^0" % (verb_zh, bare_adv), "[do]^2 {s} %s^%s %s^3" % (head, rest, adverb_en), subject), "？"
    if kind == "how":
        if bare_adv != "好":
            return None
        return g.template("{s} %s 得^2 怎么样^3" % verb_zh, "how^3 well^3 [do]^2 {s} %s^%s" % (head, rest), subject), "？"
    if not adverb_en or bare_adv in ("晚", "早"):
        return None
    more = " ".join(w + "^3" for w in inflection.comparative_adverb(adverb_en).split())
    other = g.other_person(subject)
    if other.key == "pro":
        return None
    return g.template("{s} %s 得^2 比^4 {o} %s^3" % (verb_zh, bare_adv), "{s} [%s]^%s %s than^4 {o}" % (head, rest, more), subject, o=other.accusative()), "。"


ABILITIES = [tuple(r) for r in rows("""
听 懂|understand|spoken|person
看 懂|understand|text|person
看 见|see|seen|person
听 见|hear|heard|person
找 到|find|lost|person
买 到|get|bought|adult
记 住|remember|memory|stu person
看 完|finish^2 reading^1|long_text|person
做 完|finish^2 doing^1|work|stu
吃 完|finish^2 eating^1|dish_food|person
修 好|repair|device vehicle|adult
搬 动|move|heavy|person
打 开|open|open open2|person
学 会|learn|learnt|person
""")]

ABILITY_OBJECTS = {
    "spoken": [("老师 的 话", "what^1,3 the^1 teacher^1 says^3"), ("汉语 广播", "Chinese^1 radio^2"), ("法语 歌", "French^1 songs^2"),
               ("他 的 话", "what^3 he^1 says^3"), ("英语 新闻", "the^2 English^1 news^2"), ("你 的 话", "what^3 you^1 say^3")],
    "text": [("中文 报纸", "Chinese^1 newspapers^2"), ("英语 小说", "English^1 novels^2"), ("这 本 书", "this^1 book^3"), ("那 篇 文章", "that^1 article^3"),
             ("法语 菜单", "the^2 French^1 menu^2"), ("这 封 信", "this^1 letter^3"), ("这 个 句子", "this^1 sentence^3"), ("那 张 地图", "that^1 map^3")],
    "seen": [("那 座 山", "that^1 mountain^3"), ("黑板 上 的 字", "the^3 words^3 on^2 the^1 blackboard^1"), ("那 只 鸟", "that^1 bird^3"), ("河 对面", "the^2 other^2 side^2 of^2 the^1 river^1"), ("前面 的 车", "the^3 car^3 in^1 front^1")],
    "heard": [("你 的 声音", "your^1 voice^3"), ("老师 的 声音", "the^1 teacher's^1 voice^3"), ("外面 的 声音", "the^3 sound^3 outside^1"), ("电话", "the^1 phone^1")],
    "learnt": [("这 首 歌", "this^1 song^3"), ("游泳", "to^1 swim^1"), ("开 车", "to^1 drive^1,2")],
    "memory": [("这些 汉字", "these^1 Chinese^2 characters^2"), ("他 的 名字", "his^1 name^3"), ("那 个 密码", "that^1 password^3"), ("这 个 词", "this^1 word^3"), ("她 的 生日", "her^1 birthday^3"), ("这些 句子", "these^1 sentences^2")],
    "long_text": [("这 本 书", "this^1 book^3"), ("那 本 小说", "that^1 novel^3"), ("这 份 报告", "this^1 report^3")],
    "work": [("作业", "the^1 homework^1"), ("这些 练习", "these^1 exercises^2"), ("这 个 实验", "this^1 experiment^3")],
    "dish_food": [("这 碗 面条", "this^1 bowl^2 of^2 noodles^3"), ("这 盘 饺子", "this^1 plate^2 of^2 dumplings^3"), ("那 个 蛋糕", "that^1 cake^3"), ("这 个 西瓜", "this^1 watermelon^3")],
    "bought": [("火车票", "train^1 tickets^1"), ("那 本 书", "that^1 book^3"), ("新鲜 的 鱼", "fresh^1 fish^3"), ("电影票", "movie^1 tickets^1")],
}


def _object(zh, en):
    """Words are numbered from one; 的 and measure words stay with the noun."""
    words = zh.split()
    tagged = []
    for position, word in enumerate(words, 1):
        number = position
        if word == "的" and position < len(words):
            number = position + 1
        if word in ("本", "篇", "封", "个", "张", "座", "只", "份", "首") and position == 2:
            number = 3
        tagged.append("%s^%d" % (word, number))
    return fill(" ".join(tagged), en)


def ability(g):
    """Resultative and potential complements: 听懂了, 听得懂, 听不懂."""
    zh, en, objects, who = g.pick(ABILITIES)
    subject = g.person(tuple(who.split()))
    verb, result = zh.split()
    g.combine("ability", zh, objects)
    if objects in ABILITY_OBJECTS:
        o = _object(*g.pick(ABILITY_OBJECTS[objects]))
    elif objects == "lost":
        np = g.noun_phrase(g.pick(g.nouns(["lose"])), g.weighted([(3, "poss"), (2, "that")]))
        o = np.accusative()
    else:
        np = g.noun_phrase(g.pick(g.nouns(objects.split())), g.weighted([(3, "this"), (3, "that"), (1, "the")]))
        o = np.accusative()
    lemma, rest = (en, "") if "^" not in en else (en.split("^")[0], " " + en.split(" ", 1)[1])
    tag = "1,2" if not rest else "2"
    v = "%s^1" % verb
    kind = g.weighted([(2, "can"), (3, "cannot"), (2, "did"), (2, "didnot"), (1, "q"), (1, "anota"), (0.7, "finally")])
    past = "[%s:past]^%s%s" % (lemma, tag, rest)
    base = "%s^%s%s" % (lemma, tag, rest)
    if verb in ("学", "买") and kind == "can" and g.chance(0.5):
        return None
    if kind == "can":
        return g.template("{s} %s 得^3 %s^2 {o}" % (v, result), "{s} can^3 %s {o}" % base, subject, o=o), "。"
    if kind == "cannot":
        return g.template("{s} %s 不^3 %s^2 {o}" % (v, result), "{s} can't^3 %s {o}" % base, subject, o=o), "。"
    if kind == "did":
        return g.template("{s} %s %s^2 了^2 {o}" % (v, result), "{s} %s {o}" % past, subject, o=o), "。"
    if kind == "didnot":
        return g.template("{s} 没^3 %s %s^2 {o}" % (v, result), "{s} didn't^3 %s {o}" % base, subject, o=o), "。"
    if kind == "finally":
        return g.template("{s} 终于^3 %s %s^2 {o} 了^2" % (v, result), "{s} finally^3 %s {o}" % past, subject, o=o), "。"
    if subject.person[0] == "1":
        return None
    if kind == "q":
        return g.template("{s} %s 得^3 %s^2 {o} 吗^0" % (v, result), "can^3 {s} %s {o}" % base, subject, o=o), "？"
    return g.template("{s} %s 得^3 %s^2 %s^1 不^3 %s^2 {o}" % (v, result, verb, result), "can^3 {s} %s {o}" % base, subject, o=o), "？"


PROFESSIONS = [r for r in lexicon.ROLES if "pro" in r.classes]


def identity(g):
    """是, 叫, 当, 来自, 属于."""
    kind = g.weighted([(3, "is"), (1.5, "want"), (1.5, "q"), (1.5, "relation"), (1.2, "named"), (1.5, "from"), (1, "works"), (1, "not"), (1.2, "lives"), (1, "owner"), (1, "whose"), (1, "aswork")])
    person = g.person(("adult",))
    if person.plural and kind != "lives":
        return None
    if person.key not in ("name", "pro") and not any(person.key == k.en for k in lexicon.KIN) and kind in ("is", "want", "not", "aswork"):
        return None
    role = g.pick(PROFESSIONS + [r for r in lexicon.ROLES if r.zh in ("老师", "教授", "校长", "经理")])
    group = new_group()
    job = Piece([token(role.zh, group)], [token(inflection.article(role.en), group)] + [token(w, group) for w in role.en.split()])
    if kind == "is":
        number = g.chance(0.5)
        if number:
            one = g.noun_phrase(role, "one")
            return g.template("{s} 是^1 {j}", "{s} [be]^1 {j}", person, j=one.accusative()), "。"
        return g.template("{s} 是^1 {j}", "{s} [be]^1 {j}", person, j=job), "。"
    if kind == "not":
        piece = g.template("{s} 不^2 是^1 {j}", "{s} [be]^1 not^2 {j}", person, j=job)
        return Piece(piece.zh, contract(piece.en)), "。"
    if kind == "want":
        form = g.weighted([(2, "want"), (1, "will"), (1, "hope")])
        if form == "want":
            return g.template("{s} 想^1 当^2 {j}", "{s} [want]^1 to^1 be^2 {j}", person, j=job), "。"
        if form == "will":
            return g.template("{s} 以后^3 要^1 当^2 {j}", "{s} [be]^1 going^1 to^1 be^2 {j} in^3 the^3 future^3", person, j=job), "。"
        return g.template("{s} 希望^1 当^2 {j}", "{s} [hope]^1 to^1 be^2 {j}", person, j=job), "。"
    if kind == "q":
        if person.person[0] == "1":
            return None
        form = g.any(["ma", "what", "who"])
        if form == "ma":
            return g.template("{s} 是^1 {j} 吗^0", "[be]^1 {s} {j}", person, j=job), "？"
        if form == "what":
            return g.template("{s} 做^1 什么^2 工作^3", "what^2 work^3 [do]^1 {s} do^1", person), "？"
        return g.template("{s} 是^1 谁^2", "who^2 [be]^1 {s}", person), "？" if person.key != "pro" or person.person != "2s" else None
    if kind == "relation":
        other = g.name()
        if person.key == "pro" or other.zh[0].text == person.zh[0].text:
            return None
        zh, en, _ = g.possessive()
        if zh[0].text == person.zh[0].text:
            return None
        rel = g.pick([r for r in lexicon.ROLES if "rel" in r.classes])
        n = pair(rel.zh, rel.en)
        if person.key in (k.en for k in lexicon.KIN):
            return None
        if g.chance(0.3):
            return g.template("{s} 是^1 {p} 最^2 好^2 的^3 朋友^3", "{s} [be]^1 {p} best^2 friend^3", person, p=Piece(zh, en)), "。"
        return g.template("{s} 是^1 {p} 的^0 {n}", "{s} [be]^1 {p} {n}", person, p=Piece(zh, en), n=n), "。"
    if kind == "named":
        kin = g.kin()
        name = g.pick([n for n in lexicon.NAMES if n.gender == kin.person[1]])
        if kin.zh[0].text == name.zh:
            return None
        return g.template("{s} 叫^1 {n}", "{s} [be]^1 called^1 {n}", kin, n=pair(name.zh, name.en)), "。"
    if kind == "from":
        city = g.place_name(g.place(["city", "country"]))
        if g.chance(0.5):
            return g.template("{s} 是^1 从^2 {c} 来^1 的^0", "{s} [come]^1 from^2 {c}", person, c=city), "。"
        return g.template("{s} 来自^1 {c}", "{s} [be]^1 from^1 {c}", person, c=city), "。"
    if kind == "lives":
        place = g.place_at(g.place(["city", "village", "country", "abroad"]))
        form = g.weighted([(2, "now"), (1, "past"), (1, "q")])
        if form == "now":
            return g.template("{s} 住^1 {w}", "{s} [live]^1 {w}", person, w=place), "。"
        if form == "past":
            d = _duration(*g.any(DURATIONS["long"]))
            return g.template("{s} {w} 住^1 了^1 {d}", "{s} [live:past]^1 {w} for^0 {d}", person, w=place, d=d), "。"
        return (g.template("{s} 住^1 在^2 哪儿^2", "where^2 [do]^1 {s} live^1", person), "？") if person.person[0] != "1" else None
    if kind in ("works", "aswork"):
        place = g.place_at(g.place(["hospital", "bank", "office", "factory", "school", "hotel", "museum", "farm", "bookshop", "eat", "city", "abroad"]))
        if kind == "aswork" and g.chance(0.5):
            return g.template("{s} {w} 工作^1", "{s} [work]^1 {w}", person, w=place), "。"
        return g.template("{s} 以前^2 {w} 工作^1 过^1", "{s} [work:past]^1 {w} before^2", person, w=place), "。"
    noun = g.pick(g.nouns(["lose", "item", "vehicle2", "toy", "study"]))
    if noun.container:
        return None
    np = g.noun_phrase(noun, g.any(["this", "that"]))
    if kind == "whose":
        return g.template("{s} 是^1 谁^2 的^2", "whose^2 [be]^1 {s}", np), "？"
    if g.chance(0.5):
        mine = g.any([("我", "mine"), ("他", "his"), ("她", "hers"), ("你", "yours"), ("我们", "ours")])
        return g.template("{s} 是^1 %s^2 的^2" % mine[0], "{s} [be]^1 %s^2" % mine[1], np), "。"
    owner = g.name()
    en = owner.en[:-1] + [owner.en[-1]._replace(text=owner.en[-1].text + "'s")]
    return g.template("{s} 是^1 {p} 的^0", "{s} [be]^1 {p}", np, p=Piece(owner.zh, en)), "。"


def possession(g):
    """有: having things and relatives."""
    subject = g.person(("adult",))
    relatives = [("个", "哥哥", "older brother"), ("个", "弟弟", "younger brother"), ("个", "姐姐", "older sister"), ("个", "妹妹", "younger sister"),
                 ("个", "儿子", "son"), ("个", "女儿", "daughter"), ("个", "孩子", "child")]
    if g.chance(0.35):
        mw, zh, en = g.pick(relatives)
        noun = lexicon.Role(zh, mw, en, ())
        options = [(3, "one"), (3, 2), (1, 3), (1.5, "none"), (1, "howmany"), (1, "ma")]
    else:
        noun = g.pick(g.nouns(["pet", "device", "vehicle", "vehicle2", "instrument", "house", "plan", "idea", "item", "ask", "chance", "ticket"]))
        g.combine("object", "有", noun.zh)
        options = [(4, "one"), (1.5, 2), (1, 3), (1, "many"), (1.5, "none"), (0.8, "howmany"), (1, "ma"), (1, "anota"), (1, "also")]
    kind = g.weighted(options)
    if kind == "also":
        np = g.noun_phrase(noun, "one")
        return g.template("{s} 也^2 有^1 {o}", "{s} also^2 [have]^1 {o}", subject, o=np.accusative()), "。"
    if kind in ("none", "ma", "anota"):
        np = g.noun_phrase(noun, "bare")
        some = "any"
        if set(getattr(noun, "classes", ())) & {"device", "vehicle", "vehicle2", "instrument", "house", "pet", "item", "ticket"} and not noun.container:
            single = g.noun_phrase(noun, "one")
            some = single.en[0].text
            np = NounPhrase(np.zh, [t._replace(groups=np.zh[-1].groups) for t in single.en[1:]], "3n")
        if kind == "none":
            piece = g.template("{s} 没有^1,2 {o}", "{s} [do]^1,2 not^2 have^1 %s {o}" % (some + "^0" if some != "any" else ""), subject, o=np.accusative())
            en = []
            for t in piece.en:
                if t.text == "not" and en and en[-1].text in ("do", "does"):
                    en[-1] = en[-1]._replace(text=en[-1].text + "n't")
                else:
                    en.append(t)
            return Piece(piece.zh, en), "。"
        if subject.person[0] == "1":
            return None
        if kind == "ma":
            return g.template("{s} 有^1 {o} 吗^0", "[do]^1 {s} have^1 %s^0 {o}" % some, subject, o=np.accusative()), "？"
        return g.template("{s} 有^1 没有^1 {o}", "[do]^1 {s} have^1 %s^0 {o}" % some, subject, o=np.accusative()), "？"
    if kind == "howmany":
        if subject.person[0] == "1" or getattr(noun, "container", None):
            return None
        np = g.noun_phrase(noun, "howmany")
        return g.template("{s} 有^1 {o}", "{o} [do]^1 {s} have^1", subject, o=np.accusative()), "？"
    adjective = g.attribute(noun) if kind == "one" and hasattr(noun, "container") and g.chance(0.3) else None
    np = g.noun_phrase(noun, kind, adjective=adjective)
    return g.template("{s} 有^1 {o}", "{s} [have]^1 {o}", subject, o=np.accusative()), "。"


def liking(g):
    subject = g.person(("adult",))
    noun = g.pick(g.nouns(["food", "drink", "pet", "wild", "flower", "song", "lit", "film", "snack", "soup"]))
    g.combine("object", "喜欢", noun.zh)
    np = g.noun_phrase(noun, g.weighted([(3, "bare"), (1, "this"), (1, "that")]) if set(noun.classes) & {"song", "lit", "film", "pet"} else "bare")
    kind = g.weighted([(2, "like"), (1.5, "very"), (1.5, "not"), (1, "love"), (1.2, "ma"), (1.2, "prefer"), (1, "most"), (0.8, "anota")])
    o = np.accusative()
    if kind == "like":
        return g.template("{s} 喜欢^1 {o}", "{s} [like]^1 {o}", subject, o=o), "。"
    if kind == "very":
        return g.template("{s} 很^2 喜欢^1 {o}", "{s} [like]^1 {o} very^2 much^2", subject, o=o), "。"
    if kind == "not":
        made = g.template("{s} 不^2 喜欢^1 {o}", "{s} [do]^1 not^2 like^1 {o}", subject, o=o)
        return Piece(made.zh, contract(made.en)), "。"
    if kind == "love":
        return g.template("{s} 爱^1 {o}", "{s} [love]^1 {o}", subject, o=o), "。"
    if kind == "most":
        return g.template("{s} 最^2 喜欢^1 {o}", "{s} [like]^1 {o} the^2 most^2", subject, o=o), "。"
    if kind == "prefer":
        other = g.pick([n for n in g.nouns([noun.classes[0]]) if n.zh != noun.zh] or [noun])
        if other is noun:
            return None
        a, b = g.noun_phrase(noun, "bare"), g.noun_phrase(other, "bare")
        form = g.any(["prefer", "also", "or"])
        if form == "prefer":
            return g.template("{s} 更^2 喜欢^1 {a} ，^5 不^3 太^4 喜欢^6 {b}", "{s} [prefer]^1,2 {a} ,^5 and^0 [do]^6 not^3 like^6 {b} very^4 much^4", subject, a=a.accusative(), b=b.accusative()) and None
        if form == "also":
            return g.template("{s} 喜欢^1 {a} ，^5 也^3 喜欢^6 {b}", "{s} [like]^1 {a} ,^5 and^0 also^3 [like]^6 {b}", subject, a=a.accusative(), b=b.accusative()), "。"
        if subject.person[0] == "1":
            return None
        return g.template("{s} 喜欢^1 {a} 还是^3 {b}", "[do]^1 {s} like^1 {a} or^3 {b}", subject, a=a.accusative(), b=b.accusative()), "？"
    if subject.person[0] == "1":
        return None
    if kind == "ma":
        return g.template("{s} 喜欢^1 {o} 吗^0", "[do]^1 {s} like^1 {o}", subject, o=o), "？"
    return g.template("{s} 喜欢^1 不^1 喜欢^1 {o}", "[do]^1 {s} like^1 {o}", subject, o=o), "？"


DISTANCES = [("走路", "on foot"), ("坐 车", "by car"), ("骑 车", "by bicycle"), ("坐 地铁", "by subway")]


def distance(g):
    a, b = g.place(["go"]), g.place(["go"])
    if a.zh == b.zh:
        return None
    home = pair("我 家", "my home") if g.chance(0.5) else g.place_name(a)
    other = g.place_name(b)
    kind = g.weighted([(2, "far"), (1, "near"), (2, "time"), (1, "q"), (1, "km")])
    if kind == "far":
        degree = g.any([("很", "very"), ("不", "not"), ("太", "too")])
        if degree[0] == "太":
            return g.template("{a} 离^1 {b} 太^2 远^3 了^2", "{a} is^0 too^2 far^3 from^1 {b}", None, a=home, b=other), "。"
        piece = g.template("{a} 离^1 {b} %s^2 远^3" % degree[0], "{a} is^0 %s^2 far^3 from^1 {b}" % degree[1], None, a=home, b=other)
        return Piece(piece.zh, contract(piece.en)), "。"
    if kind == "near":
        return g.template("{a} 离^1 {b} 很^2 近^3", "{a} is^0 very^2 close^3 to^1 {b}", None, a=home, b=other), "。"
    if kind == "q":
        return g.template("{a} 离^1 {b} 远^3 吗^0", "is^0 {a} far^3 from^1 {b}", None, a=home, b=other), "？"
    if kind == "km":
        n = g.any([2, 3, 5, 10, 20, 30])
        zh, en = ("两", "two") if n == 2 else lexicon.NUMBERS[n]
        return g.template("{a} 离^1 {b} 有^0 %s^2 公里^3" % zh, "{a} is^0 %s^2 kilometers^3 from^1 {b}" % en, None, a=home, b=other), "。"
    how = g.any(DISTANCES)
    m = g.any([(10, "十", "ten"), (15, "十五", "fifteen"), (20, "二十", "twenty"), (30, "三十", "thirty"), (40, "四十", "forty")])
    h = fill(how[0], how[1]) if len(how[0].split()) == len(how[1].split()) and how[0] != "坐 车" else pair(*how)
    return g.template("从^1 {a} 到^2 {b} {h} 要^3 %s^4 分钟^5" % m[1], "it^0 takes^3 %s^4 minutes^5 to^0 get^0 from^1 {a} to^2 {b} {h}" % m[2], None, a=home, b=other, h=h), "。"
