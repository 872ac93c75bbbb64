"""English word forms."""

IRREGULAR_VERBS = {
    line.split()[0]: line.split()[1:]
    for line in """
be was been
have had had
do did done
go went gone
come came come
become became become
eat ate eaten
drink drank drunk
see saw seen
read read read
write wrote written
speak spoke spoken
say said said
tell told told
think thought thought
know knew known
buy bought bought
sell sold sold
bring brought brought
teach taught taught
catch caught caught
find found found
get got gotten
give gave given
take took taken
make made made
meet met met
leave left left
lose lost lost
send sent sent
spend spent spent
lend lent lent
put put put
sit sat sat
stand stood stood
sleep slept slept
wake woke woken
wear wore worn
win won won
run ran run
ride rode ridden
drive drove driven
fly flew flown
swim swam swum
sing sang sung
draw drew drawn
grow grew grown
fall fell fallen
feel felt felt
hear heard heard
hold held held
keep kept kept
break broke broken
forget forgot forgotten
begin began begun
build built built
choose chose chosen
cut cut cut
hang hung hung
lie lay lain
pay paid paid
ring rang rung
set set set
shut shut shut
steal stole stolen
sweep swept swept
throw threw thrown
understand understood understood
hurt hurt hurt
bite bit bitten
feed fed fed
let let let
cost cost cost
hit hit hit
blow blew blown
rise rose risen
mean meant meant
dream dreamed dreamed
blow blew blown
show showed shown
""".strip().splitlines()
}

DOUBLING = set("shop chat plan jog stop skip chop hug drop rub pat swim run sit put get cut "
               "win begin forget let set hit shut slip trip ship mop nap plug".split())

IRREGULAR_PLURALS = {
    "child": "children", "man": "men", "woman": "women", "person": "people",
    "sheep": "sheep", "fish": "fish", "mouse": "mice", "bookshelf": "bookshelves",
    "policeman": "policemen", "tooth": "teeth", "foot": "feet", "leaf": "leaves",
    "knife": "knives", "TV series": "TV series", "wolf": "wolves", "photo": "photos",
    "piano": "pianos", "video": "videos", "zoo": "zoos", "panda": "pandas",
}

SHORT_COMPARATIVES = {"good": ("better", "best"), "bad": ("worse", "worst"), "far": ("farther", "farthest")}
LONG_ADJECTIVES_WITH_ER = set("quiet clever narrow simple".split())
VOWELS = "aeiou"


def third_person(verb):
    if verb == "be":
        return "is"
    if verb == "have":
        return "has"
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return verb[:-1] + "ies"
    return verb + "s"


def past(verb):
    if verb in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[verb][0]
    return _with_ed(verb)


def participle(verb):
    if verb in IRREGULAR_VERBS:
        return IRREGULAR_VERBS[verb][1]
    return _with_ed(verb)


def _with_ed(verb):
    if verb in DOUBLING:
        return verb + verb[-1] + "ed"
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in VOWELS:
        return verb[:-1] + "ied"
    return verb + "ed"


def gerund(verb):
    if verb == "be":
        return "being"
    if verb == "lie":
        return "lying"
    if verb in DOUBLING:
        return verb + verb[-1] + "ing"
    if verb.endswith("e") and not verb.endswith("ee"):
        return verb[:-1] + "ing"
    return verb + "ing"


def plural(noun):
    if noun in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[noun]
    head, _, last = noun.rpartition(" ")
    if last in IRREGULAR_PLURALS:
        last = IRREGULAR_PLURALS[last]
    elif last.endswith(("s", "x", "z", "ch", "sh")) or last in ("potato", "tomato", "hero", "mango"):
        last += "es"
    elif last.endswith("y") and last[-2] not in VOWELS:
        last = last[:-1] + "ies"
    else:
        last += "s"
    return (head + " " + last).strip()


def article(next_word):
    lowered = next_word.lower()
    if lowered.startswith(("uni", "use", "eu", "one")):
        return "a"
    if lowered.startswith(("hour", "honest")):
        return "an"
    return "an" if lowered[0] in VOWELS or lowered.startswith("eight") else "a"


def _takes_er(adjective):
    if " " in adjective or adjective.endswith("ed") and adjective != "red":
        return False
    if adjective in LONG_ADJECTIVES_WITH_ER:
        return True
    vowel_runs = 0
    previous = False
    core = adjective[:-1] if adjective.endswith("e") else adjective
    for letter in core:
        vowel = letter in VOWELS + "y"
        vowel_runs += vowel and not previous
        previous = vowel
    return vowel_runs == 1 or (vowel_runs == 2 and adjective.endswith("y"))


def _er(adjective, ending):
    if adjective.endswith("e"):
        return adjective + ending[1:]
    if adjective.endswith("y") and adjective[-2] not in VOWELS:
        return adjective[:-1] + "i" + ending
    if adjective in ("big", "hot", "thin", "fat", "wet", "sad", "red"):
        return adjective + adjective[-1] + ending
    return adjective + ending


def comparative(adjective):
    if adjective in SHORT_COMPARATIVES:
        return SHORT_COMPARATIVES[adjective][0]
    return _er(adjective, "er") if _takes_er(adjective) else "more " + adjective


def superlative(adjective):
    if adjective in SHORT_COMPARATIVES:
        return SHORT_COMPARATIVES[adjective][1]
    return _er(adjective, "est") if _takes_er(adjective) else "most " + adjective


def comparative_adverb(adverb):
    special = {"well": "better", "badly": "worse", "fast": "faster", "early": "earlier",
               "late": "later", "hard": "harder", "high": "higher", "far": "farther", "much": "more"}
    return special.get(adverb, "more " + adverb)
