"""Sentence families of more than one clause: reasons, conditions, concession,
sequences and narrations, and constructions such as 一边…一边, 不但…而且.

A step is written `mode | Chinese = English`; `!` before the mode negates it,
the mode `was` is a past state (no 了).  The clause builder of the grammar
supplies tense, agreement and do-support.
"""

import inflection
import lexicon
from alignment import EMPTY, Piece, fill, new_group, pair, token
from descriptions import _described, _duration
from grammar import NounPhrase, conjugate, parse_frame
from lexicon import rows
from sentences import choose_frame, context_of, contract, event

_steps = {}
RETIRED = {"grandfather", "grandmother"}


def step(text):
    """(mode, negated, frame) of `mode | Chinese = English # options`."""
    if text not in _steps:
        mode, _, body = text.partition("|")
        mode = mode.strip()
        _steps[text] = (mode.lstrip("!"), mode.startswith("!"), parse_frame(body))
    return _steps[text]


def say(g, subject, text, time=None, front=False, adverb=None, drop_subject=False, mode=None, place=None, question=None):
    """The clause of a step for a subject."""
    own_mode, neg, frame = step(text)
    mode = mode or own_mode
    bare = False
    if mode == "was":
        mode, bare = "past", True
    verb = g.verb_phrase(frame, subject, context_of(mode, neg))
    return g.clause(subject, verb, mode, neg, adverb, time, front, place, question, bare_past=bare, drop_subject=drop_subject)


def pronoun_of(g, subject):
    return g.pronoun(subject.person)


def blocks(text):
    """Blank-line separated blocks; the first line of each is the head."""
    found = []
    for block in text.strip().split("\n\n"):
        lines = [line.strip() for line in block.strip().splitlines() if line.strip()]
        if lines:
            found.append((lines[0], lines[1:]))
    return found


# Head: subject class @ time expression (or -) @ cause; then the effects.
REASONS = blocks("""
person @ 昨天=yesterday @ was | 很 累 = be^0 very tired
!past | 做* 饭 = cook
!past | 去 跑步 = go running
!past | 跟^2 朋友^3 见面^1 = meet^1 POSS^3 friends^3
past | 很 早^2 就^0 睡觉^3 = go^3 to^3 bed^3 very early^2
past | 在 家 休息^1 = rest^1 at home
!past | 参加* 那 场^2 比赛^2 = take^1 part^1 in^1 that match^2
was | 不 想 出门^1 = not_want to^1 go^1 out^1

person @ 今天=today @ hab | 病 了^0 = be^0 sick
!hab | 去 上班 = go to^2 work^2
want | 在 家 休息^1 = rest^1 at home
must | 去^1 看 医生^3 = go^1 to^0 see a^3 doctor^3
!can | 来 上课^2 = come to^2 class^2
need | 多^2 喝^1 水^3 = drink^1 more^2 water^3
should | 早^2 一点儿^2 睡觉^1 = go^1 to^1 bed^1 earlier^2

person @ 昨天 晚上=last night @ was | 睡^1 得^1 很 晚 = go^1 to^1 bed^1 very late
past | 今天 早上^2 迟到^1 = be^1 late^1 this morning^2
hab | 今天^3 很 困 = be^0 very sleepy today^3
!past | 听见* 闹钟^2 = hear the^2 alarm^2 clock^2
hab | 现在^3 很 累 = be^0 very tired now^3

adult @ - @ hab | 工作^1 很 忙 = be^0 very busy with^0 work^1
hab | 没有^1 时间^2 锻炼^3 身体^3 = have^1 no^1 time^2 to^3 exercise^3
hab | 常常 加班^1 = often work^1 overtime^1
!hab | 常 回^1 家^2 = go^1 home^2 often
hab | 很少^1 跟^2 朋友^3 见面^4 = rarely^1 meet^4 with^2 friends^3
!can | 跟^2 我们^3 一起^2 去^1 旅行^1 = travel^1 with^2 us^3

stu @ 明天=tomorrow @ hab | 有^1 考试^2 = have^1 an^2 exam^2
must | 复习 数学 = review math
!can | 跟^2 你^3 去 看^4 电影^4 = go to^4 watch^4 a^4 movie^4 with^2 you^3
!hab | 想 玩 电脑^3 游戏^4 = want to^0 play computer^3 games^4
should | 早^2 一点儿^2 睡觉^1 = go^1 to^1 bed^1 earlier^2
hab | 很 紧张 = be^0 very nervous

adult @ 昨天=yesterday @ past | 忘* 带 雨伞^3 = forget to^2 bring^2 an^3 umbrella^3
past | 在^2 车站^3 等^1* 一^4 个^5 小时^5 = wait^1 at^2 the^3 bus^3 stop^3 for^0 an^4 hour^5
past | 坐^1 出租车^2 回^3* 家^4 = take^1 a^2 taxi^2 home^4,3
past | 感冒 = catch^1 a^1 cold^1

adult @ - @ past | 丢* 钱包^2 = lose POSS^2 wallet/s^2
hab | 很 难过 = be^0 very sad
!can | 买 火车票^2 = buy train^2 tickets^2
past | 去 警察局^2 = go to^2 the^2 police^2 station^2
past | 给^2 我^3 打^1* 电话^1 = call^1 me^3
past | 向^2 朋友^3 借^1* 一百^4 块^5 钱^5 = borrow^1 one^4 hundred^4 yuan^5 from^2 a^3 friend^3

adult @ - @ hab | 喜欢 动物^2 = like animals^2
past | 养* 两 只^3 猫^3 = get^1 two cats^3
hab | 常常 去 动物园^3 = often go to^3 the^3 zoo^3
want | 当^1 医生^2 = be^1 a^2 doctor^2
!hab | 吃 肉 = eat meat

person @ - @ hab | 喜欢 中国^2 文化^3 = like Chinese^2 culture^3
past | 开始 学^2 汉语^3 = begin to^2 study^2 Chinese^3
plan | 明年^3 去 北京 = go to^0 Beijing next^3 year^3
hab | 常常 看 中国^3 电影^4 = often watch Chinese^3 movies^4
hope | 在 中国 工作^1 = work^1 in China
want | 学^1 写^2 汉字^3 = learn^1 to^2 write^2 Chinese^3 characters^3

stu @ - @ hab | 学习^1 很 努力 = study^1 very hard
was | 考^1 得^1 很 好 = do^1 very well on^1 the^1 exam^1
past | 考^1 上^1* 大学^2 = get^1 into^1 university^2
hab | 总是 考^2 第^3 一^3 名^3 = always come^2 first^3 in^2 the^2 exams^2

adult @ - @ hab | 想 减肥^2 = want to^2 lose^2 weight^2
hab | 每天^1 跑步 = run every^1 day^1
!hab | 吃 巧克力 = eat chocolate
hab | 晚上^3 只 吃 蔬菜^4 = only eat vegetables^4 in^3 the^3 evening^3
past | 买* 一 辆^3 自行车^3 = buy a bicycle^3
hab | 走路^1 去 上班^3 = walk^1 to^3 work^3

adult @ 上 个 星期=last week @ past | 搬* 家 = move house
need | 买 新 家具 = buy new furniture
hab | 离^2 公司^3 很 近^1 = live^0 very close^1 to^2 the^3 company^3
hab | 还^3 不^4 认识 新 邻居 = not_know POSS^0 new neighbors yet^3
hab | 每天^1 坐 地铁^3 上班^4 = take^2 the^3 subway^3 to^4 work^4 every^1 day^1

adult @ - @ hab | 没有^1 车 = have^1 no^1 car
must | 坐 公共汽车^2 上班^3 = take the^2 bus^2 to^3 work^3
past | 走路^1 回^2 家^3 = walk^1 home^3,2
want | 买 一 辆^3 新^4 车^3 = buy a new^4 car^3
!can | 去 机场^2 接^3 我们^4 = go to^2 the^2 airport^2 to^3 pick^3 us^4 up^3

kid @ - @ past | 打^1 破^1* 一 个^3 杯子^3 = break^1 a cup^3
hab | 很 害怕 = be^0 very afraid
!hab | 想 回^2 家^3 = want to^2 go^2 home^3
past | 哭* = cry

kid @ 昨天=yesterday @ was | 没^1 做 作业^3 = not_do^1 POSS^3 homework^3
""")

REASONS = [(head, effects) for head, effects in REASONS if effects]


def _time_of(text):
    text = text.strip()
    if text == "-":
        return None
    zh, _, en = text.partition("=")
    return fill(zh, en)


def _skippable(text):
    return "not_" in text


def _parts(head):
    who, time, cause = head.split("@", 2)
    return who.strip(), time, cause.strip()


def reason(g):
    head, effects = g.pick([(h, tuple(e)) for h, e in REASONS])
    who, time_text, cause = _parts(head)
    effects = [e for e in effects if not _skippable(e)]
    effect = g.pick(effects)
    subject = g.person((who,), gendered=True)
    while subject.person[0] == "2" or (RETIRED & {subject.key} and ("工作" in head or "班" in head + effect)):
        subject = g.person((who,), gendered=True)
    g.combine("reason", cause, effect)
    second = pronoun_of(g, subject)
    first = say(g, subject, cause, time=_time_of(time_text))
    kind = g.weighted([(3, "because"), (2, "so"), (2, "after"), (1, "therefore")])
    if kind == "because":
        rest = say(g, second, effect)
        return fill("因为^1 {a} ，^2 所以^0 {b}", "because^1 {a} ,^2 {b}", {"a": first, "b": rest}), "。"
    if kind == "so":
        rest = say(g, second, effect)
        return fill("{a} ，^2 所以^1 {b}", "{a} ,^2 so^1 {b}", {"a": first, "b": rest}), "。"
    if kind == "therefore":
        first = say(g, subject, cause, time=_time_of(time_text), front=True)
        rest = say(g, second, effect)
        return fill("{a} ，^2 因此^1 {b}", "{a} ,^2 so^1 {b}", {"a": first, "b": rest}), "。"
    first = say(g, subject, effect)
    rest = say(g, second, cause, time=_time_of(time_text))
    return fill("{a} ，^0 因为^1 {b}", "{a} because^1 {b}", {"a": first, "b": rest}), "。"


OUTSIDE = [
    ("外面^1 正在^2 下雨^3", "it^0 is^2 raining^3 outside^1", "now"),
    ("今天^1 天气^2 很^3 冷^4", "the^2 weather^2 is^0 very^3 cold^4 today^1", "cold"),
    ("今天^1 天气^2 很^3 好^4", "the^2 weather^2 is^0 very^3 good^4 today^1", "fine"),
    ("今天^1 太^2 热^3 了^2", "it^0 is^0 too^2 hot^3 today^1", "hot"),
    ("昨天^1 下^2 大^3 雪^2", "it^0 snowed^2 heavily^3 yesterday^1", "snow"),
    ("昨天^1 晚上^1 下^2 了^2 大^3 雨^2", "it^0 rained^2 heavily^3 last^1 night^1", "rained"),
    ("路^1 上^1 车^2 很^3 多^3", "there^0 is^0 a^3 lot^3 of^3 traffic^2 on^1 the^1 road^1", "traffic"),
    ("明天^1 是^2 周末^3", "tomorrow^1 is^2 the^3 weekend^3", "weekend"),
    ("这儿^1 的^0 东西^2 很^3 便宜^4", "the^2 things^2 here^1 are^0 very^3 cheap^4", "cheap"),
]

OUTSIDE_EFFECTS = {
    "now": ["!want | 出门^1 = go^1 out^1", "must | 带 雨伞 = take an^2 umbrella^2".replace("雨伞", "雨伞^2"), "decide | 在 家 看^1 书^1 = read^1 at home",
            "!can | 在 公园 跑步^1 = run^1 in the^公园 park^公园".replace("公园", "公园^9").replace("^9^9", "^9").replace("the^公园^9", "the^9").replace("park^公园^9", "park^9"),
            "want | 坐 出租车^2 = take a^2 taxi^2"],
    "cold": ["should | 穿 大衣^2 = wear a^2 coat^2", "!want | 去 游泳 = go swimming", "want | 喝 热^3 汤^4 = drink hot^3 soup^4",
             "must | 戴 帽子^2 和^3 手套^4 = wear a^2 hat^2 and^3 gloves^4", "!hab | 想 骑^2 自行车^3 = want to^0 ride^2 a^3 bicycle^3"],
    "fine": ["want | 去 公园 散步^1 = walk^1 in^0 the^2 park^2".replace("去 公园", "去^1 公园^2"), "plan | 去^1 爬^2 山^3 = go^1 climb^2 the^3 mountain^3",
             "yao | 去^1 海边^2 = go^1 to^2 the^2 seaside^2", "want | 在^2 院子^3 里^2 吃^1 午饭^4 = have^1 lunch^4 in^2 the^3 yard^3",
             "decide | 去^1 动物园^2 = go^1 to^2 the^2 zoo^2", "yao | 洗 衣服^2 = wash the^2 clothes^2"],
    "hot": ["want | 去^1 游泳 = go^1 swimming", "want | 吃 冰淇淋 = eat ice^2 cream^2".replace("冰淇淋", "冰淇淋^2"), "!want | 做 饭^1 = cook^1".replace("做 ", "做^1 "),
            "need | 多^2 喝^1 水^3 = drink^1 more^2 water^3"],
    "snow": ["past | 在^2 院子^3 里^2 堆^1* 雪人^4 = make^1 a^4 snowman^4 in^2 the^3 yard^3", "!past | 开* 车^1 上班^2 = drive^1 to^2 work^2", "past | 迟到 = be^1 late^1".replace("迟到", "迟到^1")],
    "rained": ["!past | 回* 家 = go home", "!past | 去 公园 = go to^2 the^2 park^2".replace("公园", "公园^2"), "past | 坐^1 出租车^2 回^3* 家^4 = take^1 a^2 taxi^2 home^3,4"],
    "traffic": ["yao | 坐 地铁^2 去^3 = take the^2 subway^2 there^3", "hab | 可能^1 会^1 迟到^2 = may_be", "should | 早^2 一点儿^2 出发^1 = leave^1 earlier^2"],
    "weekend": ["!need | 上班^1 = go^1 to^1 work^1", "want | 晚^2 一点儿^2 起床^1 = get^1 up^1 later^2", "plan | 去^1 看 爷爷^3 = go^1 to^0 see POSS^3 grandfather^3", "yao | 在^2 家^3 休息^1 = rest^1 at^2 home^3"],
    "cheap": ["hab | 常常 来^1 这儿^2 买^3 东西^4 = often come^1 here^2 to^3 buy^3 things^4", "past | 买* 很多 水果^3 = buy a^2 lot^2 of^2 fruit^3".replace("很多", "很多^2"), "want | 多^2 买^1 一点儿^2 = buy^1 a^2 little^2 more^2"],
}


def circumstance(g):
    """The weather or another circumstance explains what people do."""
    zh, en, kind = g.pick(OUTSIDE)
    effect = g.pick([e for e in OUTSIDE_EFFECTS[kind] if "may_be" not in e])
    subject = g.person(("adult",), gendered=True)
    if subject.person[0] == "2":
        return None
    cause = fill(zh, en)
    g.combine("circumstance", kind, effect)
    rest = say(g, subject, effect)
    form = g.weighted([(2, "because"), (2, "so"), (1, "after")])
    if form == "because":
        return fill("因为^1 {a} ，^2 所以^0 {b}", "because^1 {a} ,^2 {b}", {"a": cause, "b": rest}), "。"
    if form == "so":
        return fill("{a} ，^2 所以^1 {b}", "{a} ,^2 so^1 {b}", {"a": cause, "b": rest}), "。"
    return fill("{b} ，^0 因为^1 {a}", "{b} because^1 {a}", {"a": cause, "b": rest}), "。"


# Head: subject class @ condition; the rest: consequences (future).
CONDITIONS = blocks("""
adult @ hab | 明天^3 有^1 时间^2 = have^1 time^2 tomorrow^3
hui | 去 看^3 爷爷^4 = go to^3 see^3 POSS^4 grandfather^4
hui | 去 图书馆^2 借^3 书^4 = go to^2 the^2 library^2 to^3 borrow^3 books^4
hui | 帮 我^2 搬^3 家^4 = help me^2 move^3 house^4
hui | 跟^2 我们^3 一起^2 吃^1 饭^4 = eat^1,4 with^2 us^3
hui | 来 参加^2 音乐会^3 = come to^2 attend^2 the^3 concert^3

adult @ hab | 有^1 很多^2 钱^3 = have^1 a^2 lot^2 of^2 money^3
hui | 买 一 套^3 大 房子^3 = buy a big house^3
hui | 去 世界^3 各^2 地^3 旅行^1 = travel^1 all^2 over^2 the^3 world^3
hui | 帮助 穷^2 人^3 = help poor^2 people^3
hui | 给^2 父母^3 买^1 一 套^4 房子^4 = buy^1 POSS^3 parents^3 a house^4

stu @ hab | 不^1 努力^3 学习^2 = not_study hard

stu @ hab | 每天^3,4 练习^1 汉语^2 = practice^1 Chinese^2 every^3 day^4
hui | 说^1 得^1 越来越^2 好^3 = speak^1 better^3 and^2 better^3
hui | 考^1 得^1 很 好 = do^1 very well on^1 the^1 exam^1
hui | 很 快 听^1 懂^2 中国^3 电影^4 = soon_x

person @ hab | 还^3 觉得^1 不^2 舒服^2 = still^3 feel^1 unwell^2
should | 去^1 看 医生^3 = go^1 to^0 see a^3 doctor^3
should | 吃^1 一点儿^2 药^3 = take^1 some^2 medicine^3
should | 在^2 家^3 休息^1 = rest^1 at^2 home^3
must | 告诉 老师^2 = tell the^2 teacher^2

person @ hab | 饿 了^0 = be^0 hungry
may | 先 吃^1 一点儿^2 面包^3 = first eat^1 some^2 bread^3
may | 去 厨房^2 找^3 东西^4 吃^5 = go to^2 the^2 kitchen^2 to^3 find^3 something^4 to^5 eat^5

adult @ hab | 找^1 到^2 新 工作 = find^1,2 a^0 new job
hui | 请 我们^2 吃^3 饭^3 = treat us^2 to^3 a^3 meal^3
hui | 搬 到^2 上海 = move to^2 Shanghai
hui | 很 高兴 = be^0 very happy

adult @ hab | 迷路 = get^1 lost^1
may | 问 警察^2 = ask a^2 police^2 officer^2
should | 给^2 我^3 打^1 电话^1 = call^1 me^3
may | 看 手机^2 上^3 的^0 地图^4 = look^1 at^1 the^4 map^4 on^3 POSS^2 phone/s^2

adult @ hab | 买^1 不^2 到^1 票^3 = not_get
""")
CONDITIONS = [(h, tuple(e for e in es if "not_" not in e and "_x" not in e)) for h, es in CONDITIONS if "not_" not in h]

WEATHER_CONDITIONS = [
    ("明天^1 下雨^2", "it^0 rains^2 tomorrow^1", "rain"), ("这个周末^1 天气^2 好^3", "the^2 weather^2 is^0 good^3 this^1 weekend^1", "fine"),
    ("明天^1 不^3 下雨^2", "it^0 doesn't^3,2 rain^2 tomorrow^1", "fine"), ("今天^1 晚上^1 下雪^2", "it^0 snows^2 tonight^1", "snow"),
    ("明天^1 太^2 热^3", "it^0 is^0 too^2 hot^3 tomorrow^1", "hot"),
]
WEATHER_PLANS = {
    "rain": ["hui | 在^2 家^3 看^1 电影^4 = watch^1 a^4 movie^4 at^2 home^3", "!hui | 去^1 爬^2 山^3 = go^1 climb^2 the^3 mountain^3", "hui | 坐 出租车^2 去 = take a^2 taxi^2 there^3".replace("去 =", "去^3 ="),
             "!hui | 去^1 公园^2 = go^1 to^2 the^2 park^2", "hui | 去^1 博物馆^2 = go^1 to^2 the^2 museum^2", "!hui | 踢^1 足球^2 = play^1 soccer^2"],
    "fine": ["hui | 去^1 爬^2 山^3 = go^1 climb^2 the^3 mountain^3", "hui | 去^1 海边^2 = go^1 to^2 the^2 seaside^2", "hui | 在^2 公园^3 放^1 风筝^4 = fly^1 a^4 kite^4 in^2 the^3 park^3",
             "hui | 骑^1 自行车^2 去^3 湖^4 边^5 = ride^1 a^2 bicycle^2 to^3 the^4 lake^4", "hui | 在^2 院子^3 里^2 吃^1 晚饭^4 = have^1 dinner^4 in^2 the^3 yard^3"],
    "snow": ["hui | 堆^1 一 个^3 大 雪人^3 = make^1 a big snowman^3", "hui | 在^2 家^3 喝^1 热^4 汤^5 = drink^1 hot^4 soup^5 at^2 home^3", "!hui | 开^1 车^1 上班^2 = drive^1 to^2 work^2"],
    "hot": ["hui | 去^1 游泳 = go^1 swimming", "!hui | 出门^1 = go^1 out^1", "hui | 在^2 图书馆^3 学习^1 = study^1 in^2 the^3 library^3"],
}


def condition(g):
    if g.chance(0.45):
        zh, en, kind = g.pick(WEATHER_CONDITIONS)
        subject = g.person(("adult",), gendered=True)
        if subject.person[0] == "2":
            return None
        effect = g.pick(WEATHER_PLANS[kind])
        first = fill(zh, en)
        g.combine("condition", zh, effect)
        second = say(g, subject, effect, adverb=Piece([token("就")], []))
        form = g.weighted([(3, "if"), (1, "yaoshi"), (1, "after")])
    else:
        head, effects = g.pick(CONDITIONS)
        who, _, cause = head.partition("@")
        subject = g.person((who.strip(),), gendered=True, question=g.chance(0.3))
        effect = g.pick(effects)
        g.combine("condition", cause, effect)
        if effect.startswith(("should", "may", "must")) and subject.person[0] == "1":
            return None
        first = say(g, subject, cause.strip())
        second = say(g, pronoun_of(g, subject), effect, adverb=Piece([token("就")], []))
        form = g.weighted([(3, "if"), (1, "yaoshi"), (1, "zhiyao")])
        if "should" in effect or "must" in effect or any(w in cause for w in ("饿", "迷路", "不^2 舒服")):
            form = "if"
    if form == "if":
        return fill("如果^1 {a} ，^2 {b}", "if^1 {a} ,^2 {b}", {"a": first, "b": second}), "。"
    if form == "yaoshi":
        return fill("要是^1 {a} ，^2 {b}", "if^1 {a} ,^2 {b}", {"a": first, "b": second}), "。"
    if form == "zhiyao":
        return fill("只要^1 {a} ，^2 {b}", "as^1 long^1 as^1 {a} ,^2 {b}", {"a": first, "b": second}), "。"
    return fill("如果^1 {a} 的话^1 ，^2 {b}", "if^1 {a} ,^2 {b}", {"a": first, "b": second}), "。"


# Head: subject class @ concession; the rest: what holds all the same.
CONCESSIONS = blocks("""
person @ hab | 很 累 = be^0 very tired
must | 做 完^1 作业^3 = finish^1 doing^做 the^3 homework^3
hab | 还是 想 去 看^3 电影^4 = still want to^0 go to^3 watch^3 a^4 movie^4
!want | 休息 = rest
hab | 很 高兴 = be^0 very happy
hab | 还^1 在^2 工作^3 = be^2 still^1 working^3

person @ hab | 很 忙 = be^0 very busy
hab | 每天^1,3 锻炼^2 身体^2 = exercise^2 every^1 day^3
hab | 常常 给^2 妈妈^3 打^1 电话^1 = often call^1 POSS^3 mother^3
hab | 总是 帮助 朋友^3 = always help POSS^3 friends^3
hab | 每天^1,3 晚上^3 看^2 书^2 = read^2 every^1 evening^3

person @ hab | 学^1 了^1 两 年^2 法语^3 = study_x

adult @ hab | 没有^1 很多^2 钱^3 = not_have
person @ hab | 会 说^2 汉语^3 = can_x

adult @ hab | 很 有钱 = be^0 very rich
hab | 不^1 太^1 快乐^2 = not_x
hab | 住^1 在^2 一 套^3 小 房子^3 里^2 = live^1 in^2 a small house^3
hab | 每天^1,3 坐^2 公共汽车^4 上班^5 = take^2 the^4 bus^4 to^5 work^5 every^1 day^3
hab | 总是 穿 旧 衣服 = always wear old clothes

adult @ hab | 会 做^1 饭^1 = know^会 how^会 to^1 cook^1
hab | 常常 去 饭馆^3 吃^4 饭^4 = often go to^3 the^3 restaurant^3 to^4 eat^4
hab | 很少^1 自己^2 做^3 饭^3 = rarely^1 cook^3 SELF^2

adult @ hab | 住^1 在^2 海^3 边^3 = live^1 by^2 the^3 sea^3
!know_how | 游泳 = swim
hab | 很少^1 吃 鱼 = rarely^1 eat fish
hab | 从来^1 不^1 去 游泳 = never^1 go swimming

kid @ hab | 年纪^1 很^2 小^3 = be^0 very^2 young^3,1
know_how | 自己^2 洗^1 衣服^3 = wash^1 clothes^3 SELF^2
know_how | 说^1 两 种^2 语言^2 = speak^1 two languages^2
know_how | 弹^1 钢琴^2 = play^1 the^2 piano^2
hab | 每天^1,3 帮^2 妈妈^4 做^5 饭^5 = help^2 POSS^4 mother^4 cook^5 every^1 day^3

person @ past | 看* 那 部^3 电影^3 = see that movie^3
!hab | 喜欢 那 个^3 故事^3 = like that story^3
!past | 看 懂^1 = understand^1
hab | 还^1 想 再^2 看^3 一^2 遍^2 = still^1 want to^3 watch^3 it^0 again^2

person @ was | 很 早 起床^1 = get^1 up^1 very early
past | 还是^2 迟到^1 = be^1 still^2 late^1
!past | 赶上* 火车^2 = catch the^2 train^2
!past | 吃* 早饭 = have breakfast
""")
CONCESSIONS = [(h, tuple(e for e in es if "_x" not in e and "not_" not in e)) for h, es in CONCESSIONS if "_x" not in h and "not_" not in h]
CONCESSIONS = [(h, es) for h, es in CONCESSIONS if es]


def concession(g):
    head, effects = g.pick(CONCESSIONS)
    who, _, cause = head.partition("@")
    subject = g.person((who.strip(),), gendered=True)
    if subject.person[0] == "2":
        return None
    effect = g.pick(effects)
    g.combine("concession", cause, effect)
    first = say(g, subject, cause.strip())
    second = say(g, pronoun_of(g, subject), effect)
    form = g.weighted([(3, "although"), (2, "but"), (1, "keshi"), (1, "buguo")])
    if form == "although":
        return fill("虽然^1 {a} ，^2 但是^0 {b}", "although^1 {a} ,^2 {b}", {"a": first, "b": second}), "。"
    word = {"but": "但是", "keshi": "可是", "buguo": "不过"}[form]
    return fill("{a} ，^2 %s^1 {b}" % word, "{a} ,^2 but^1 {b}", {"a": first, "b": second}), "。"


# Themes: "name @ subject class @ times"; each line is one stage with variants.
THEMES = blocks("""
morning @ person @ 早上:in the morning
起床 = get^1 up^1
洗* 脸 = wash POSS^2 face/s^2 ;; 洗澡 = take^1 a^1 shower^1 ;; 刷* 牙 = brush POSS^2 teeth^2
吃* 早饭 = have breakfast ;; 喝* 一 杯 牛奶 = drink a glass^3 of^3 milk^4 ;; 吃* 一 个^3 鸡蛋^3 = eat an^2 egg^3 ;; 喝^1* 一^2 杯^3 咖啡^4 = drink^1 a^2 cup^3 of^3 coffee^4
看* 报纸^2 = read the^2 newspaper^2 ;; 听* 新闻^2 = listen^1 to^1 the^2 news^2 ;; 遛* 狗 = walk^1 the^2 dog^2
出门 = go^1 out^1 ;; 坐 地铁^2 去 上班^4 = take the^2 subway^2 to^3 work^4 ;; 骑^1 自行车^2 去^3 公园^4 = ride^1 a^2 bicycle^2 to^3 the^4 park^4

evening @ adult @ 晚上:in the evening
下班 = finish^1 work^1
去^1 超市^2 买^3 菜^4 = go^1 to^2 the^2 supermarket^2 to^3 buy^3 vegetables^4 ;; 去^1 学校^2 接^3 孩子^4 = go^1 to^2 school^2 to^3 pick^3 up^3 the^4 child^4 ;; 去^1 健身^2 = go^1 to^2 the^2 gym^2
回* 家 = go home
做* 晚饭 = make dinner ;; 煮* 面条 = cook noodles ;; 包* 饺子 = make dumplings
洗* 碗 = wash the^2 dishes^2 ;; 打扫* 厨房^2 = clean the^2 kitchen^2
看* 电视^2 = watch television^2 ;; 给^2 妈妈^3 打^1* 电话^1 = call^1 POSS^3 mother^3 ;; 看* 一 本^3 小说^3 = read a novel^3 ;; 听* 音乐^2 = listen^1 to^1 music^2
洗澡 = take^1 a^1 shower^1
睡觉 = go^1 to^1 bed^1

schoolday @ stu @ 下午:in the afternoon
放学 = finish^1 school^1
去^1 图书馆^2 借^3 书^4 = go^1 to^2 the^2 library^2 to^3 borrow^3 books^4 ;; 去^1 操场^2 打^3 篮球^4 = go^1 to^2 the^2 sports^2 field^2 to^3 play^3 basketball^4 ;; 跟^2 同学^3 踢^1* 足球^4 = play^1 soccer^4 with^2 POSS^3 classmates^3
回* 家 = go home
吃* 一 个^3 苹果^3 = eat an^2 apple^3 ;; 喝^1* 一^2 杯^3 果汁^4 = drink^1 a^2 glass^3 of^3 juice^4
做* 作业^2 = do POSS^2 homework^2 ;; 复习* 数学 = review math ;; 背* 课文^2 = memorize the^2 text^2
弹* 钢琴^2 = play the^2 piano^2 ;; 玩* 电脑^2 游戏^3 = play computer^2 games^3 ;; 看* 动画片^2 = watch cartoons^2

shopping @ adult @ 下午:past fut
去* 商场^2 = go to^2 the^2 mall^2 ;; 坐^1 公共汽车^2 去^3 商场^4 = take^1 the^2 bus^2 to^3 the^4 mall^4
看* 很多^2 衣服^3 = look^1 at^1 a^2 lot^2 of^2 clothes^3 ;; 试* 一 条^3 裙子^3 = try^1 on^1 a dress_x ;; 试* 一 件^3 大衣^3 = try^1 on^1 a coat^3
买* 一 件^3 毛衣^3 = buy a sweater^3 ;; 买^1* 一^2 双^3 鞋^4 = buy^1 a^2 pair^3 of^3 shoes^4 ;; 买* 一 顶^3 红^4 帽子^3 = buy a red^4 hat^3
在^2 咖啡馆^3 喝^1* 一^4 杯^5 咖啡^6 = drink^1 a^4 cup^5 of^5 coffee^6 in^2 the^3 café^3 ;; 在^2 饭馆^3 吃^1* 晚饭^4 = have^1 dinner^4 in^2 the^3 restaurant^3
坐^1 出租车^2 回^3* 家^4 = take^1 a^2 taxi^2 home^3,4 ;; 走路^1 回^2* 家^3 = walk^1 home^2,3

trip @ adult @ 上午:past fut
坐^1 火车^2 到^3* 北京^4 = take^1 the^2 train^2 to^3 Beijing^4 ;; 坐^1 飞机^2 到^3* 上海^4 = take^1 the^2 plane^2 to^3 Shanghai^4 ;; 坐^1 火车^2 到^3* 西安^4 = take^1 the^2 train^2 to^3 Xi'an^4 ;; 坐^1 飞机^2 到^3* 成都^4 = take^1 the^2 plane^2 to^3 Chengdu^4
找^1 到^1* 一^2 家^3 酒店^3 = find^1 a^2 hotel^3 ;; 把^1 行李^2 放^1 在^3 酒店^4 = leave^1 the^2 luggage^2 at^3 the^4 hotel^4
参观* 博物馆^2 = visit the^2 museum^2 ;; 参观* 一 个^3 有名^4 的^4 公园^3 = visit a famous^4 park^3 ;; 在^2 河^3 边^2 散步^1 = take^1 a^1 walk^1 by^2 the^3 river^3
拍* 很多^2 照片^3 = take a^2 lot^2 of^2 photos^3 ;; 买* 一些^2 礼物^3 = buy some^2 gifts^3
在^2 一^3 家^4 小^5 饭馆^4 吃^1* 饭^1 = eat^1 in^2 a^3 small^5 restaurant^4 ;; 尝* 当地^2 的^2 菜^3 = taste the^3 local^2 food^3
给^2 家人^3 写^1* 一^4 张^5 明信片^5 = write^1 a^4 postcard^5 to^2 POSS^3 family^3 ;; 给^2 朋友^3 发^1* 几^4 张^5 照片^5 = send^1 a^4 few^4 photos^5 to^2 POSS^3 friends^3

cooking @ adult @ 上午:in the morning
去^1 市场^2 买^3 鱼^4 = go^1 to^2 the^2 market^2 to^3 buy^3 fish^4 ;; 去^1 市场^2 买^3 鸡蛋^4 = go^1 to^2 the^2 market^2 to^3 buy^3 eggs^4
洗* 菜 = wash the^2 vegetables^2 ;; 切* 牛肉 = cut the^2 beef^2
煮* 米饭 = cook rice ;; 做* 汤 = make soup
请 朋友^2 来^3 吃^4 饭^4 = invite^1 POSS^2 friends^2 to^3 come^3 and^4 eat^4 ;; 跟^2 家人^3 一起^2 吃^1* 午饭^4 = have^1 lunch^4 with^2 POSS^3 family^3
洗* 碗 = wash the^2 dishes^2 ;; 收拾* 厨房 = tidy^1 up^1 the^2 kitchen^2

park @ adult @ 上午:in the morning
去* 公园^2 = go to^2 the^2 park^2 ;; 开车^1 去^2 湖^3 边^3 = drive^1 to^2 the^3 lake^3
跑^1* 半^2 个^3 小时^3 步^1 = run^1 for^0 half^2 an^2 hour^3 ;; 打* 太极拳^2 = do tai^2 chi^2 ;; 钓* 鱼 = fish_x ;; 骑* 自行车^2 = ride a^2 bicycle^2
在^2 树^3 下^2 休息^1 = rest^1 under^2 the^3 tree^3 ;; 跟^2 老^3 朋友^4 聊天^1 = chat^1 with^2 old^3 friends^4
看* 花^2 = look^1 at^1 the^2 flowers^2 ;; 拍* 几^2 张^3 照片^3 = take a^2 few^2 photos^3 ;; 喂* 鸭子 = feed the^2 ducks^2
吃* 一 个^3 三明治^3 = eat a sandwich^3 ;; 喝^1* 一^2 瓶^3 水^4 = drink^1 a^2 bottle^3 of^3 water^4
慢慢^2 走^1 回^3* 家^4 = walk^1 home^3,4 slowly^2

office @ off @ 工作:past hab fut
到* 办公室^2 = arrive^1 at^1 the^2 office^2
打开* 电脑 = turn^1 on^1 POSS^2 computer/s^2
看* 邮件^2 = read the^2 emails^2 ;; 喝^1* 一^2 杯^3 茶^4 = drink^1 a^2 cup^3 of^3 tea^4
开^1* 一^2 个^3 会^3 = have^1 a^2 meeting^3 ;; 跟^2 同事^3 讨论^1* 新^4 计划^5 = discuss^1 the^5 new^4 plan^5 with^2 POSS^3 colleagues^3
写* 一 份^3 报告^3 = write a report^3 ;; 给^2 客人^3 打^1* 电话^1 = call^1 the^3 guest^3 ;; 检查* 合同^2 = check the^2 contract^2
把^1 报告^2 交^1 给^3 经理^4 = hand^1 the^2 report^2 to^3 the^4 manager^4 ;; 跟^2 同事^3 一起^2 吃^1* 午饭^4 = have^1 lunch^4 with^2 POSS^3 colleagues^3

doctor @ person @ 上午:past
觉得^1 不^2 舒服^2 = feel^1 unwell^2 ;; 发烧 = have^1 a^1 fever^1
给^2 老师^3 打^1* 电话^1 = call^1 the^3 teacher^3 ;; 请* 一^2 天^3 假^1 = take^1 a^2 day^3 off^1
去^1 医院^2 看^3 病^3 = go^1 to^2 the^2 hospital^2 to^3 see^3 a^3 doctor^3
去^1 药店^2 买^3 药^4 = go^1 to^2 the^2 pharmacy^2 to^3 buy^3 medicine^4 ;; 吃* 药 = take^1 the^2 medicine^2
睡^1* 一^2 个^3 下午^3 = sleep^1 the^2 whole^2 afternoon^3 ;; 在^2 家^3 休息^1 = rest^1 at^2 home^3

housework @ adult @ 上午:in the morning
打开* 窗户 = open the^2 window^2
收拾* 房间 = tidy^1 up^1 the^2 room^2 ;; 打扫* 客厅 = clean the^2 living^2 room^2
洗* 衣服 = wash the^2 clothes^2 ;; 擦* 桌子 = wipe the^2 table^2
浇* 花 = water the^2 flowers^2 ;; 喂* 猫 = feed the^2 cat^2 ;; 遛* 狗 = walk the^2 dog^2
扔* 垃圾 = take^1 out^1 the^2 garbage^2 ;; 修* 灯 = repair the^2 lamp^2
在^2 沙发^3 上^2 喝^1* 茶^5 = drink^1 tea^5 on^2 the^3 sofa^3 ;; 休息^1* 一会儿^2 = rest^1 for^2 a^2 while^2

airport @ adult @ 下午:past fut
订* 机票^2 = book a^2 plane^2 ticket^2
收拾* 行李 = pack the^2 luggage^2 ;; 把^1 护照^2 放^1 进^3 包^4 里^3 = put^1 POSS^2 passport/s^2 into^3 the^4 bag^4
坐^1 出租车^2 去^3 机场^4 = take^1 a^2 taxi^2 to^3 the^4 airport^4
买* 一 本^3 杂志^3 = buy a magazine^3 ;; 换* 一点儿^2 钱^3 = change some^2 money^3 ;; 吃^1* 一^2 碗^3 面条^4 = eat^1 a^2 bowl^3 of^3 noodles^4
给^2 家人^3 发^1* 短信^4 = send^1 POSS^3 family^3 a^4 text^4 message^4
上* 飞机 = board the^2 plane^2

concert @ adult @ 晚上:past fut
在^2 网^3 上^2 买^1* 两^4 张^5 票^5 = buy^1 two^4 tickets^5 on^2 the^3 internet^3
穿^1 上^1 新^2 衣服^3 = put^1 on^1 new^2 clothes^3
跟^2 朋友^3 吃^1* 晚饭^4 = have^1 dinner^4 with^2 a^3 friend^3
去^1 剧院^2 听^3 音乐会^4 = go^1 to^2 the^2 theater^2 to^3 listen^3 to^3 a^4 concert^4 ;; 去^1 电影院^2 看^3 电影^4 = go^1 to^2 the^2 cinema^2 to^3 watch^3 a^4 movie^4
在^2 河^3 边^2 散步^1 = take^1 a^1 walk^1 by^2 the^3 river^3
坐^1 地铁^2 回^3* 家^4 = take^1 the^2 subway^2 home^3,4

study @ stu @ 晚上:in the evening
复习* 新^2 词^3 = review the^3 new^2 words^3 ;; 预习* 新^2 课^3 = prepare^1 the^3 new^2 lesson^3
听* 录音^2 = listen^1 to^1 the^2 recording^2 ;; 练习* 口语 = practice speaking
写* 十 个^3 汉字^3 = write ten Chinese^3 characters^3 ;; 写* 一 篇^3 短^4 文章^3 = write a short^4 article^3 ;; 翻译^1* 五^2 个^3 句子^3 = translate^1 five^2 sentences^3
检查* 作业 = check the^2 homework^2 ;; 问* 老师 一个^3 问题^4 = ask the^2 teacher^2 a^3 question^4
休息^1* 一会儿^2 = rest^1 for^2 a^2 while^2 ;; 看^1* 半^2 个^3 小时^3 电视^4 = watch^1 television^4 for^0 half^2 an^2 hour^3

letter @ adult @ 下午:past
收到^1* 一^2 封^3 信^3 = receive^1 a^2 letter^3
打开* 信封^2 = open the^2 envelope^2
认真^2 地^2 看^1* 信^3 = read^1 the^3 letter^3 carefully^2
写^1* 一^2 封^3 回信^3 = write^1 a^2 reply^3
去^1 邮局^2 买^3 邮票^4 = go^1 to^2 the^2 post^2 office^2 to^3 buy^3 stamps^4
把^1 信^2 寄^1 给^3 朋友^4 = mail^1 the^2 letter^2 to^3 POSS^4 friend^4

farm @ farm @ 早上:in the morning
起床 = get^1 up^1
喂* 鸡 = feed the^2 chickens^2 ;; 喂* 牛 = feed the^2 cows^2
种* 菜 = plant^1 vegetables^2 ;; 浇* 菜 = water the^2 vegetables^2
把^1 鸡蛋^2 放^1 进^3 盒子^4 里^3 = put^1 the^2 eggs^2 into^3 the^4 box^4
开^1 车^1 去^2 市场^3 = drive^1 to^2 the^3 market^3
卖* 很多^2 水果^3 = sell a^2 lot^2 of^2 fruit^3
""")


def _stages(lines):
    stages = []
    for line in lines:
        variants = [v.strip() for v in line.split(";;")]
        variants = [v for v in variants if "_x" not in v]
        if variants:
            stages.append(variants)
    return stages


THEMES = [(head, _stages(lines)) for head, lines in THEMES]

DAY_PARTS = {
    "早上": [("今天 早上", "this morning", "past"), ("星期一^1 早上^2", "on^1 Monday^1 morning^2", "past"), ("每天 早上", "every morning", "hab"), ("明天 早上", "tomorrow morning", "fut"), ("上 星期天 早上", "last Sunday morning", "past")],
    "上午": [("昨天 上午", "yesterday morning", "past"), ("上 星期六 上午", "last Saturday morning", "past"), ("明天 上午", "tomorrow morning", "fut"), ("每个^1 星期天 上午", "every^1 Sunday morning", "hab")],
    "工作": [("昨天 上午", "yesterday morning", "past"), ("每天 上午", "every morning", "hab"), ("明天 上午", "tomorrow morning", "fut"), ("上 星期三 上午", "last Wednesday morning", "past")],
    "下午": [("昨天 下午", "yesterday afternoon", "past"), ("每天 下午", "every afternoon", "hab"), ("明天 下午", "tomorrow afternoon", "fut"), ("上 星期五 下午", "last Friday afternoon", "past")],
    "晚上": [("昨天 晚上", "last night", "past"), ("每天 晚上", "every evening", "hab"), ("明天 晚上", "tomorrow evening", "fut"), ("上 星期六 晚上", "last Saturday evening", "past")],
}

THEME_INDEX = list(range(len(THEMES)))


def _verb_only(g, subject, text, mode):
    """A step as a bare predicate: (Chinese tokens, English tokens)."""
    frame = parse_frame_cached(text)
    verb = g.verb_phrase(frame, subject, "def")
    g.combine("step", text, mode)
    zh = []
    for item in verb.zh:
        if item.text == "*":
            if mode == "past":
                zh.append(item._replace(text="了"))
        else:
            zh.append(item)
    form = {"past": "past", "hab": "pres", "fut": "base", "base": "base", "ing": "ing", "pp": "pp"}[mode]
    head = verb.en[0]
    en = [head._replace(text=conjugate(head.text, form, subject.person))] + g._resolve(verb.en[1:], subject.person)
    return Piece(zh, en)


_frames = {}


def parse_frame_cached(text):
    if text not in _frames:
        _frames[text] = parse_frame(text)
    return _frames[text]


ENDINGS = {
    "past": list(rows("""
觉得^1 很^2 开心^3|felt^1 very^2 happy^3
觉得^1 有点儿^2 累^3|felt^1 a^2 little^2 tired^3
觉得^1 那^2 天^3 过^4 得^4 很^5 快^6|felt^1 that^0 the^2 day^3 passed^4 very^5 quickly^6
很^1 晚^2 才^0 睡觉^3|went^3 to^3 bed^3 very^1 late^2
""")),
}


def _pick_steps(g, theme, count):
    stages = THEMES[theme][1]
    chosen = sorted(_sample(g, len(stages), min(count, len(stages))))
    return [g.pick(stages[i]) for i in chosen]


def _sample(g, n, count):
    items = list(range(n))
    for last in range(n - 1, 0, -1):
        other = g.below(last + 1)
        items[last], items[other] = items[other], items[last]
    return items[:count]


def _theme(g):
    theme = g.pick(THEME_INDEX)
    head = THEMES[theme][0]
    name, who, part = (x.strip() for x in head.split("@"))
    part, _, modes = part.partition(":")
    modes = tuple(m for m in modes.split() if m in ("past", "hab", "fut")) or ("past", "hab", "fut")
    subject = g.person((who,), gendered=True)
    while subject.key in RETIRED and name in ("morning", "evening", "office"):
        subject = g.person((who,), gendered=True)
    return theme, subject, part, modes


def piece_text(piece):
    return "".join(t.text for t in piece.zh)


def narration(g, short=False):
    """A chain of events with one subject, told in order."""
    theme, subject, part, modes = _theme(g)
    if subject.person[0] == "2":
        return None
    zh, en, mode = g.pick([d for d in DAY_PARTS[part] if d[2] in modes])
    time = fill(zh, en)
    count = g.weighted([(2.5, 3), (3, 4), (2.5, 5), (2, 6), (1, 7)]) if not short else 2
    steps = _pick_steps(g, theme, count)
    if len(steps) < 2:
        return None
    pieces = [_verb_only(g, subject, s, mode) for s in steps]
    front = g.chance(0.6)
    comma_front = fill("，^1", ",^1")
    first_marker = g.chance(0.5) and not steps[0].startswith(("发烧", "觉得", "收到", "起床", "下班", "放学", "到*", "打开"))
    zh_out, en_out = [], []
    if front:
        zh_out += time.zh + comma_front.zh + subject.zh
        en_out += time.en + comma_front.en + subject.en
    else:
        zh_out += subject.zh + time.zh
        en_out += time.en + subject.en
    if mode == "fut":
        will = new_group()
        zh_out.append(token("会", will))
        en_out.append(token("will", will))
    if first_marker:
        mark = pair("先", "first")
        zh_out += mark.zh
        en_out += mark.en
    zh_out += pieces[0].zh
    en_out += pieces[0].en
    links_mid = [("然后", "then"), ("接着", "after that"), ("再", "then"), ("", "")]
    if mode == "past":
        links_mid = [("然后", "then"), ("接着", "after that"), ("", "")]
    last = len(pieces) - 1
    previous = None
    for position, piece in enumerate(pieces[1:], 1):
        comma = fill("，^1", ",^1")
        if position == last:
            if len(pieces) == 2:
                word = fill("然后^1", "and^0 then^1")
            else:
                word = fill("最后^1", "and^0 finally^1") if g.chance(0.65) else fill("然后^1", "and^0 then^1")
        else:
            choices = [c for c in links_mid if c[1] != previous]
            chosen = g.any(choices)
            previous = chosen[1]
            word = pair(*chosen) if chosen[0] else EMPTY
        zh_out += comma.zh + word.zh + piece.zh
        en_out += comma.en + word.en + piece.en
    piece = Piece(zh_out, en_out)
    if mode == "past" and g.chance(0.35):
        zh, en = g.pick(ENDINGS["past"])
        if "睡觉" in zh and (part != "晚上" or "睡觉" in steps[-1]):
            zh, en = ENDINGS["past"][g.below(3)]
        if "看^3 病^3" in " ".join(steps) or "不^2 舒服^2" in steps[0] or "吃* 药" in steps:
            return piece, "。"
        if "过^4" in zh and "今天" in piece_text(time):
            zh, en = ENDINGS["past"][0]
        who = pronoun_of(g, subject)
        tail = g.template("{s} " + zh, "{s} " + en, who)
        piece = fill("{a} ，^1 {b}", "{a} ,^1 and^0 {b}", {"a": piece, "b": tail})
    return piece, "。"


def two_steps(g):
    """以前, 以后, 的时候, 一…就, 先…再, …完."""
    theme, subject, part, modes = _theme(g)
    if subject.person[0] == "2":
        return None
    stages = THEMES[theme][1]
    start = g.below(len(stages) - 1)
    a, b = g.pick(stages[start]), g.pick(stages[start + 1])
    kind = g.weighted([(2, "after"), (2, "before"), (1.5, "assoon"), (1.5, "firstthen"), (1.5, "afterpast"), (1, "beforepast"), (1, "assoonpast"), (1, "imperative"), (0.8, "finishwill")])
    if kind in ("after", "before", "assoon") and "hab" not in modes or kind == "finishwill" and "fut" not in modes:
        return None
    if kind in ("before", "beforepast") and a.startswith(("起床", "下班", "放学", "到*", "出门", "收到", "发烧", "觉得", "休息")):
        return None
    if kind == "imperative" and ("卖" in b or "上班" in a + b):
        return None
    if kind in ("imperative", "firstthen") and a.startswith(("起床", "下班", "放学", "收到", "发烧", "觉得", "到*", "睡觉")):
        return None
    if kind in ("assoon", "assoonpast", "before") and any(w in a + b for w in ("半", "几", "很多", "一些", "一会儿")):
        return None
    if kind == "finishwill" and any(w in a for w in ("睡", "觉得", "发烧")):
        return None
    if kind.startswith("assoon") and (not a.startswith(("起床", "下班", "放学", "回* 家", "到*", "收到", "打开*", "去* 公园"))
                                      or b.startswith(("睡", "休息", "在^2 家^3 休息", "在^2 沙发"))):
        return None
    if kind in ("after", "before", "beforepast", "afterpast", "finishwill") and any(w in a + b for w in ("觉得", "发烧", "十 个", "五^2 个", "半^2", "一会儿", "几^2")):
        return None
    if kind in ("after", "before") and any(w in a + b for w in ("一 ", "一^2", "请*")) or kind == "beforepast" and (a.startswith(("洗* 脸", "刷")) or any(w in b for w in ("一 ", "一^", "几", "很多", "睡", "休息"))):
        return None
    second = pronoun_of(g, subject)
    if kind in ("after", "before"):
        adverb = g.any([("常常", "often"), ("总是", "always"), ("一般", "usually")])
        word = pair(*adverb)
        first, other = (a, b) if kind == "after" else (b, a)
        x = _verb_only(g, subject, first, "hab")
        y = _verb_only(g, subject, other, "hab")
        mark = "以后" if kind == "after" else "以前"
        lead = g.template("{s} {x}", "{s} {x}", subject, x=x)
        if kind == "after":
            return fill("{l} %s^1 ，^2 {w} {y}" % mark, "after^1 {l} ,^2 {p} {w} {y}", {"l": lead, "w": word, "y": y, "p": Piece([], second.en)}), "。"
        return fill("{l} %s^1 ，^2 {w} {y}" % mark, "before^1 {l} ,^2 {p} {w} {y}", {"l": lead, "w": word, "y": y, "p": Piece([], second.en)}), "。"
    if kind in ("afterpast", "beforepast"):
        zh, en, mode = g.any([d for d in DAY_PARTS[part] if d[2] == "past"])
        time = fill(zh, en)
        first, other = (a, b) if kind == "afterpast" else (b, a)
        x = _verb_only(g, subject, first, "past")
        x = Piece([t for t in x.zh if t.text != "了"], x.en)
        y = _verb_only(g, subject, other, "past")
        y_zh = y.zh if any(t.text == "了" for t in y.zh) else y.zh + [token("了", *y.zh[-1].groups)]
        y = Piece(y_zh, y.en)
        word = "after" if kind == "afterpast" else "before"
        mark = "以后" if kind == "afterpast" else "以前"
        lead = g.template("{s} {x}", "{s} {x}", subject, x=x)
        return fill("{t} ，^2 {l} %s^1 {y}" % mark, "{t} ,^2 {p} {y} %s^1 {l}" % word,
                    {"t": time, "l": Piece(lead.zh, second.en + x.en), "y": y, "p": Piece([], subject.en)}), "。"
    if kind == "assoon":
        x = _verb_only(g, subject, a, "hab")
        y = _verb_only(g, subject, b, "hab")
        return g.template("{s} 一^1 {x} 就^0 {y}", "as^1 soon^1 as^1 {s} {x} ,^0 {p} {y}", subject, x=x, y=y, p=Piece([], second.en)), "。"
    if kind == "assoonpast":
        x = _verb_only(g, subject, a, "past")
        y = _verb_only(g, subject, b, "past")
        x = Piece([t for t in x.zh if t.text != "了"], x.en)
        if all(t.text != "了" for t in y.zh):
            y = Piece(y.zh + [token("了", *y.zh[-1].groups)], y.en)
        return g.template("{s} 一^1 {x} 就^0 {y}", "as^1 soon^1 as^1 {s} {x} ,^0 {p} {y}", subject, x=x, y=y, p=Piece([], second.en)), "。"
    if kind == "firstthen":
        mode = g.any(["want", "plan", "yao"])
        marks = {"want": ("想", "[want]^1 to^1"), "plan": ("打算", "[plan]^1 to^1"), "yao": ("要", "[be]^1 going^1 to^1")}[mode]
        x = _verb_only(g, subject, a, "base")
        y = _verb_only(g, subject, b, "base")
        return g.template("{s} %s^1 先^2 {x} ，^3 再^4 {y}" % marks[0], "{s} %s {x} first^2 ,^3 and^0 then^4 {y}" % marks[1], subject, x=x, y=y), "。"
    if kind == "imperative":
        you = g.pronoun("2s")
        x = _verb_only(g, you, a, "base")
        y = _verb_only(g, you, b, "base")
        return g.template("请 先^2 {x} ，^3 然后^4 {y}", "please {x} first^2 ,^3 and^0 then^4 {y}", None, x=x, y=y), "。"
    x = _verb_only(g, subject, a, "hab")
    y = _verb_only(g, subject, b, "base")
    return g.template("等^1 {s} {x} 以后^1 ，^2 {p} 会^3 {y}", "after^1 {s} {x} ,^2 {p} will^3 {y}", subject, x=x, y=y, p=second.nominative()), "。"


WHILES = [tuple(r) for r in rows("""
听^1 音乐^2|listening^1 to^1 music^2|做^1 饭^1 : cook^1 ; 跑步^1 : run^1 ; 洗^1 碗^2 : wash^1 the^2 dishes^2 ; 做^1 作业^2 : do^1 POSS^2 homework^2 ; 打扫^1 房间^2 : clean^1 the^2 room^2 ; 画^1 画^1 : draw^1 ; 开^1 车^1 : drive^1
喝^1 茶^2|drinking^1 tea^2|看^1 报纸^2 : read^1 the^2 newspaper^2 ; 聊天^1 : chat^1 ; 写^1 信^2 : write^1 letters^2 ; 下棋^1 : play^1 chess^1 ; 听^1 广播^2 : listen^1 to^1 the^2 radio^2
喝^1 咖啡^2|drinking^1 coffee^2|看^1 邮件^2 : read^1 POSS^2 emails^2 ; 看^1 书^1 : read^1 ; 工作^1 : work^1 ; 写^1 报告^2 : write^1 reports^2
看^1 电视^2|watching^1 television^2|吃^1 晚饭^2 : have^1 dinner^2 ; 喝^1 啤酒^2 : drink^1 beer^2 ; 锻炼^1 身体^1 : exercise^1 ; 吃^1 饼干^2 : eat^1 cookies^2
走路^1|walking^1|打^1 电话^1 : talk^1 on^1 the^1 phone^1 ; 看^1 手机^2 : look^1 at^1 POSS^2 phone/s^2 ; 唱歌^1 : sing^1 ; 吃^1 冰淇淋^2 : eat^1 ice^2 cream^2
散步^1|taking^1 a^1 walk^1|聊天^1 : chat^1 ; 拍^1 照片^2 : take^1 photos^2 ; 想^1 问题^2 : think^1 about^1 problems^2
弹^1 吉他^2|playing^1 the^2 guitar^2|唱歌^1 : sing^1
跳舞^1|dancing^1|唱歌^1 : sing^1 ; 笑^1 : laugh^1
等^1 公共汽车^2|waiting^1 for^1 the^2 bus^2|看^1 杂志^2 : read^1 magazines^2 ; 听^1 广播^2 : listen^1 to^1 the^2 radio^2 ; 背^1 新^2 词^3 : memorize^1 new^2 words^3
工作^1|working^1|学^1 法语^2 : study^1 French^2 ; 照顾^1 孩子^2 : take^1 care^1 of^1 the^2 child^2 ; 喝^1 绿茶^2 : drink^1 green^2 tea^2
""")]


def meanwhile(g):
    zh, en, mains = g.pick(WHILES)
    main = g.pick(mains.split(";"))
    m_zh, m_en = (x.strip() for x in main.split(":"))
    subject = g.person(("adult",), gendered=True)
    if subject.person[0] == "2":
        return None
    g.combine("while", zh, m_zh)
    side = fill(zh, en)
    head, _, tag = m_en.split()[0].partition("^")
    rest = " ".join(m_en.split()[1:])
    m_zh = " ".join(w.replace("^", "^m") for w in m_zh.split())
    rest = " ".join(w.replace("^", "^m") for w in rest.split())
    tag = "m" + tag
    kind = g.weighted([(2, "hab"), (2, "prog"), (1.5, "past"), (1, "like"), (1, "dont"), (1, "plain")])
    if kind in ("hab", "plain"):
        a_zh, a_en = g.any([("常常", "often"), ("有时候", "sometimes"), ("总是", "always"), ("一般", "usually")])
        return g.template("{s} %s^a 一边^b {x} 一边^b %s" % (a_zh, m_zh), "{s} %s^a [%s]^%s %s while^b {x}" % (a_en, head, tag, rest), subject, x=side), "。"
    if kind == "prog":
        return g.template("{s} 正在^a 一边^b {x} 一边^b %s" % m_zh, "{s} [be]^a [%s:ing]^%s %s while^b {x}" % (head, tag, rest), subject, x=side), "。"
    if kind == "past":
        time = g.day()
        return g.template("{s} {t} 一边^b {x} 一边^b %s" % m_zh, "{s} [%s:past]^%s %s while^b {x} {t}" % (head, tag, rest), subject, x=side, t=time), "。"
    if kind == "like":
        return g.template("{s} 喜欢^a 一边^b {x} 一边^b %s" % m_zh, "{s} [like]^a to^a %s^%s %s while^b {x}" % (head, tag, rest), subject, x=side), "。"
    return g.template("别^a 一边^b {x} 一边^b %s" % m_zh, "don't^a %s^%s %s while^b {x}" % (head, tag, rest.replace("POSS", "your")), None, x=side), "。"


BOTH = [tuple(r) for r in rows("""
food|好吃:delicious 便宜:cheap 新鲜:fresh
wear|漂亮:beautiful 便宜:cheap 舒服:comfortable
room|大:big 干净:clean 安静:quiet
house|大:big 漂亮:beautiful 便宜:cheap
citynoun|大:big 热闹:lively 漂亮:beautiful
person|聪明:smart 努力:hardworking 热情:friendly
person|高:tall 瘦:thin
person|年轻:young 漂亮:beautiful_x
person|饿:hungry 渴:thirsty
person|困:sleepy 累:tired
pet|可爱:cute 聪明:smart
lit|长:long 无聊:boring
device|方便:convenient 便宜:cheap
fruit|大:big 甜:sweet
furn|旧:old 重:heavy
shopnoun|干净:clean 便宜:cheap
vehicle|快:fast 安全:safe
""")]


def both(g):
    classes, words = g.pick(BOTH)
    options = [w.split(":") for w in words.split() if "_x" not in w]
    if len(options) < 2:
        return None
    order = _sample(g, len(options), 2)
    (a_zh, a_en), (b_zh, b_en) = options[order[0]], options[order[1]]
    if classes == "person":
        subject = g.person(("adult",))
    else:
        subject = _described(g, g.pick(g.nouns([classes])))
    g.combine("both", classes, a_zh + b_zh)
    kind = g.weighted([(3, "both"), (2, "notonly"), (1, "and"), (1, "neither")])
    if kind == "both":
        return g.template("{s} 又^1 %s^2 又^3 %s^4" % (a_zh, b_zh), "{s} [be]^0 both^1 %s^2 and^3 %s^4" % (a_en, b_en), subject), "。"
    if kind == "notonly":
        return g.template("{s} 不但^1 很^5 %s^2 ，^0 而且^3 很^6 %s^4" % (a_zh, b_zh), "{s} [be]^0 not^1 only^1 very^5 %s^2 but^3 also^3 very^6 %s^4" % (a_en, b_en), subject), "。"
    if kind == "neither":
        return g.template("{s} 既^1 不^1 %s^2 ，^0 也^3 不^3 %s^4" % (a_zh, b_zh), "{s} [be]^0 neither^1 %s^2 nor^3 %s^4" % (a_en, b_en), subject), "。"
    return g.template("{s} 很^1 %s^2 ，^0 也^3 很^4 %s^5" % (a_zh, b_zh), "{s} [be]^0 very^1 %s^2 and^0 also^3 very^4 %s^5" % (a_en, b_en), subject), "。"


def besides(g):
    """除了…以外, 连…都, 只有…才, 为了."""
    kind = g.weighted([(2, "lang"), (2, "except"), (1.5, "even"), (1.5, "inorder"), (1.5, "soon"), (1.2, "notonlylang"), (1, "things"), (1, "buyalso")])
    subject = g.person(("adult",))
    first, second = g.pick(lexicon.LANGUAGES), g.pick(lexicon.LANGUAGES)
    if kind in ("lang", "notonlylang"):
        if first == second or subject.person[0] == "2":
            return None
        a, b = pair(*first), pair(*second)
        if kind == "lang":
            return g.template("除了^1 {a} 以外^1 ，^2 {s} 还^3 会^4 说^5 {b}", "besides^1 {a} ,^2 {s} can^4 also^3 speak^5 {b}", subject, a=a, b=b), "。"
        return g.template("{s} 不但^1 会^2 说^3 {a} ，^0 而且^4 会^0 说^0 {b}", "{s} can^2 speak^3 not^1 only^1 {a} but^4 also^4 {b}", subject, a=a, b=b), "。"
    if kind == "except":
        other = g.person(("adult",))
        if other.person[0] == "2":
            return None
        zh, en = g.pick([("来^1 了^1", "came^1"), ("会^1 游泳^2", "can^1 swim^2"), ("喜欢^1 这^2 部^3 电影^3", "likes^1 this^2 movie^3"), ("同意^1 了^1", "agreed^1"),
                         ("参加^1 了^1 会议^2", "attended^1 the^2 meeting^2"), ("到^1 了^1", "arrived^1"), ("知道^1 这^2 个^3 消息^3", "knows^1 this^2 news^3"), ("想^1 去^2 爬^3 山^4", "wants^1 to^2 go^2 climb^3 the^4 mountain^4"),
                         ("吃^1 了^1 蛋糕^2", "ate^1 the^2 cake^2"), ("喝^1 了^1 酒^2", "drank^1 wine^2")])
        zh = zh.replace("^", "^v")
        en = en.replace("^", "^v")
        return g.template("除了^1 {o} 以外^1 ，^2 大家^3 都^3 " + zh, "everyone^3 except^1 {o} " + en, None, o=other.accusative()), "。"
    if kind == "even":
        other = g.weighted([(1, g.role(["adult"])), (1, g.kin())])
        if other.plural:
            return None
        zh, en = g.pick([("知道^1 这^2 个^3 消息^3", "[know]^1 this^2 news^3"), ("看^1 懂^1 了^1 这^2 本^3 书^3", "[understand:past]^1 this^2 book^3"), ("喜欢^1 这^2 首^3 歌^3", "[like]^1 this^2 song^3"),
                         ("会^1 用^2 电脑^3", "can^1 use^2 a^3 computer^3"), ("来^1 了^1", "[come:past]^1"), ("笑^1 了^1", "[laugh:past]^1")])
        return g.template("连^9 {s} 都^9 " + zh, "even^9 {s} " + en, other), "。"
    if kind == "inorder":
        aims = [("学^1 汉语^2", "study^1 Chinese^2", ["past | 去^1* 中国^2 = go^1 to^2 China^2", "hab | 每天^1,3 看^2 中文^4 报纸^5 = read^2 Chinese^4 newspapers^5 every^1 day^3", "past | 买* 一 本^3 词典^3 = buy a dictionary^3"]),
                ("锻炼^1 身体^1", "keep^1 fit^1", ["hab | 每天^1,3 早上^3 跑步^2 = run^2 every^1 morning^3", "hab | 骑^1 自行车^2 上班^3 = go^0 to^3 work^3 by^1 bicycle^2"]),
                ("买^1 房子^2", "buy^1 a^2 house^2", ["past | 工作^1* 十^2 年^3 = work^1 for^0 ten^2 years^3", "hab | 常常 加班^1 = often work^1 overtime^1"]),
                ("找^1 工作^2", "find^1 a^2 job^2", ["past | 搬^1 到^2* 上海^3 = move^1 to^2 Shanghai^3", "past | 写* 很多^2 信^3 = write a^2 lot^2 of^2 letters^3"]),
                ("参加^1 比赛^2", "take^1 part^1 in^1 the^2 match^2", ["hab | 每天^1,4 练习^2 三^3 个^5 小时^5 = practice^2 for^0 three^3 hours^5 every^1 day^4"]),
                ("准备^1 考试^2", "prepare^1 for^1 the^2 exam^2", ["!past | 去 看^2 电影^3 = go to^2 watch^2 a^3 movie^3", "past | 在^2 图书馆^3 学^1* 一^4 个^5 晚上^5 = study^1 in^2 the^3 library^3 for^0 a^4 whole^4 evening^5"])]
        zh, en, acts = g.pick([(a, b, tuple(c)) for a, b, c in aims])
        if subject.person[0] == "2":
            return None
        act = g.pick(acts)
        g.combine("aim", zh, act)
        body = say(g, subject, act)
        return fill("为了^a {x} ，^b {y}", "in^a order^a to^a {x} ,^b {y}", {"x": fill(zh, en), "y": body}), "。"
    if kind == "soon":
        items = [("火车^1 快要^2 开^3 了^2", "the^1 train^1 is^2 about^2 to^2 leave^3"), ("飞机^1 快要^2 起飞^3 了^2", "the^1 plane^1 is^2 about^2 to^2 take^3 off^3"), ("电影^1 快要^2 开始^3 了^2", "the^1 movie^1 is^2 about^2 to^2 start^3"),
                 ("比赛^1 快要^2 结束^3 了^2", "the^1 match^1 is^2 about^2 to^2 end^3"), ("商店^1 快要^2 关门^3 了^2", "the^1 store^1 is^2 about^2 to^2 close^3"), ("外面^1 快要^2 下雨^3 了^2", "it^0 is^2 about^2 to^2 rain^3 outside^1"),
                 ("{s} 快要^2 结婚^3 了^2", "{s} [be]^2 about^2 to^2 get^3 married^3"), ("{s} 快要^2 到^3 了^2", "{s} [be]^2 about^2 to^2 arrive^3"), ("{s} 快要^2 毕业^3 了^2", "{s} [be]^2 about^2 to^2 graduate^3"),
                 ("{s} 快要^2 走^3 了^2", "{s} [be]^2 about^2 to^2 leave^3"), ("{s} 快要^2 睡觉^3 了^2", "{s} [be]^2 about^2 to^2 go^3 to^3 bed^3")]
        zh, en = g.pick(items)
        if "毕业" in zh:
            subject = g.person(("stu",))
        return g.template(zh, en, subject), "。"
    noun, other = g.pick(g.nouns(["food", "snack"])), g.pick(g.nouns(["food", "snack"]))
    if noun.zh == other.zh:
        return None
    a, b = g.noun_phrase(noun, "bare"), g.noun_phrase(other, "bare")
    if kind == "things":
        return g.template("除了^1 {a} 以外^1 ，^2 {s} 什么^3 都^3 吃^4", "{s} [eat]^4 everything^3 except^1 {a}", subject, a=a.accusative()), "。"
    if subject.person[0] == "2":
        return None
    return g.template("除了^1 {a} 以外^1 ，^2 {s} 还^3 买^4 了^4 {b}", "besides^1 {a} ,^2 {s} also^3 [buy:past]^4 {b}", subject, a=a.accusative(), b=b.accusative()), "。"


def object_relative(g):
    """我昨天买的书很有意思: the book that I bought yesterday is very interesting."""
    adjective = g.pick([a for a in lexicon.ADJECTIVES if a.zh not in ("新", "好", "长", "近") and not {"person", "stuperson"} & set(a.classes)])
    nouns = g.nouns(adjective.classes)
    if not nouns:
        return None
    thing = g.relative(g.pick(nouns))
    if thing is None:
        return None
    zh, en = g.weighted([(6, ("很^1", "very^1")), (2, ("非常^1", "very^1")), (1.5, ("真^1", "really^1")), (2, ("不^1", "not^1"))])
    a = pair(adjective.zh, adjective.en)
    piece = g.template("{s} %s {a}" % zh, "{s} [be]^0 %s {a}" % en, thing, a=a)
    return Piece(piece.zh, contract(piece.en)), "。"


def subject_relative(g):
    """正在看书的女孩: the girl who is reading."""
    people = g.pick([("女孩", "girl", "3f"), ("男孩", "boy", "3m"), ("人", "person", "3x"), ("老师", "teacher", "3x"), ("学生", "student", "3x"), ("老人", "old man", "3m"), ("女人", "woman", "3f"), ("男人", "man", "3m"), ("孩子", "child", "3x")])
    zh, en, person = people
    doing = g.pick([
        ("正在^1 看^2 书^3", "is^1 reading^2 a^3 book^3"), ("正在^1 唱歌^2", "is^1 singing^2"), ("正在^1 跳舞^2", "is^1 dancing^2"), ("正在^1 打^2 电话^2", "is^1 talking^2 on^2 the^2 phone^2"),
        ("穿^2 着^2 红^3 毛衣^4", "is^2 wearing^2 a^4 red^3 sweater^4"), ("穿^2 着^2 白^3 衬衫^4", "is^2 wearing^2 a^4 white^3 shirt^4"), ("戴^2 着^2 黑^3 帽子^4", "is^2 wearing^2 a^4 black^3 hat^4"), ("戴^2 着^2 眼镜^4", "is^2 wearing^2 glasses^4"),
        ("坐^2 在^3 门^4 口^4", "is^2 sitting^2 at^3 the^4 door^4"), ("站^2 在^3 树^4 下^3", "is^2 standing^2 under^3 the^4 tree^4"), ("坐^2 在^3 窗户^4 旁边^3", "is^2 sitting^2 next^3 to^3 the^4 window^4"),
        ("昨天^1 来^2 这儿^3", "came^2 here^3 yesterday^1"), ("教^2 我们^3 汉语^4", "teaches^2 us^3 Chinese^4"), ("住^2 在^3 楼上^3", "lives^2 upstairs^3"), ("跟^3 {f} 说话^2", "is^2 talking^2 to^3 {f}"),
        ("帮^2 我^3 找^4 到^4 钱包^5", "helped^2 me^3 find^4 the^5 wallet^5"), ("喝^2 着^2 咖啡^3", "is^2 drinking^2 coffee^3"), ("拿^2 着^2 花^3", "is^2 holding^2 flowers^3"), ("骑^2 着^2 自行车^3", "is^2 riding^2 a^3 bicycle^3")])
    if zh in ("孩子", "男孩", "女孩") and ("教" in doing[0] or "咖啡" in doing[0]):
        return None
    if zh == "老师" and "老师" in doing[0] or zh == "学生" and "教" in doing[0]:
        return None
    friend = g.name()
    z, e = doing
    measure = "个"
    det = g.chance(0.6)
    z_noun = ("那^n 个^n %s^n" % zh) if det else "%s^n" % zh
    noun_en = " ".join(w + "^n" for w in en.split())
    core = fill("%s 的^w %s" % (z, z_noun), "the^n %s who^w %s" % (noun_en, e), {"f": friend.accusative()})
    np = NounPhrase(core.zh, core.en, person if person != "3x" else "3m", key=zh, heavy=True)
    kind = g.weighted([(2, "kin"), (1.5, "role"), (1.5, "who"), (1.2, "adj"), (1, "know"), (1, "name"), (1, "like")])
    if kind == "kin":
        kin = g.kin()
        if kin.person != np.person or (zh in ("男孩", "女孩", "孩子") and "older" in kin.key) or kin.key in ("father", "mother", "grandfather", "grandmother", "uncle", "aunt", "wife", "husband") and zh in ("女孩", "男孩", "孩子", "学生"):
            return None
        if zh == "老人" and kin.key != "grandfather" or zh in ("女人", "男人", "老师") and "younger" in kin.key:
            return None
        return g.template("{s} 是^8 {k}", "{s} [be]^8 {k}", np, k=kin.accusative()), "。"
    if kind == "role":
        poss_zh, poss_en, _ = g.possessive()
        rel = g.pick([("同学", "classmate"), ("朋友", "friend"), ("邻居", "neighbor")])
        return g.template("{s} 是^8 {p} 的^0 {n}", "{s} [be]^8 {p} {n}", np, p=Piece(poss_zh, poss_en), n=pair(*rel)), "。"
    if kind == "who":
        return g.template("{s} 是^8 谁^9", "who^9 [be]^8 {s}", np), "？"
    if kind == "adj":
        a = g.pick([x for x in lexicon.ADJECTIVES if "person" in x.classes and x.zh in ("高", "聪明", "热情", "有名", "勇敢", "善良", "瘦", "忙", "累", "高兴", "害羞")])
        return g.template("{s} 很^8 {a}", "{s} [be]^0 very^8 {a}", np, a=pair(a.zh, a.en)), "。"
    if kind == "know":
        return g.template("你^7 认识^8 {s} 吗^0", "do^8 you^7 know^8 {s}", np), "？"
    if kind == "name":
        name = g.pick([n for n in lexicon.NAMES if n.gender == np.person[1]])
        if name in g.names:
            return None
        return g.template("{s} 叫^8 {n}", "{s} [be]^8 called^8 {n}", np, n=pair(name.zh, name.en)), "。"
    other = g.name()
    return g.template("{o} 认识^8 {s}", "{o} knows^8 {s}", np, o=other.nominative()), "。"


def topic(g):
    """这本书我已经看过了: the object comes first."""
    items = [("看* {o}", "read {o}", "lit book_read", "exp"), ("买* {o}", "buy {o}", "study item", "perf"), ("听* {o}", "listen^1 to^1 {o}", "song", "exp"), ("看* {o}", "watch {o}", "film", "exp"),
             ("检查* {o}", "check {o}", "doc", "perf"), ("洗* {o}", "wash {o}", "laundry dish", "perf"), ("打扫* {o}", "clean {o}", "room", "perf"), ("回答* {o}", "answer {o}", "ask", "perf"),
             ("复习* {o}", "review {o}", "lang", "perf"), ("尝* {o}", "taste {o}", "cake soup", "exp"), ("参观* {o}", "visit {o}", "museumn", "exp")]
    zh, en, classes, _ = g.pick(items)
    nouns = g.nouns(classes.split())
    if not nouns:
        return None
    noun = g.pick(nouns)
    np = g.noun_phrase(noun, g.weighted([(3, "this"), (3, "that"), (1, "these"), (1, "those")]))
    subject = g.person(("adult",))
    if subject.person[0] == "2":
        return None
    frame = parse_frame_cached("%s = %s" % (zh, en))
    g.combine("object", zh, noun.zh)
    kind = g.weighted([(2, "already"), (2, "notyet")])
    # The gap of the English side is filled where the object belongs.
    full = g.verb_phrase(frame, subject, gap=Piece([], np.acc))
    if kind == "already":
        group = new_group()
        base = g.clause(subject, full, "exp")
        n = len(subject.zh)
        zh_out = np.zh + base.zh[:n] + [token("已经", group)] + base.zh[n:] + [token("了", *full.zh[0].groups)]
        en = []
        for t in base.en:
            en.append(t)
            if t.text in ("have", "has") and len(en) == len(subject.en) + 1:
                en.append(token("already", group))
        return Piece(zh_out, en), "。"
    if kind == "notyet":
        base = g.clause(subject, full, "perf", neg=True)
        return Piece(np.zh + base.zh, base.en), "。"
    return None


def small_talk(g):
    """Tag questions, exclamations, 呢, how to get somewhere."""
    kind = g.weighted([(2, "andyou"), (2, "exclaim"), (1.5, "howget"), (1.5, "right"), (1.5, "ok"), (1.5, "howgo"), (1, "manypeople"), (1, "class"), (1, "thanks"), (1, "toolate"),
                       (1, "sorry"), (1, "happy"), (1, "wish"), (1, "choice"), (1, "almost"), (3, "better")])
    subject = g.person(("adult",))
    if kind == "andyou":
        noun = g.pick(g.nouns(["drink", "fruit", "song", "pet", "snack"]))
        np = g.noun_phrase(noun, "bare")
        other = g.any(["2s", "3m", "3f", "2p"])
        o = g.pronoun(other)
        verb = g.any([("喜欢", "like"), ("不 喜欢", "don't like")])
        v = fill(*verb)
        return g.template("我^8 {v} {o} ，^1 {p} 呢^2", "I^8 {v} {o} ,^1 what^2 about^2 {p}", None, v=v, o=np.accusative(), p=o.accusative()), "？"
    if kind == "exclaim":
        adjective = g.pick([a for a in lexicon.ADJECTIVES if "person" not in a.classes and a.zh in ("漂亮", "可爱", "贵", "便宜", "甜", "好吃", "有意思", "重", "舒服", "大", "新鲜", "干净")])
        noun = g.pick(g.nouns(adjective.classes))
        np = g.noun_phrase(noun, g.weighted([(2, "this"), (2, "that"), (1, "these")]))
        a = pair(adjective.zh, adjective.en)
        form = g.any(["how", "how", "tai"])
        if form == "how":
            return g.template("{s} 多^1 {a} 啊^1", "how^1 {a} {s} [be]^0", np, a=a), "！"
        return g.template("{s} 真^1 {a} 啊^0", "{s} [be]^0 really^1 {a}", np, a=a), "！"
    place = g.place(["go", "trip"])
    if kind == "howget":
        if "trip" in place.classes:
            return None
        form = g.any(["zenme", "nali", "near"])
        if form == "zenme":
            return g.template("去^2 {p} 怎么^1 走^2", "how^1 do^0 I^0 get^2 {p}", None, p=g.place_to(place)), "？"
        if form == "nali":
            return g.template("请问^1 ，^2 {p} 在^3 哪儿^4", "excuse^1 me^1 ,^2 where^4 is^3 {p}", None, p=g.place_name(place)), "？"
        if "shop" not in place.classes and "public" not in place.classes or place.name.split()[0] != "the":
            return None
        group = new_group()
        words = place.name.split()[1:]
        target = Piece([token(place.zh, group)], [token(inflection.article(words[0]), group)] + [token(w, group) for w in words])
        return g.template("附近^1 有^2 {p} 吗^0", "is^2 there^2 {p} nearby^1", None, p=target), "？"
    if kind == "howgo":
        if subject.person[0] == "1":
            subject = g.pronoun("2s")
        goal = g.weighted([(2, g.place_to(place)), (1, fill("上班^1", "to^1 work^1"))])
        return g.template("{s} 怎么^1 去^2 {p}", "how^1 [do]^2 {s} go^2 {p}", subject, p=goal), "？"
    if kind == "right":
        made = event(g, allowed={"past", "fut", "yao", "want", "like", "know_how", "plan"}, neg=False)
        if not made or made[1].person[0] == "1":
            return None
        return fill("{c} ，^1 对^2 吗^2", "{c} ,^1 right^2", {"c": made[0]}), "？"
    if kind == "ok":
        frame, mode = choose_frame(g, None, lambda f: "imp" in f.flags and "poss" not in f.flags)
        you = g.pronoun("1p")
        verb = g.verb_phrase(frame, you, "def")
        verb = Piece([t for t in verb.zh if t.text != "*"], verb.en)
        when = g.time("fut", frame, clock=False)
        if not when:
            return None
        return fill("我们^1 {t} 一起^2 {v} ，^3 好^4 吗^4", "let's^1 {v} together^2 {t} ,^3 okay^4", {"v": verb, "t": when}), "？"
    if kind == "manypeople":
        where = g.pick([("你们^1 班^2", "in^0 your^1 class^2", "students", "学生"), ("你们^1 公司^2", "in^0 your^1 company^2", "people", "人"), ("这^1 个^0 村子^2", "in^0 this^1 village^2", "people", "人"),
                        ("你^1 家^2", "in^0 your^1 family^2", "people", "人"), ("那^1 家^0 医院^2", "in^0 that^1 hospital^2", "doctors", "医生"), ("这^1 所^0 学校^2", "in^0 this^1 school^2", "teachers", "老师")])
        if where[3] == "人" and where[0].startswith("你^1"):
            return fill(where[0] + " 有^3 几^4 口^5 人^5", "how^4 many^4 people^5 are^3 there^3 " + where[1]), "？"
        mw = "个^5 " if where[3] != "人" else ""
        return fill("%s 有^3 多少^4 %s%s^5" % (where[0], mw, where[3]), "how^4 many^4 %s^5 are^3 there^3 %s" % (where[2], where[1])), "？"
    if kind == "class":
        total, part = g.any([(20, 12), (25, 14), (30, 16), (40, 18), (35, 15), (45, 20), (50, 25)])
        t_zh, t_en = lexicon.NUMBERS[total]
        p_zh, p_en = lexicon.NUMBERS[part]
        group = g.pick([("我们^1 班^2", "in^0 our^1 class^2"), ("他^1 的^0 班^2", "in^0 his^1 class^2"), ("她^1 的^0 班^2", "in^0 her^1 class^2")])
        who = g.any([("女孩", "girls"), ("男孩", "boys"), ("外国人", "foreigners")])
        if g.chance(0.4):
            return fill("%s 有^3 %s^4 个^5 学生^5" % (group[0], t_zh), "there^3 are^3 %s^4 students^5 %s" % (t_en, group[1])), "。"
        return fill("%s 有^3 %s^4 个^5 学生^5 ，^6 其中^7 %s^8 个^0 是^9 %s^a" % (group[0], t_zh, p_zh, who[0]),
                    "there^3 are^3 %s^4 students^5 %s ,^6 and^0 %s^8 of^7 them^7 are^9 %s^a" % (t_en, group[1], p_en, who[1])), "。"
    if kind == "thanks":
        acts = [("帮助^1 我^2", "helping^1 me^2"), ("来^1 看^2 我们^3", "coming^1 to^2 see^2 us^3"), ("给^2 我^3 写^1 信^1", "writing^1 to^2 me^3"), ("邀请^1 我们^2", "inviting^1 us^2"), ("请^1 我^2 吃^3 饭^3", "treating^1 me^2 to^3 a^3 meal^3"), ("告诉^1 我^2 这^3 个^4 消息^4", "telling^1 me^2 this^3 news^4")]
        zh, en = g.pick(acts)
        form = g.any(["you", "other"])
        x = fill(zh, en)
        if form == "you":
            if g.chance(0.7):
                return fill("{n} ，^c 谢谢^a 你^b {x}", "{n} ,^c thank^a you^b for^0 {x}", {"x": x, "n": g.name().nominative()}), "。"
            return fill("谢谢^a 你^b {x}", "thank^a you^b for^0 {x}", {"x": x}), "。"
        return g.template("{s} 感谢^a {p} {x}", "{s} [thank]^a {p} for^0 {x}", g.pronoun("1s") if g.chance(0.5) else g.pronoun("1p"), p=g.name().accusative(), x=x), "。" if "我^" in zh or "我们^" in zh else None
    if kind == "toolate":
        acts = [("路^1 上^1 堵^2 车^2 ，^3 {s} 迟到^4 了^4", "there^2 was^2 a^2 traffic^2 jam^2 on^1 the^1 road^1 ,^3 and^0 {s} [be:past]^4 late^4"),
                ("闹钟^1 没^2 响^3 ，^4 {s} 起^5 晚^6 了^5", "the^1 alarm^1 clock^1 didn't^2 ring^3 ,^4 and^0 {s} [get:past]^5 up^5 late^6"),
                ("公共汽车^1 来^2 晚^3 了^2 ，^4 {s} 等^5 了^5 二十^6 分钟^7", "the^1 bus^1 came^2 late^3 ,^4 and^0 {s} [wait:past]^5 for^0 twenty^6 minutes^7"),
                ("电梯^1 坏^2 了^2 ，^3 {s} 走^4 上^5 楼^5 了^4", "the^1 elevator^1 broke^2 down^2 ,^3 and^0 {s} [walk:past]^4 upstairs^5"),
                ("手机^1 没^2 电^3 了^2 ，^4 {s} 不^5 能^6 打^7 电话^7", "the^1 phone^1 was^0 out^2 of^2 power^3 ,^4 and^0 {s} couldn't^5,6 make^7 a^7 call^7")]
        zh, en = g.pick(acts)
        return g.template(zh, en, subject), "。"
    if kind == "sorry":
        acts = [("我^1 来^2 晚^3 了^2", "I^1 am^0 late^2,3"), ("我^1 忘^2 了^2 你^3 的^3 名字^4", "I^1 forgot^2 your^3 name^4"), ("这^1 个^2 座位^2 有^3 人^4", "this^1 seat^2 is^3 taken^3,4"), ("经理^1 现在^2 很^3 忙^4", "the^1 manager^1 is^0 very^3 busy^4 now^2"),
                ("我^1 没^2 听^3 懂^3", "I^1 didn't^2 understand^3"), ("我^1 不^2 会^3 说^4 法语^5", "I^1 can't^2,3 speak^4 French^5"), ("票^1 已经^2 卖^3 完^3 了^3", "the^1 tickets^1 are^0 already^2 sold^3 out^3"), ("我^1 打^2 错^3 电话^4 了^2", "I^1 dialed^2 the^3 wrong^3 number^4"),
                ("我们^1 今天^2 不^3 开门^4", "we^1 are^0 not^3 open^4 today^2"), ("我^1 把^2 你^3 的^3 杯子^4 打^2 破^2 了^2", "I^1 broke^2 your^3 cup^4")]
        zh, en = g.pick(acts)
        start = g.any([("对不起^a", "sorry^a"), ("不好意思^a", "sorry^a"), ("真^b 对不起^a", "I^0 am^0 really^b sorry^a")])
        x = fill(zh.replace("^", "^x"), en.replace("^", "^x"))
        x = Piece(x.zh, contract(x.en))
        if g.chance(0.5):
            return fill("{n} ，^d " + start[0] + " ，^c {x}", "{n} ,^d " + start[1] + " ,^c {x}", {"x": x, "n": g.name().nominative()}), "。"
        return fill(start[0] + " ，^c {x}", start[1] + " ,^c {x}", {"x": x}), "。"
    if kind == "happy":
        feelings = [("认识^1 你^2", "to^1 meet^1 you^2"), ("又^1 见^2 到^2 你^3", "to^2 see^2 you^3 again^1"), ("收到^1 你^2 的^2 信^3", "to^1 receive^1 your^2 letter^3"), ("听^1 到^1 这^2 个^3 消息^3", "to^1 hear^1 this^2 news^3"), ("能^1 帮助^2 你^3", "to^1 be^1 able^1 to^2 help^2 you^3"), ("跟^2 你^3 一起^2 工作^1", "to^1 work^1 with^2 you^3")]
        zh, en = g.pick(feelings)
        who = g.any(["1s", "1p"])
        degree = g.any([("很", "very"), ("真", "really"), ("特别", "particularly"), ("非常", "extremely")])
        x = fill(zh, en)
        return g.template("{s} %s^a 高兴^b {x}" % degree[0], "{s} [be]^0 %s^a happy^b {x}" % degree[1], g.pronoun(who), x=x), "。"
    if kind == "wish":
        wishes = [("祝^1 你^0 生日^2 快乐^1", "happy^1 birthday^2"), ("祝^1 你^0 新年^2 快乐^1", "happy^1 new^2 year^2"), ("祝^1 你^0 旅行^2 愉快^1", "have^1 a^0 pleasant^1 trip^2"), ("祝^1 你^2 身体^3 健康^4", "I^0 wish^1 you^2 good^4 health^3,4"),
                  ("祝^1 你^2 考试^3 顺利^4", "I^0 wish^1 you^2 success^4 in^0 the^3 exam^3"), ("祝^1 你^2 周末^3 愉快^4", "I^0 wish^1 you^2 a^0 pleasant^4 weekend^3")]
        zh, en = g.pick(wishes)
        who = g.name()
        if g.chance(0.75):
            return fill("{n} ，^a " + zh, "{n} ,^a " + en, {"n": who.nominative()}), "！"
        return fill(zh, en), "！"
    if kind == "choice":
        pairs = [("坐^1 火车^2", "take^1 the^2 train^2", "坐^3 飞机^4", "take^3 the^4 plane^4"), ("在^1 家^2 吃^3", "eat^3 at^1 home^2", "去^4 饭馆^5 吃^6", "eat^6 in^4 the^5 restaurant^5"), ("看^1 电影^2", "watch^1 a^2 movie^2", "听^3 音乐会^4", "listen^3 to^3 a^4 concert^4"),
                 ("去^1 海边^2", "go^1 to^2 the^2 seaside^2", "去^3 山^4 上^4", "go^3 to^4 the^4 mountains^4"), ("喝^1 茶^2", "drink^1 tea^2", "喝^3 咖啡^4", "drink^3 coffee^4"), ("打^1 篮球^2", "play^1 basketball^2", "踢^3 足球^4", "play^3 soccer^4"), ("今天^2 走^1", "leave^1 today^2", "明天^4 走^3", "leave^3 tomorrow^4")]
        a_zh, a_en, b_zh, b_en = g.pick(pairs)
        q = g.person(("adult",), question=True)
        if q.person[0] == "1":
            return g.template("{s} 可以^7 %s ，^0 也^8 可以^0 %s" % (a_zh, b_zh), "{s} can^7 %s or^8 %s" % (a_en, b_en), q), "。"
        return g.template("{s} 想^7 %s 还是^8 %s" % (a_zh, b_zh), "[do]^7 {s} want^7 to^7 %s or^8 %s" % (a_en, b_en), q), "？"
    if kind == "almost":
        acts = [("忘^1 了^1 带^2 护照^3", "[forget:past]^1 to^2 bring^2 POSS^3 passport/s^3"), ("迟到^1 了^1", "[be:past]^1 late^1"), ("丢^1 了^1 手机^2", "[lose:past]^1 POSS^2 phone/s^2"), ("摔倒^1 了^1", "[fall:past]^1 down^1"), ("睡^1 着^2 了^1", "[fall:past]^1 asleep^2"), ("哭^1 了^1", "[cry:past]^1"), ("打^1 破^1 了^1 那^2 个^3 杯子^3", "[break:past]^1 that^2 cup^3"), ("买^1 错^2 了^1 票^3", "[buy:past]^1 the^2 wrong^2 ticket^3")]
        zh, en = g.pick(acts)
        if not subject.gendered:
            return None
        e = en.replace("[be:past]^1 late^1", "[be:past]^1 almost^9 late^1")
        if e == en:
            e = "almost^9 " + en
        time = g.time("past", None, clock=False) if g.chance(0.5) else EMPTY
        return g.template("{s} {t} 差点儿^9 " + zh, "{s} " + e + " {t}", subject, t=time), "。"
    acts = [("早^2 点儿^2 出发^1", "leave^1 earlier^2"), ("带^1 雨伞^2", "take^1 an^2 umbrella^2"), ("在^2 家^3 休息^1", "rest^1 at^2 home^3"), ("去^1 看^2 医生^3", "go^1 to^0 see^2 a^3 doctor^3"), ("先^2 吃^1 饭^1", "eat^1 first^2"), ("早^2 点儿^2 睡觉^1", "go^1 to^1 bed^1 earlier^2"), ("问^1 一下^1 老师^2", "ask^1 the^2 teacher^2"), ("先^2 给^3 他^4 打^1 电话^1", "call^1 him^4 first^2"), ("坐^1 地铁^2 去^3", "take^1 the^2 subway^2 there^3"), ("多^2 穿^1 点儿^2 衣服^3", "wear^1 more^2 clothes^3")]
    zh, en = g.pick(acts)
    you = g.pronoun(g.any(["2s", "2p", "1p"]))
    return g.template("{s} 最好^9 " + zh, "{s} had^9 better^9 " + en, you), "。"


def condition_question(g):
    """Advice and requests with a reason: 天气很冷，请关上窗户."""
    openings = [("外面^1 很^2 冷^3", "it^0 is^0 very^2 cold^3 outside^1", ["关上^1 窗户^2 : close^1 the^2 window^2", "穿^1 大衣^2 : wear^1 a^2 coat^2", "戴^1 帽子^2 : wear^1 a^2 hat^2"]),
                ("房间^1 里^2 太^3 热^4 了^3", "it^0 is^0 too^3 hot^4 in^2 the^1 room^1", ["打开^1 窗户^2 : open^1 the^2 window^2", "打开^1 空调^2 : turn^1 on^1 the^2 air^2 conditioner^2"]),
                ("孩子^1 在^2 睡觉^3", "the^1 child^1 is^2 sleeping^3", ["小^2 声^2 说话^1 : speak^1 quietly^2", "关上^1 门^2 : close^1 the^2 door^2", "关^1 掉^1 电视^2 : turn^1 off^1 the^2 television^2"]),
                ("时间^1 不^2 早^2 了^2", "it^0 is^0 getting^2 late^2", ["快^2 一点儿^2 出发^1 : leave^1 quickly^2", "早^2 点儿^2 回^1 家^3 : go^1 home^3 early^2", "坐^1 出租车^2 去^3 : take^1 a^2 taxi^2 there^3"]),
                ("路^1 很^2 远^3", "it^0 is^0 a^0 very^2 long^3 way^1", ["坐^1 地铁^2 去^3 : take^1 the^2 subway^2 there^3", "早^2 点儿^2 出发^1 : leave^1 early^2"]),
                ("水果^1 很^2 新鲜^3", "the^1 fruit^1 is^0 very^2 fresh^3", ["多^2 吃^1 一点儿^2 : eat^1 a^2 little^2 more^2", "尝^1 一下^2 : have^1,2 a^1 taste^1"]),
                ("这儿^1 是^2 医院^3", "this^1 is^2 a^3 hospital^3", ["小^2 声^2 说话^1 : speak^1 quietly^2", "别^2 抽^1 烟^1 : don't^2 smoke^1"]),
                ("饭^1 做^2 好^2 了^2", "the^1 meal^1 is^0 ready^2", ["来^1 吃^2 饭^2 : come^1 and^0 eat^2", "先^2 洗^1 手^3 : wash^1 your^3 hands^3 first^2", "叫^1 孩子们^2 来^3 吃^4 饭^4 : tell^1 the^2 children^2 to^0 come^3 and^0 eat^4"])]
    zh, en, acts = g.pick([(a, b, tuple(c)) for a, b, c in openings])
    act = g.pick(acts)
    a_zh, a_en = (x.strip().replace("^", "^v") for x in act.split(":"))
    g.combine("advice", zh, a_zh)
    first = fill(zh, en)
    polite = g.chance(0.5) and "别" not in a_zh
    who = g.name() if g.chance(0.6) else None
    body = fill(("请^p " if polite else "") + a_zh + ("" if polite or "别" in a_zh else " 吧^0"), ("please^p " if polite else "") + a_en)
    base = fill("{a} ，^x {b}", "{a} ,^x so^0 {b}", {"a": first, "b": body})
    if who:
        return fill("{n} ，^y {c}", "{n} ,^y {c}", {"n": who.nominative(), "c": base}), "。"
    return base, "。"


def when_clause(g):
    """…的时候: while or when."""
    table = [("{s} 到^1 家^2", "{s} [arrive:past]^1 home^2", "past", ["妈妈^1 正在^2 做^3 饭^3 : POSS^1 mother^1 was^2 cooking^3", "外面^1 正在^2 下雨^3 : it^0 was^2 raining^3 outside^1", "大家^1 都^0 睡^2 了^2 : everyone^1 was^0 asleep^2", "孩子们^1 正在^2 看^3 电视^4 : the^1 children^1 were^2 watching^3 television^4"]),
             ("{s} 看^1 书^1", "{s} [be:past]^0 reading^1", "past", ["电话^1 响^2 了^2 : the^1 phone^1 rang^2", "有人^1 敲^2 门^3 : someone^1 knocked^2 on^0 the^3 door^3", "邻居^1 正在^2 唱歌^3 : the^1 neighbor^1 was^2 singing^3"]),
             ("{s} 洗澡^1", "{s} [be:past]^0 taking^1 a^1 shower^1", "past", ["电话^1 响^2 了^2 : the^1 phone^1 rang^2", "客人^1 到^2 了^2 : the^1 guest^1 arrived^2"]),
             ("{s} 起床^1", "{s} [get:past]^1 up^1", "past", ["外面^1 正在^2 下雪^3 : it^0 was^2 snowing^3 outside^1", "爸爸^1 已经^2 上班^3 了^3 : POSS^1 father^1 had^2 already^2 gone^3 to^3 work^3", "妈妈^1 已经^2 做^3 好^3 早饭^4 了^3 : POSS^1 mother^1 had^2 already^2 made^3 breakfast^4"]),
             ("{s} 小^1", "{s} [be:past]^0 little^1", "past", ["{p} 住^2 在^3 村子^4 里^3 : {p} [live:past]^2 in^3 a^4 village^4", "{p} 常常^2 在^3 河^4 里^3 游泳^5 : {p} often^2 [swim:past]^5 in^3 the^4 river^4", "{p} 想^2 当^3 医生^4 : {p} [want:past]^2 to^2 be^3 a^4 doctor^4", "{p} 很^2 怕^3 狗^4 : {p} [be:past]^3 very^2 afraid^3 of^3 dogs^4", "爷爷^2 常常^3 给^4 {a} 讲^5 故事^6 : POSS^2 grandfather^2 often^3 told^5 {a} stories^6"]),
             ("{s} 在^1 中国^2", "{s} [be:past]^0 in^1 China^2", "past", ["{p} 学^2 了^2 很多^3 汉字^4 : {p} [learn:past]^2 a^3 lot^3 of^3 Chinese^4 characters^4", "{p} 认识^2 了^2 很多^3 朋友^4 : {p} [make:past]^2 a^3 lot^3 of^3 friends^4", "{p} 吃^2 了^2 很多^3 饺子^4 : {p} [eat:past]^2 a^3 lot^3 of^3 dumplings^4", "{p} 参观^2 了^2 很多^3 博物馆^4 : {p} [visit:past]^2 a^3 lot^3 of^3 museums^4"]),
             ("{s} 上^1 大学^2", "{s} [be:past]^1 in^1 college^2", "past", ["{p} 开始^2 学^3 法语^4 : {p} [begin:past]^2 to^0 study^3 French^4", "{p} 每天^2,3 打^4 篮球^5 : {p} [play:past]^4 basketball^5 every^2 day^3", "{p} 认识^2 了^2 {w} : {p} [meet:past]^2 {w}", "{p} 很^2 喜欢^3 历史^4 : {p} [like:past]^3 history^4 very^2 much^2"]),
             ("{s} 过^1 马路^2", "{s} [cross]^1 the^2 street^2", "hab", ["{p} 总是^2 很^3 小心^4 : {p} [be]^0 always^2 very^3 careful^4"]),
             ("{s} 累^1", "{s} [be]^0 tired^1", "hab", ["{p} 喜欢^2 听^3 音乐^4 : {p} [like]^2 to^3 listen^3 to^3 music^4", "{p} 常常^2 去^3 散步^4 : {p} often^2 [go]^3 for^4 a^4 walk^4", "{p} 一般^2 早^4 点儿^4 睡觉^3 : {p} usually^2 [go]^3 to^3 bed^3 early^4"]),
             ("{s} 不^1 高兴^2", "{s} [be]^0 not^1 happy^2", "hab", ["{p} 不^2 想^3 说话^4 : {p} [do]^2 not^2 want^3 to^4 talk^4", "{p} 常常^2 给^3 {w} 打^4 电话^4 : {p} often^2 [call]^4 {w}", "{p} 喜欢^2 吃^3 巧克力^4 : {p} [like]^2 to^3 eat^3 chocolate^4"]),
             ("{s} 有^1 时间^2", "{s} [have]^1 time^2", "hab", ["{p} 喜欢^3 去^4 爬^5 山^6 : {p} [like]^3 to^4 go^4 climb^5 mountains^6", "{p} 总是^3 去^4 看^5 {w} : {p} always^3 [go]^4 to^5 see^5 {w}", "{p} 常常^3 在^4 家^5 做^6 饭^6 : {p} often^3 [cook]^6 at^4 home^5"])]
    zh, en, _, mains = g.pick([(a, b, c, tuple(d)) for a, b, c, d in table])
    main = g.pick(mains)
    m_zh, m_en = (x.strip() for x in main.split(" : "))
    subject = g.person(("adult",), gendered=True)
    if subject.person[0] == "2":
        return None
    if subject.key in RETIRED and m_zh.startswith(("妈妈", "爸爸")):
        return None
    g.combine("when", zh, m_zh)
    p = pronoun_of(g, subject)
    witness = g.name()
    first = g.template(zh.replace("^", "^x"), en.replace("^", "^x"), subject)
    first = Piece(first.zh, contract(first.en))
    second = g.template(m_zh.replace("^", "^y"), m_en.replace("^", "^y"), p, p=p.nominative(), a=p.accusative(), w=witness.accusative())
    en_out = []
    for t in second.en:
        if t.text == "not" and en_out and en_out[-1].text in ("do", "does"):
            en_out[-1] = en_out[-1]._replace(text=en_out[-1].text + "n't")
        else:
            en_out.append(t)
    second = Piece(second.zh, en_out)
    return fill("{a} 的^1 时候^1 ，^2 {b}", "when^1 {a} ,^2 {b}", {"a": first, "b": second}), "。"


FAMILIES = [
    (6.5, reason), (4, circumstance), (6.5, condition), (4.5, concession), (11, narration), (7, two_steps), (2.5, meanwhile),
    (2, both), (3, besides), (4, subject_relative), (4, object_relative), (1.2, topic), (5.5, small_talk), (2, condition_question), (2.6, when_clause),
]
