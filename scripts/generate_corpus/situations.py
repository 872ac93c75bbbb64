"""Sentence families of everyday situations: dates and months, heights and
distances, 是…的, directions, health, short dialogues, results, and contrasts
between two people.
"""

import inflection
import lexicon
from alignment import Piece, fill, pair, token
from sentences import contract


def _capital(piece):
    first = piece.en[0]
    return Piece(piece.zh, [first._replace(text=first.text[0].upper() + first.text[1:])] + list(piece.en[1:]))


def _number(n, measure=True):
    return ("两", "two") if n == 2 and measure else lexicon.NUMBERS[n]


def _contracted(piece):
    return Piece(piece.zh, contract(piece.en))


def _singular(g, pronouns=True):
    for _ in range(20):
        subject = g.person(("adult",), gendered=True, pronouns=pronouns)
        if not subject.plural:
            return subject
    return g.name()


def _tagged(text, tag):
    return " ".join(word + "^" + tag for word in text.split())


MONTH_WEATHER = {"冷": ("cold", ("一月", "二月", "十一月", "十二月")), "暖和": ("warm", ("四月", "五月")),
                 "热": ("hot", ("六月", "七月", "八月")), "凉快": ("cool", ("九月", "十月"))}
EVENTS = [("考试", "the exam"), ("比赛", "the match"), ("音乐会", "the concert"), ("婚礼", "the wedding"),
          ("会议", "the meeting"), ("展览", "the exhibition"), ("演出", "the performance")]


def dates(g):
    """Months and days of the year."""
    month_zh, month_en = g.pick(lexicon.MONTHS)
    _, day_zh, day_en = g.pick(lexicon.ORDINALS)
    if month_zh == "二月" and day_zh == "三十":
        return None
    date = fill("%s^1 %s^2 号^2" % (month_zh, day_zh), "%s^1 %s^2" % (month_en, day_en))
    month = pair(month_zh, month_en)
    city = g.place(["city", "country"])
    c = g.place_name(city)
    kind = g.weighted([(2, "event"), (0.7, "which"), (2, "go"), (1, "back"), (1.2, "came"), (1.5, "weather"), (1, "move"),
                       (1.5, "travel"), (1.2, "birthday"), (1.5, "lastyear"), (1, "birthmonth"), (0.7, "today"), (1, "leave")])
    if kind in ("event", "which"):
        zh, en = g.pick(EVENTS)
        if kind == "which":
            return fill("%s^1 是^2 几^3 月^3 几^3 号^3" % zh, "what^3 date^3 is^2 " + _tagged(en, "1")), "？"
        if g.chance(0.5):
            return fill("%s^1 {d} 开始^2" % zh, _tagged(en, "1") + " begins^2 on^0 {d}", {"d": date}), "。"
        return fill("%s^1 在^2 {d}" % zh, _tagged(en, "1") + " is^2 on^2 {d}", {"d": date}), "。"
    if kind == "today":
        day = g.any([("昨天", "yesterday", "was"), ("明天", "tomorrow", "is")])
        return fill("%s^1 是^2 {d}" % day[0], "%s^1 %s^2 {d}" % (day[1], day[2]), {"d": date}), "。"
    if kind == "birthday":
        owner = g.name() if g.chance(0.4) else g.kin()
        en = owner.en[:-1] + [owner.en[-1]._replace(text=owner.en[-1].text + "'s")]
        p = Piece(owner.zh, en)
        if g.chance(0.6):
            return fill("{d} 是^1 {p} 的^0 生日^2", "{d} is^1 {p} birthday^2", {"d": date, "p": p}), "。"
        return fill("{p} 的^0 生日^2 在^1 {m}", "{p} birthday^2 is^1 in^1 {m}", {"m": month, "p": p}), "。"
    if kind == "weather":
        word = [zh for zh, (_, months) in MONTH_WEATHER.items() if month_zh in months]
        if not word or city.zh in ("广州", "香港", "成都"):
            return None
        degree = g.any([("很", "very"), ("非常", "extremely"), ("特别", "particularly")])
        return fill("{c} {m} %s^1 %s^2" % (degree[0], word[0]), "it^0 is^0 %s^1 %s^2 in^0 {c} in^0 {m}" % (degree[1], MONTH_WEATHER[word[0]][0]),
                    {"c": c, "m": month}), "。"
    subject = g.person(("adult",))
    if kind == "go":
        return g.template("{s} {d} 要^1 去^2 {c}", "{s} [be]^1 going^1 to^1 go^2 to^2 {c} on^0 {d}", subject, d=date, c=c), "。"
    if kind == "leave":
        return g.template("{s} {d} 离开^1 {c}", "{s} will^0 leave^1 {c} on^0 {d}", subject, d=date, c=c), "。"
    if kind == "back":
        return g.template("{s} {d} 回来^1", "{s} will^0 come^1 back^1 on^0 {d}", subject, d=date), "。"
    if kind == "came":
        return g.template("{s} 是^0 {m} 来^1 {c} 的^0", "{s} came^1 to^1 {c} in^0 {m}", subject, m=month, c=c), "。"
    if kind == "move":
        return g.template("{s} {m} 要^1 搬^2 家^2", "{s} [be]^1 going^1 to^1 move^2 house^2 in^0 {m}", subject, m=month), "。"
    if kind == "travel":
        return g.template("{s} 打算^1 {m} 去^2 {c} 旅行^3", "{s} [plan]^1 to^1 travel^3 to^2 {c} in^0 {m}", subject, m=month, c=c), "。"
    if kind == "lastyear":
        return g.template("{s} 去年^1 {m} 去^2 了^2 {c}", "{s} went^2 to^2 {c} in^0 {m} last^1 year^1", subject, m=month, c=c), "。"
    return g.template("{s} 是^0 {m} 出生^1 的^0", "{s} [be:past]^1 born^1 in^0 {m}", subject, m=month), "。"


SIZES = [("树", "高", "tall", (2, 3, 5, 8, 10, 20)), ("山", "高", "high", (300, 500, 800, 1000, 2000, 3000)),
         ("河", "深", "deep", (2, 3, 4, 5)), ("湖", "深", "deep", (5, 10, 20, 30)), ("桥", "长", "long", (50, 100, 200, 300, 500))]
HEIGHTS = [("一百六十", "one hundred and sixty"), ("一百六十五", "one hundred and sixty-five"),
           ("一百七十", "one hundred and seventy"), ("一百八十", "one hundred and eighty")]


def measures(g):
    """Heights, depths, lengths and distances in meters."""
    kind = g.weighted([(3, "size"), (1, "howbig"), (2, "run"), (1.5, "swim"), (2, "near"), (2, "height")])
    if kind in ("size", "howbig"):
        word, zh, en, values = g.pick(SIZES)
        np = g.noun_phrase(lexicon.NOUN[word], g.any(["this", "that"]))
        if kind == "howbig":
            return g.template("{s} 有^0 多^1 %s^2" % zh, "how^1 %s^2 is^0 {s}" % en, np), "？"
        n_zh, n_en = _number(g.any(values))
        return g.template("{s} 有^0 %s^1 米^2 %s^3" % (n_zh, zh), "{s} is^0 %s meters^2 %s^3" % (_tagged(n_en, "1"), en), np), "。"
    if kind == "near":
        place = g.place(["go"])
        home = pair("我 家", "my home") if g.chance(0.5) else g.place_name(g.place(["public"]))
        if place.zh == home.zh[-1].text or place.zh == "家":
            return None
        n_zh, n_en = lexicon.NUMBERS[g.any([100, 200, 300, 500, 800])]
        return fill("{a} 离^1 {b} 只^2 有^0 %s^3 米^4" % n_zh, "{a} is^0 only^2 %s meters^4 from^1 {b}" % _tagged(n_en, "3"),
                    {"a": home, "b": g.place_name(place)}), "。"
    subject = g.person(("adult",))
    if kind == "height":
        if subject.plural:
            return None
        zh, en = g.pick(HEIGHTS)
        return g.template("{s} 身高^3 %s^1 厘米^2" % zh, "{s} [be]^0 %s centimeters^2 tall^3" % _tagged(en, "1"), subject), "。"
    n_zh, n_en = lexicon.NUMBERS[g.any([100, 500, 800, 1000, 3000, 5000] if kind == "run" else [100, 200, 300, 500, 800, 1000])]
    verb = ("跑", "run", "ran") if kind == "run" else ("游", "swim", "swam")
    if g.chance(0.5):
        return g.template("{s} 每天^3,4 %s^1 %s^2 米^5" % (verb[0], n_zh), "{s} [%s]^1 %s meters^5 every^3 day^4" % (verb[1], _tagged(n_en, "2")), subject), "。"
    time = g.day()
    return g.template("{s} {t} %s^1 了^1 %s^2 米^5" % (verb[0], n_zh), "{s} %s^1 %s meters^5 {t}" % (verb[2], _tagged(n_en, "2")), subject, t=time), "。"


VEHICLES = [("坐^1 火车^2", "by^1 train^2"), ("坐^1 飞机^2", "by^1 plane^2"), ("坐^1 地铁^2", "by^1 subway^2"), ("坐^1 公共汽车^2", "by^1 bus^2"),
            ("坐^1 出租车^2", "by^1 taxi^2"), ("骑^1 自行车^2", "by^1 bicycle^2"), ("坐^1 船^2", "by^1 boat^2")]


def past_detail(g):
    """是…的: when, how, where or with whom something happened."""
    kind = g.weighted([(3, "vehicle"), (3, "time"), (2.5, "with"), (2, "met"), (1.5, "studied"), (1.5, "not"), (1.5, "when"), (1, "how"),
                       (1, "who"), (1.5, "bought"), (1, "whobought")])
    city = g.place(["city"])
    question = kind in ("when", "how", "who")
    subject = g.person(("adult",), question)
    if question and subject.person[0] == "1":
        return None
    far = g.chance(0.6)
    if far:
        goal, verb_zh, verb, past = fill("{c}", "to^0 {c}", {"c": g.place_name(city)}), *g.any([("来", "come", "came"), ("去", "go", "went")])
    else:
        local = g.place(["public", "school", "office"])
        goal, verb_zh, verb, past = g.place_to(local), *g.any([("来", "come", "came"), ("去", "go", "went")])
    slots = {"c": goal}
    if far and city.zh in ("东京", "纽约", "伦敦", "巴黎"):
        vehicles = [v for v in VEHICLES if "飞机" in v[0] or "船" in v[0] and city.zh != "巴黎"]
    elif far:
        vehicles = [v for v in VEHICLES if "飞机" in v[0] or "火车" in v[0]]
    else:
        vehicles = [v for v in VEHICLES if not any(w in v[0] for w in ("飞机", "火车", "船"))]
    if kind == "vehicle":
        zh, en = g.pick(vehicles)
        return g.template("{s} 是^0 %s %s^3 {c} 的^0" % (zh, verb_zh), "{s} %s^3 {c} %s" % (past, en), subject, **slots), "。"
    if kind == "not":
        first, second = g.pick(vehicles), g.pick(vehicles)
        if first == second:
            return None
        z2, e2 = (x.replace("^1", "^6").replace("^2", "^7") for x in second)
        return g.template("{s} 不^5 是^0 %s %s^3 {c} 的^0 ，^8 是^9 %s 去^0 的^0" % (first[0], verb_zh, z2) if verb_zh == "去" else
                          "{s} 不^5 是^0 %s %s^3 {c} 的^0 ，^8 是^9 %s 来^0 的^0" % (first[0], verb_zh, z2),
                          "{s} didn't^5 %s^3 {c} %s ,^8 but^9 %s" % (verb, first[1], e2), subject, **slots), "。"
    if kind == "time":
        time = g.time("past", None, clock=False) if far else g.day()
        return g.template("{s} 是^0 {t} %s^3 {c} 的^0" % verb_zh, "{s} %s^3 {c} {t}" % past, subject, t=time, **slots), "。"
    if kind == "with":
        other = g.other_person(subject)
        return g.template("{s} 是^0 跟^1 {o} 一起^1 %s^3 {c} 的^0" % verb_zh, "{s} %s^3 {c} with^1 {o}" % past, subject, o=other.accusative(), **slots), "。"
    if kind == "met":
        other = g.acquaintance(subject)
        place = g.place(["city", "school", "office", "park", "cafe", "museum"])
        return g.template("{s} 是^0 {w} 认识^1 {o} 的^0", "{s} met^1 {o} {w}", subject, o=other.accusative(), w=g.place_at(place)), "。"
    if kind == "studied":
        place = g.place(["city", "school", "country", "abroad"])
        return g.template("{s} 是^0 {w} 学^1 {l} 的^0", "{s} studied^1 {l} {w}", subject, l=pair(*g.pick(lexicon.LANGUAGES)), w=g.place_at(place)), "。"
    if kind == "when":
        return g.template("{s} 是^0 什么^1 时候^1 %s^3 {c} 的^0" % verb_zh, "when^1 did^3 {s} %s^3 {c}" % verb, subject, **slots), "？"
    if kind == "how":
        return g.template("{s} 是^0 怎么^1 %s^3 {c} 的^0" % verb_zh, "how^1 did^3 {s} %s^3 {c}" % verb, subject, **slots), "？"
    if kind == "who":
        return g.template("{s} 是^0 跟^1 谁^2 一起^1 %s^3 {c} 的^0" % verb_zh, "who^2 did^3 {s} %s^3 {c} with^1" % verb, subject, **slots), "？"
    noun = g.pick(g.nouns(["buy"]))
    g.combine("object", "买* {o}", noun.zh)
    np = g.noun_phrase(noun, g.any(["this", "that"]))
    if kind == "whobought":
        return g.template("{n} 是^0 谁^1 买^2 的^0", "who^1 bought^2 {n}", None, n=np.accusative()), "？"
    place = g.place(["shop"] if not set(noun.classes) & {"furn", "appliance", "vehicle", "device"} else ["clothshop", "net"])
    if g.chance(0.4) or place.zh in ("市场", "超市"):
        you = g.any(["2s", "3m", "3f"])
        who = g.pronoun(you)
        return g.template("{n} {s} 是^0 在^1 哪儿^1 买^2 的^0", "where^1 did^2 {s} buy^2 {n}", who, n=np.accusative()), "？"
    return g.template("{n} 是^0 {s} {w} 买^2 的^0", "{s} bought^2 {n} {w}", subject, n=np.accusative(), w=g.place_at(place)), "。"


def directions(g):
    """How to get somewhere, and what lies where in town."""
    side_zh, side_en = g.any([("左", "left"), ("右", "right")])
    n_zh, n_en = g.any([("一", "first"), ("二", "second"), ("三", "third")])
    turn = ("往^t %s^l 拐^t" % side_zh, "turn^t %s^l" % side_en)
    crossing = ("在^a 第^b %s^b 个^c 路口^c %s" % (n_zh, turn[0]), "%s at^a the^b %s^b crossing^c" % (turn[1], n_en))
    straight = ("一直^d 往^e 前^e 走^f", "go^f straight^d ahead^e")
    steps = g.pick([crossing, straight, turn])
    goal = g.place(["public", "school", "hotel", "office"])
    other = g.place(["public", "school", "hotel"])
    if not goal.name.startswith("the ") or not other.name.startswith("the "):
        return None
    to = g.place_to(goal)
    there = g.place_name(goal)
    kind = g.weighted([(2, "to"), (1.5, "firstthen"), (1.5, "after"), (2, "side"), (3.5, "relation"), (1, "minutes"), (1, "opposite")])
    if kind == "to":
        if g.chance(0.5):
            return fill("去^g {p} ，^h %s" % steps[0], "to^g get^g {p} ,^h %s" % steps[1], {"p": to}), "。"
        return fill("去^g {p} ，^h 请^i %s" % steps[0], "to^g get^g {p} ,^h please^i %s" % steps[1], {"p": to}), "。"
    if kind == "firstthen":
        last = g.any([crossing, turn])
        return fill("去^g {p} ，^h 先^i %s ，^j 再^k %s" % (straight[0], last[0]), "to^g get^g {p} ,^h first^i %s ,^j and^0 then^k %s" % (straight[1], last[1]), {"p": to}), "。"
    if kind == "after":
        mark = g.any([("桥", "bridge"), ("马路", "street")])
        return fill("过^g 了^g %s^h 以后^i ，^j %s ，^k {p} 就^0 在^m 前面^n" % (mark[0], steps[0]),
                    "after^i you^0 cross^g the^h %s^h ,^j %s ,^k and^0 {p} is^m ahead^n" % (mark[1], steps[1]), {"p": there}), "。"
    if kind == "side":
        return fill("%s ，^m {p} 就^0 在^n 你^o 的^o %s边^q" % (steps[0], side_zh), "%s ,^m and^0 {p} is^n on^n your^o %s^q" % (steps[1], side_en), {"p": there}), "。"
    if goal.zh == other.zh:
        return None
    near = g.place_name(other)
    if kind == "minutes":
        m = g.any([5, 10, 15, 20])
        zh, en = lexicon.NUMBERS[m]
        return fill("{p} 离^1 {q} 不^2 远^3 ，^4 走路^5 只^6 要^0 %s^7 分钟^8" % zh,
                    "{p} is^0 not^2 far^3 from^1 {q} ,^4 only^6 %s^7 minutes^8 on^5 foot^5" % en, {"p": there, "q": near}), "。"
    word = g.pick([("对面", "opposite^2"), ("旁边", "next^2 to^2"), ("后面", "behind^2"), ("前面", "in^2 front^2 of^2"), ("附近", "near^2"),
                   ("北边", "north^2 of^2"), ("南边", "south^2 of^2")])
    if kind == "opposite":
        return fill("{p} 是^1 不^0 是^0 在^1 {q} %s^2" % word[0], "is^1 {p} %s {q}" % word[1], {"p": there, "q": near}), "？"
    return fill("{p} 在^1 {q} %s^2" % word[0], "{p} is^1 %s {q}" % word[1], {"p": there, "q": near}), "。"


PAINS = [("头^1 疼^1", "a^1 headache^1"), ("肚子^1 疼^1", "a^1 stomachache^1"), ("牙^1 疼^1", "a^1 toothache^1"), ("嗓子^1 疼^1", "a^1 sore^1 throat^1"),
         ("咳嗽^1", "a^1 cough^1"), ("发烧^1", "a^1 fever^1")]
ORDERS = [("多^2 喝^3 水^4", "drink^3 more^2 water^4"), ("在^2 家^3 休息^4 三^5 天^6", "rest^4 at^2 home^3 for^0 three^5 days^6"), ("少^2 吃^3 糖^4", "eat^3 less^2 sugar^4"),
          ("早^2 点儿^2 睡觉^3", "go^3 to^3 bed^3 earlier^2"), ("每天^2 吃^3 三^4 次^4 药^5", "take^3 medicine^5 three^4 times^4 a^2 day^2"),
          ("少^2 喝^3 咖啡^4", "drink^3 less^2 coffee^4"), ("多^2 吃^3 蔬菜^4", "eat^3 more^2 vegetables^4"), ("每天^2 锻炼^3 身体^3", "exercise^3 every^2 day^2")]
MISSED = [("去^6 上班^7", "go^6 to^7 work^7"), ("吃^6 晚饭^7", "have^6 dinner^7"), ("去^6 跑步^7", "go^6 running^7"), ("睡^6 好^7", "sleep^6 well^7"), ("参加^6 会议^7", "attend^6 the^7 meeting^7")]
CARE = [("应该^5 去^6 看^7 医生^8", "should^5 go^6 to^0 see^7 a^8 doctor^8"), ("应该^5 吃^6 药^7", "should^5 take^6 medicine^7"), ("应该^5 在^6 家^7 休息^8", "should^5 rest^8 at^6 home^7"),
        ("不^5 应该^5 去^6 上班^7", "shouldn't^5 go^6 to^7 work^7"), ("最好^5 早^6 点儿^6 睡觉^7", "had^5 better^5 go^7 to^7 bed^7 early^6")]


def health(g):
    zh, en = g.pick(PAINS)
    subject = g.person(("adult",), gendered=True)
    p = g.pronoun(subject.person)
    kind = g.weighted([(1.5, "today"), (1.5, "past"), (3, "so"), (3, "order"), (2.5, "if"), (1.2, "better"), (1.5, "ill"), (1, "ask")])
    if kind == "today":
        return g.template("{s} 今天^3 " + zh, "{s} [have]^1 " + en + " today^3", subject), "。"
    if kind == "past":
        return g.template("{s} {t} " + zh, "{s} had^1 " + en + " {t}", subject, t=g.day()), "。"
    if kind == "so":
        m_zh, m_en = g.pick(MISSED)
        g.combine("missed", zh, m_zh)
        return g.template("{s} 昨天^2 %s ，^3 所以^4 没^5 %s" % (zh, m_zh), "{s} had^1 %s yesterday^2 ,^3 so^4 {p} didn't^5 %s" % (en, m_en), subject,
                          p=Piece([], p.en)), "。"
    if kind == "order":
        o_zh, o_en = g.pick(ORDERS)
        who = ("医生", "the doctor")
        return g.template("%s^9 让^1 {o} %s" % (who[0], o_zh), _tagged(who[1], "9") + " told^1 {o} to^1 " + o_en, None, o=subject.accusative()), "。"
    if kind == "if":
        c_zh, c_en = g.pick(CARE)
        g.combine("care", zh, c_zh)
        return g.template("如果^2 {s} 还^3 %s ，^4 {p} 就^0 %s" % (zh, c_zh), "if^2 {s} still^3 [have]^1 %s ,^4 {p} %s" % (en, c_en), subject, p=p.nominative()), "。"
    if kind == "better":
        form = g.any([("已经^1 好^2 多^3 了^3", "[be]^0 already^1 much^3 better^2"), ("今天^1 好^2 一点儿^3 了^0", "[be]^0 a^3 little^3 better^2 today^1")])
        return g.template("{s} " + form[0], "{s} " + form[1], subject), "。"
    if kind == "ill":
        d = g.any([("两", "two"), ("三", "three"), ("五", "five")])
        return g.template("{s} 病^1 了^1 %s^2 天^3" % d[0], "{s} [be:past]^1 sick^1 for^0 %s^2 days^3" % d[1], subject), "。"
    you = g.person(("adult",), question=True, gendered=True)
    if you.person[0] == "1":
        return None
    return g.template("{s} 还^2 %s 吗^0" % zh, "[do]^1 {s} still^2 have^1 " + en, you), "？"


RESULTS = [("找^1 到^1", "find^1", "", "lose", "adult"), ("看^1 完^2", "finish^2", "reading^1", "book_read lit", "adult"), ("修^1 好^1", "repair^1", "", "device vehicle2 appliance vehicle_car", "adult"),
           ("写^1 完^2", "finish^2", "writing^1", "writework", "adult"), ("看^1 懂^1", "understand^1", "", "lit lang doc", "adult"), ("记^1 住^1", "remember^1", "", "lang secret", "adult"),
           ("吃^1 完^2", "finish^2", "eating^1", "meal snack cake", "kid"), ("学^1 会^1", "learn^1", "", "song", "adult"), ("翻译^1 完^2", "finish^2", "translating^1", "lit doc", "adult"),
           ("画^1 完^2", "finish^2", "painting^1", "art", "adult"), ("打扫^1 干净^1", "clean^1", "", "room", "adult"), ("听^1 懂^1", "understand^1", "", "song", "adult"), ("收拾^1 好^1", "pack^1", "", "luggage_", "adult")]


def result(g):
    """A verb with its result: done, not yet, or asked for."""
    zh, en, rest, classes, who = g.pick(RESULTS)
    nouns = g.nouns(classes.split())
    if not nouns:
        return None
    noun = g.pick(nouns)
    g.combine("object", zh, noun.zh)
    np = g.noun_phrase(noun, g.weighted([(3, "this"), (3, "that"), (1, "these" if not noun.container else "this"), (1, "those" if not noun.container else "that"), (2 if zh.startswith(("找", "收拾")) else 0, "poss")]))
    kind = g.weighted([(3, "past"), (2, "notyet"), (1.5, "q"), (2, "already"), (1.2, "atlast")])
    subject = g.person((who,), question=kind == "q")
    head, _, tag = en.partition("^")
    slots = dict(o=np.accusative())
    if kind == "past":
        if "懂" in zh or "记" in zh:
            return None
        time = g.day()
        return g.template("{s} {t} %s 了^0 {o}" % zh, "{s} [%s:past]^%s %s {o} {t}" % (head, tag, rest), subject, t=time, **slots), "。"
    if kind == "atlast":
        return g.template("{s} 终于^3 %s 了^0 {o}" % zh, "{s} finally^3 [%s:past]^%s %s {o}" % (head, tag, rest), subject, **slots), "。"
    if kind == "notyet":
        return _contracted(g.template("{s} 还^3 没^4 %s {o}" % zh, "{s} [have]^4 not^4 [%s:pp]^%s %s {o} yet^3" % (head, tag, rest), subject, **slots)), "。"
    if kind == "already":
        return g.template("{s} 已经^3 %s {o} 了^0" % zh, "{s} [have]^0 already^3 [%s:pp]^%s %s {o}" % (head, tag, rest), subject, **slots), "。"
    if subject.person[0] == "1":
        return None
    return g.template("{s} %s {o} 了^0 吗^0" % zh, "[have]^0 {s} [%s:pp]^%s %s {o}" % (head, tag, rest), subject, **slots), "？"


ERRANDS = [("买^7 东西^8", "buy^7 things^8", "shop"), ("看^7 电影^8", "watch^7 a^8 movie^8", "cinema"), ("借^7 书^8", "borrow^7 books^8", "libr"), ("看^7 病^8", "see^7 a^8 doctor^8", "hospital"),
           ("接^7 朋友^8", "pick^7 up^7 a^8 friend^8", "station"), ("寄^7 信^8", "mail^7 a^8 letter^8", "post"), ("取^7 钱^8", "withdraw^7 money^8", "bank"), ("散步^7", "take^7 a^7 walk^7", "park"), ("吃^7 饭^7", "eat^7", "eat")]
EXCUSES = [("我^7 病^8 了^8", "I^7 was^0 sick^8"), ("我^7 起^8 晚^9 了^8", "I^7 got^8 up^8 late^9"), ("我^7 没^8 有^8 时间^9", "I^7 had^8 no^8 time^9"), ("我^7 太^8 累^9 了^8", "I^7 was^0 too^8 tired^9"),
           ("我^7 忘^8 了^8", "I^7 forgot^8"), ("外面^7 下^8 大^9 雨^8", "it^0 was^0 raining^8 heavily^9 outside^7"), ("我^7 丢^8 了^8 手机^9", "I^7 lost^8 my^9 phone^9")]
ABSENT = [("来^3 上课^4", "come^3 to^4 class^4"), ("去^3 上班^4", "go^3 to^4 work^4"), ("给^3 我^4 打^3 电话^3", "call^3 me^4"), ("吃^3 早饭^4", "have^3 breakfast^4"), ("参加^3 比赛^4", "take^3 part^3 in^3 the^4 match^4"),
          ("来^3 参加^3 晚会^4", "come^3 to^3 the^4 party^4"), ("做^3 作业^4", "do^3 your^0 homework^4")]
SKILLS = [("游泳^2", "swim^2"), ("做^2 饭^2", "cook^2"), ("开^2 车^2", "drive^2"), ("弹^2 钢琴^3", "play^2 the^3 piano^3"), ("下棋^2", "play^2 chess^2"), ("滑冰^2", "skate^2"), ("说^2 法语^3", "speak^2 French^3"),
          ("说^2 英语^3", "speak^2 English^3"), ("弹^2 吉他^3", "play^2 the^3 guitar^3"), ("跳舞^2", "dance^2"), ("打^2 网球^3", "play^2 tennis^3")]
BUSY = [("上班^7", "go^7 to^7 work^7"), ("去^7 医院^8", "go^7 to^8 the^8 hospital^8"), ("准备^7 考试^8", "prepare^7 for^8 the^8 exam^8"), ("照顾^7 孩子^8", "take^7 care^7 of^7 the^8 child^8"), ("去^7 机场^8", "go^7 to^8 the^8 airport^8"),
        ("打扫^7 房间^8", "clean^7 the^8 room^8"), ("写^7 报告^8", "write^7 a^8 report^8"), ("开会^7", "have^7 a^7 meeting^7")]


def dialogue(g):
    """A question and its answer in one line."""
    kind = g.weighted([(2, "drink"), (1.5, "clock"), (2, "price"), (2.5, "where"), (2, "going"), (1.5, "whose"), (1.5, "skill"), (2, "busy"),
                       (1.5, "who"), (2.5, "why"), (1.5, "weather"), (1.5, "travelled"), (1.5, "like"), (1, "shop")])
    name = g.name() if kind in ("drink", "going", "busy", "why") and g.chance(0.7) else None

    def said(piece):
        if name is None:
            return piece, "。"
        return fill("{n} ，^v {c}", "{n} ,^v {c}", {"n": name.nominative(), "c": piece}), "。"

    if kind == "drink":
        verb, en, classes = g.any([("喝", "drink", ["drink"]), ("吃", "eat", ["snack", "meal", "fruit"])])
        noun = g.pick(g.nouns(classes))
        g.combine("object", verb + "* {o}", noun.zh)
        o = g.noun_phrase(noun, g.weighted([(3, "one"), (1, "bare")])).accusative()
        return said(fill("你^1 想^2 %s^3 什么^4 ？^5 我^6 想^7 %s^8 {o}" % (verb, verb), "what^4 do^2 you^1 want^2 to^2 %s^3 ?^5 I^6 want^7 to^7 %s^8 {o}" % (en, en), {"o": o}))
    if kind == "clock":
        hour = g.any(list(range(1, 13)))
        return fill("现在^1 几点^2 了^0 ？^3 现在^4 {c}", "what^2 time^2 is^0 it^0 now^1 ?^3 It^0 is^0 {c} now^4", {"c": g.clock(hour, bare=True)}), "。"
    if kind in ("price", "shop"):
        from descriptions import PRICES
        key = g.pick(list(PRICES))
        noun = g.pick(g.nouns([key]))
        if noun.zh in ("报纸", "信", "邮件", "报告", "文章", "故事", "诗"):
            return None
        n_zh, n_en = _number(g.any(PRICES[key]))
        amount = fill("%s^1 块^2 钱^2" % n_zh, _tagged(n_en, "1") + " yuan^2")
        np = g.noun_phrase(noun, g.any(["this", "that"]))
        return g.template("{s} 多少^1 钱^1 ？^2 {a}", "how^1 much^1 [do]^0 {s} cost^1 ?^2 {a}", np, a=_capital(amount)), "。"
    if kind == "where":
        subject = _singular(g, pronouns=False)
        place = g.place(["quiet", "office", "hospital", "shop", "kitchen", "garden", "sport", "park", "station", "eat", "bank"])
        p = _capital(g.pronoun(subject.person).nominative())
        return g.template("{s} 在^1 哪儿^2 ？^3 {p} {w}", "where^2 is^1 {s} ?^3 {p} is^0 {w}", subject, p=p, w=g.place_at(place)), "。"
    if kind == "going":
        zh, en, cls = g.pick(ERRANDS)
        to = g.place_to(g.place([cls]))
        return said(fill("你^1 去^2 哪儿^3 ？^4 我^5 去^6 {p} " + zh, "where^3 are^2 you^1 going^2 ?^4 I^5 am^0 going^6 {p} to^0 " + en, {"p": to}))
    if kind == "whose":
        noun = g.pick(g.nouns(["lose", "item", "vehicle2", "study"]))
        if noun.container:
            return None
        np = g.noun_phrase(noun, g.any(["this", "that"]))
        owner = g.name()
        en = owner.en[:-1] + [owner.en[-1]._replace(text=owner.en[-1].text + "'s")]
        return g.template("{s} 是^1 谁^2 的^2 ？^3 是^4 {p} 的^0", "whose^2 is^1 {s} ?^3 It^0 is^4 {p}", np, p=Piece(owner.zh, en)), "。"
    if kind == "skill":
        subject = g.person(("adult",), question=True)
        if subject.person[0] == "1":
            return None
        zh, en = g.pick(SKILLS)
        answer = g.pick([("会^5 ，^6 可是^7 不^8 太^8 好^9", "Yes^5 ,^6 but^7 not^8 very^8 well^9"), ("会^5 一点儿^6", "Yes^5 ,^0 a^6 little^6"), ("不^5 会^5 ，^6 可是^7 很^8 想^9 学^a", "No^5 ,^6 but^7 {p} really^8 [want]^9 to^9 learn^a")])
        p = g.pronoun(subject.person if subject.person not in ("2s", "2p", "3x") else {"2s": "1s", "2p": "1p", "3x": "3m"}[subject.person])
        tail = answer[1].replace("[want]", "want" if p.person in ("1s", "1p", "3p") else "wants")
        return g.template("{s} 会^1 %s 吗^0 ？^4 %s" % (zh, answer[0]), "can^1 {s} %s ?^4 %s" % (en, tail), subject, p=Piece([], p.en)), "。"
    if kind == "busy":
        time = g.pick([("明天", "tomorrow"), ("明天 上午", "tomorrow morning"), ("明天 下午", "tomorrow afternoon"), ("今天 晚上", "tonight"), ("这个周末", "this weekend")])
        t = pair(*time)
        zh, en = g.pick(BUSY)
        return said(fill("你^1 {t} 有^2 时间^3 吗^0 ？^4 没^5 有^5 ，^6 我^9 要^a " + zh, "do^2 you^1 have^2 time^3 {t} ?^4 No^5 ,^6 I^9 have^a to^a " + en, {"t": t}))
    if kind == "who":
        word = g.any([("男孩", "boy", "m", "他", "He"), ("女孩", "girl", "f", "她", "She"), ("老人", "old man", "m", "他", "He")])
        if word[0] == "老人":
            kin = g.kin(["old"])
            if kin.person != "3m":
                return None
        else:
            kin = g.kin(["kid"])
        if kin.person != "3" + word[2]:
            return None
        return fill("那^1 个^2 %s^2 是^3 谁^4 ？^5 %s^6 是^7 {k}" % (word[0], word[3]), "who^4 is^3 that^1 %s ?^5 %s^6 is^7 {k}" % (_tagged(word[1], "2"), word[4]), {"k": kin.accusative()}), "。"
    if kind == "why":
        a_zh, a_en = g.pick(ABSENT)
        e_zh, e_en = g.pick(EXCUSES)
        when = g.any([("昨天", "yesterday"), ("今天", "today")])
        g.combine("excuse", a_zh, e_zh)
        return said(fill("你^1 %s^5 为什么^2 没^a %s ？^b 因为^6 %s" % (when[0], a_zh, e_zh), "why^2 didn't^a you^1 %s %s^5 ?^b Because^6 %s" % (a_en, when[1], e_en)))
    if kind == "weather":
        city = g.place(["city"])
        a = g.any([("冷", "cold"), ("热", "hot"), ("暖和", "warm"), ("凉快", "cool")])
        d = g.any([("很", "very"), ("非常", "extremely"), ("有点儿", "a little"), ("不太", "not very")])
        if a[0] in ("暖和", "凉快") and d[0] == "有点儿":
            return None
        return _contracted(fill("{c} 今天^1 天气^2 怎么样^3 ？^4 %s^5 %s^6" % (d[0], a[0]), "how^3 is^0 the^2 weather^2 in^0 {c} today^1 ?^4 It^0 is^0 %s %s^6" % (_tagged(d[1], "5"), a[1]), {"c": g.place_name(city)})), "。"
    if kind == "travelled":
        subject = g.person(("adult",), question=True)
        if subject.person[0] == "1" or subject.plural:
            return None
        p = g.pronoun({"2s": "1s"}.get(subject.person, subject.person if subject.person != "3x" else "3m"))
        c = g.place_name(g.place(["city", "country"]))
        if g.chance(0.5):
            return g.template("{s} 去^1 过^1 {c} 吗^0 ？^2 去^3 过^3 两^4 次^5", "[have]^1 {s} been^1 to^1 {c} ?^2 Yes^3 ,^0 twice^4,5", subject, c=c), "。"
        return g.template("{s} 去^1 过^1 {c} 吗^0 ？^2 没^3 去^4 过^4 ，^5 可是^6 很^7 想^8 去^9", "[have]^1 {s} been^1 to^1 {c} ?^2 No^3 ,^5 but^6 {p} would^8 love^7 to^8 go^9", subject, c=c, p=Piece([], p.en)), "。"
    subject = g.person(("adult",), question=True, pronouns=True)
    if subject.person[0] == "1" or subject.plural:
        return None
    noun = g.pick(g.nouns(["fruit", "drink", "pet", "snack"]))
    other = g.pick([n for n in g.nouns([noun.classes[0]]) if n.zh != noun.zh])
    p = _capital(g.pronoun({"2s": "1s", "3x": "3m"}.get(subject.person, subject.person)).nominative())
    do = "prefer" if subject.person == "2s" else "prefers"
    return g.template("{s} 喜欢^1 {a} 还是^2 {b} ？^3 {p} 更^4 喜欢^4 {c}", "[do]^1 {s} like^1 {a} or^2 {b} ?^3 {p} %s^4 {c}" % do, subject,
                      a=g.noun_phrase(noun, "bare").accusative(), b=g.noun_phrase(other, "bare").accusative(), c=g.noun_phrase(g.any([noun, other]), "bare").accusative(), p=p), "。"


AT_HOME = [("做^1 饭^1", "cooking^1"), ("洗^1 碗^2", "washing^1 the^2 dishes^2"), ("看^1 电视^2", "watching^1 television^2"), ("打扫^1 房间^2", "cleaning^1 the^2 room^2"), ("弹^1 钢琴^2", "playing^1 the^2 piano^2"),
           ("睡觉^1", "sleeping^1"), ("听^1 音乐^2", "listening^1 to^1 music^2"), ("洗澡^1", "taking^1 a^1 shower^1"), ("浇^1 花^2", "watering^1 the^2 flowers^2"), ("写^1 信^2", "writing^1 a^2 letter^2"), ("看^1 报纸^2", "reading^1 the^2 newspaper^2")]
OPPOSED = [("早上^1 洗澡^2", "[take]^2 a^2 shower^2 in^1 the^1 morning^1", "晚上^3 洗澡^4", "[take]^4 a^4 shower^4 in^3 the^3 evening^3"), ("坐^1 地铁^2 上班^3", "[take]^1 the^2 subway^2 to^3 work^3", "开^4 车^4 上班^5", "[drive]^4 to^5 work^5"),
           ("起^1 得^1 很^2 早^3", "[get]^1 up^1 very^2 early^3", "起^4 得^4 很^5 晚^6", "[get]^4 up^4 very^5 late^6"), ("吃^1 得^1 很^2 多^2", "[eat]^1 a^2 lot^2", "吃^3 得^3 很^4 少^5", "[eat]^3 very^4 little^5"),
           ("说^1 得^1 很^2 快^3", "[speak]^1 very^2 fast^3", "说^4 得^4 很^5 慢^6", "[speak]^4 very^5 slowly^6"), ("喜欢^1 大^2 城市^3", "[like]^1 big^2 cities^3", "喜欢^4 小^5 村子^6", "[like]^4 small^5 villages^6"),
           ("想^1 在^2 家^3 吃^4 饭^4", "[want]^1 to^1 eat^4 at^2 home^3", "想^5 去^6 饭馆^7", "[want]^5 to^5 go^6 to^7 the^7 restaurant^7"), ("来^1 了^1", "came^1", "没^2 来^3", "didn't^2 come^3"),
           ("很^1 努力^2", "[be]^0 very^1 hardworking^2", "有点儿^3 懒^4", "[be]^0 a^3 little^3 lazy^4"), ("住^1 在^2 楼上^3", "[live]^1 upstairs^2,3", "住^4 在^5 楼下^6", "[live]^4 downstairs^5,6"),
           ("想^1 出门^2", "[want]^1 to^1 go^2 out^2", "想^3 在^4 家^5 休息^6", "[want]^3 to^3 rest^6 at^4 home^5"), ("喜欢^1 夏天^2", "[like]^1 summer^2", "喜欢^3 冬天^4", "[like]^3 winter^4")]


def contrast(g):
    """X …, 而/但是 Y …: two people who differ in one respect."""
    a = g.person(("adult",))
    b = g.other_person(a)
    kind = g.weighted([(3, "like"), (1.5, "notlike"), (1.5, "lang"), (1.5, "live"), (1.5, "job"), (2, "go"), (2.5, "busy"), (2, "state"), (3.5, "opposed")])
    word = g.any([("但是", "but"), ("而", "while"), ("可是", "but")])

    def both(first, second, slots1, slots2, word):
        left = g.template("{s} " + first[0], "{s} " + first[1], a, **slots1)
        right = g.template("{s} " + second[0], "{s} " + second[1], b, **slots2)
        return fill("{x} ，^1 %s^2 {y}" % word[0], "{x} ,^1 %s^2 {y}" % word[1], {"x": _contracted(left), "y": _contracted(right)}), "。"

    if kind in ("like", "notlike"):
        noun = g.pick(g.nouns(["drink", "fruit", "pet", "snack", "film"]))
        x = g.noun_phrase(noun, "bare").accusative()
        if kind == "notlike":
            return both(("喜欢^1 {o}", "[like]^1 {o}"), ("不^1 喜欢^2", "[do]^2 not^1"), {"o": x}, {}, word if word[0] != "而" else ("但是", "but"))
        other = g.pick([n for n in g.nouns(["film" if "film" in noun.classes else noun.classes[0]]) if n.zh != noun.zh])
        return both(("喜欢^1 {o}", "[like]^1 {o}"), ("喜欢^1 {o}", "[like]^1 {o}"), {"o": x}, {"o": g.noun_phrase(other, "bare").accusative()}, word)
    if kind == "lang":
        l, m = g.pick(lexicon.LANGUAGES), g.pick(lexicon.LANGUAGES)
        if l == m:
            return None
        return both(("会^1 说^2 {l}", "can^1 speak^2 {l}"), ("会^1 说^2 {l}", "can^1 speak^2 {l}"), {"l": pair(*l)}, {"l": pair(*m)}, word)
    if kind == "live":
        c, d = g.place(["city"]), g.place(["city"])
        if c.zh == d.zh:
            return None
        z, e = g.any([("住^1 {w}", "[live]^1 {w}"), ("{w} 工作^1", "[work]^1 {w}")])
        return both((z, e), (z, e), {"w": g.place_at(c)}, {"w": g.place_at(d)}, ("而", "while"))
    if kind == "job":
        if a.plural or b.plural or a.key not in ("name", "pro") or not (b.key == "name" or "er" in b.key):
            return None
        roles = [r for r in lexicon.ROLES if "pro" in r.classes]
        r, s = g.pick(roles), g.pick(roles)
        if r.zh == s.zh:
            return None
        job = lambda role: pair(role.zh, inflection.article(role.en) + " " + role.en)
        return both(("是^1 {j}", "[be]^1 {j}"), ("是^1 {j}", "[be]^1 {j}"), {"j": job(r)}, {"j": job(s)}, ("而", "while"))
    if kind == "go":
        cls = g.any([["city"], ["park", "sea", "zoo", "museum", "cinema", "theater"]])
        c, d = g.place(cls), g.place(cls)
        if c.zh == d.zh:
            return None
        return both(("想^1 去^2 {c}", "[want]^1 to^1 go^2 {c}"), ("想^1 去^2 {c}", "[want]^1 to^1 go^2 {c}"), {"c": g.place_to(c)}, {"c": g.place_to(d)}, word)
    if kind == "busy":
        x, y = g.pick(AT_HOME), g.pick(AT_HOME)
        if x == y:
            return None
        return both(("在^0 " + x[0], "[be]^0 " + x[1]), ("在^0 " + y[0], "[be]^0 " + y[1]), {}, {}, ("而", "while"))
    if kind == "state":
        zh, en = g.pick([("忙", "busy"), ("累", "tired"), ("饿", "hungry"), ("紧张", "nervous"), ("高兴", "happy"), ("高", "tall"), ("困", "sleepy"), ("害羞", "shy")])
        return both(("很^1 %s^2" % zh, "[be]^0 very^1 %s^2" % en), ("一点儿^1 都^1 不^1 %s^2" % zh, "[be]^0 not^1 %s^2 at^1 all^1" % en), {}, {}, word if word[0] != "而" else ("但是", "but"))
    first_zh, first_en, second_zh, second_en = g.pick(OPPOSED)
    if "懒" in second_zh and b.person[0] == "3" and b.key == "role":
        return None
    return both((first_zh, first_en), (second_zh, second_en), {}, {}, word)


FAMILIES = [(2.6, dates), (2, measures), (3, past_detail), (2.4, directions), (2.6, health), (3, result), (4.2, dialogue), (4, contrast)]
