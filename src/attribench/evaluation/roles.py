"""What a named person is in the sentence: a possible author, or denied, or part of the setting.

The word that governs the name decides: in "an elegy for the poet Jane Roe" it is "for", since
articles, roles and peoples between it and the name are passed over. Each word group below is one
rule of ``docs/outcomes.md``.
"""

import re

from attribench.evaluation.words import Kind, kinds

_WORDS = re.compile(r"[^\W_][\w'-]*|[,;:()—–]|(?<= )-(?= )")


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_PASSED = _set(
    "the a an his her their its our this that late great then fellow former young both either famous renowned celebrated legendary "
    "influential iconic beloved pioneering acclaimed prominent noted modern ancient medieval contemporary century nobel pulitzer "
    "prize-winning civil rights women's even perhaps possibly probably likely"
)
_NEGATIONS = _set("not never neither nor cannot isn't wasn't didn't doesn't don't aren't weren't couldn't can't haven't hasn't hardly")
# "not known", "not clear, but ...": what is negated is the knowledge, not the name.
_NOT_OF_NAME = _set(
    "but only just merely until clear certain sure specified specify mention mentioned known know given provided identified identify "
    "stated explicitly explicit available however although though unclear confident recall remember surprising uncommon is are was were"
)
_BARRIERS = frozenset(",;:—–-()")
_FALSELY = _set("wrongly falsely incorrectly mistakenly erroneously wrongfully inaccurately spuriously apocryphally dubiously misleadingly")
_LINKED = re.compile(r"(?:attribut|credit|ascrib|assign|link|associat|quot)\w*")
_FALSE = re.compile(r"mis-?(?:attribut|ascrib|credit|quot|assign)\w*")
_RATHER = {("rather", "than"), ("instead", "of"), ("contrary", "to"), ("confused", "with"), ("mistaken", "for")}
_NO_EVIDENCE = re.compile(r"\bno (?:\w+ )?(?:evidence|record|proof|indication|sign|source|documentation)\b[^.;]*$")

_DENIED_AFTER = re.compile(
    r"""^["'*_)\] ]*,?\s*(?:
        never\s+(?:actually\s+|really\s+)?(?:said|wrote|uttered|spoke|penned|used|made|coined)
      | (?:did\s+not|didn't|does\s+not|doesn't|could\s+not|couldn't)\s+(?:actually\s+|ever\s+|really\s+)?
        (?:say|write|utter|author|coin|pen|originate|speak|make|use)\b
      | (?:is|was)\s*(?:not|n't|never|neither)\s+(?:actually\s+|in\s+fact\s+)?(?:the|its|behind|who|responsible|an?)\b
      | (?:is|are|was)\s+(?:an?\s+)?(?:false|apocryphal|incorrect|spurious|wrong|mistaken|erroneous|misattribution|inaccurate|unfounded)\b
      | (?:(?:is|was|has|are|were|gets?|been|being|often|frequently|sometimes|commonly|usually)\s+)+
        (?:mis-?(?:attribut|credit|ascrib|quot)|(?:wrongly|falsely|incorrectly|mistakenly|erroneously)\s+(?:attribut|credit|ascrib|quot|cit|named))
    )""",
    re.VERBOSE | re.IGNORECASE,
)

_EAST_AFTER = re.compile(r"(?:の(?:言葉|作品|もの))?(?:ではなく|ではありません|ではない|じゃない)|[이가] 아니|(?:所)?(?:没有|沒有|从未|從未)")
_EAST_BEFORE = re.compile(r"(?:不是|並非|并非|而非)\s*$")

_SETTING = _set(
    "under during against about regarding concerning mourning mourns honoring honouring honors honours praising praises criticizing "
    "criticising criticizes criticises attacking addressing addresses eulogizing eulogizes commemorating commemorates celebrating "
    "celebrates remembering remembers supporting opposing depicting depicts portraying portrays featuring features starring meeting "
    "met meets told tells telling asked asks married marrying toward towards alongside like unlike near at on for into upon through "
    "throughout between versus vs than among amid amidst dubbed mocking mocks satirizing satirizes defending defends denouncing "
    "denounces thanking thanks warning warns persuading persuades overthrew overthrow ousted succeeded visiting visited alongside "
    "invoking invokes echoing echoes challenging challenges rebutting rebuts parodying parodies reviewing reviews profiling beside "
    "in describing describes recalling depict portray befriended inspired influenced moved impressed angered persuaded freed comforting comforts consoling consoles imagining imagines"
)
_RELATIONS = _set(
    "translator critic publisher biographer interviewer addressee dedicatee narrator protagonist character characters actor actress "
    "opponent rival predecessor successor wife husband son daughter brother sister friend friends lover mother father mentor student "
    "colleague patron disciple pupil spouse partner dictator ruler hero heroine antagonist villain detective muse widow cousin nephew "
    "niece uncle aunt grandmother grandfather grandson granddaughter president-elect incumbent editor interviewee"
)
_WHEN = _set("when while where after before until since once whenever as because")
_PREPOSITIONS = _set("by of from to with in on at for about under against , ; : ( ) — –")
_BY_NOT = _set(
    "translated edited inspired influenced published illustrated introduced performed sung recited portrayed played read interviewed "
    "popularized popularised compiled collected commissioned arranged covered adapted directed produced imprisoned arrested jailed "
    "exiled criticized criticised praised ruled governed led founded banned assassinated killed encouraged prompted provoked shaped "
    "rendered photographed foreword introduction translation preface afterword appointed motivated informed taught raised reviewed "
    "censored persecuted voiced sponsored won received hosted moderated printed preserved recorded transcribed painted represented "
    "surrounded accompanied followed preceded embodied championed depicted sparked triggered overthrown deposed elected oppressed "
    "dominated music illustrations photographs edition signed attended broadcast commissioned sculpted drawn designed built invaded prepared recovered discovered "
    "colonized colonised annexed defeated succeeded challenged mentored tutored befriended trained sentenced condemned murdered"
)
_BY_YES = _set("song novel film book album essay written said spoken composed authored penned words and but or is was be quote poem line attributed work uttered coined made used")
_OF_YES = _set(
    "word words work works writing writings poem poems poetry quote quotes quotation quotations saying sayings teaching teachings novel "
    "novels letter letters speech speeches view views thought thoughts pen voice essay essays lyric lyrics memoir memoirs play plays "
    "book books stories story sermon sermons lecture lectures aphorism aphorisms maxim maxims line lines verse verses statement "
    "statements remark remarks song songs prose diary diaries journal journals philosophy idea ideas wisdom autobiography those that "
    "that's sentiment sentiments perspective belief beliefs one style mind hand authorship paper papers notebook notebooks oeuvre "
    "fiction discourse discourses paraphrase version typical characteristic example reflective pseudonym name person figure likes "
    "alias novella insight insights reflections reflection advice mouth hadith couplet ghazal haiku commentary psalm fable parable dialogue monologue tweet post lament prayer attribution thinking rhetoric outlook worldview"
)
_TO_YES = re.compile(r"(?:attribut|credit|ascrib|belong|assign|trac|point|accredit|connect|link)\w*|due|back|according|relation")
_TO_NOT = re.compile(
    r"(?:respon|repl|answer|react|tribut|dedicat|address|sent|writ|spok|speak|refer|allu|devot|object|compar|similar|inspir|rebut|"
    r"rebuke|challeng|close|loyal|deliver|present|introduc|letter|opposit|oppos|homage|ode|toast|appeal|prior)\w*"
)
_WITH_YES = _set("interview interviews conversation conversations dialogue correspondence exchange originate originates originated associated originating associate begin")
_TITLE_NOUNS = _set(
    "novel book play film movie poem essay memoir song album titled entitled series show opera musical sitcom novella documentary "
    "biopic comic cartoon anime game"
)
WORK_OF = re.compile(
    r"^['\"*_)]*\s*'s?\s+(?:[\w'-]+\s+){0,4}?(?:\*|_|\"|(?:The|A|An|On)\s+[A-Z]|(?:dialogue|quote|quotation|poem|poetry|novel|novella|book|memoir|essay|speech|letter|work|"
    r"writing|play|song|lyric|sermon|lecture|story|stories|verse|collection|autobiograph|diary|journal|tale|words|line|view|idea|philosoph|"
    r"thought|belief|teaching|reflection|address|statement|saying|wisdom|vision|perspective|message|argument|treatise|discourse|meditation)\w*)"
)
_ABOUT_THE_QUOTE = re.compile(
    r"\b(?:context|author|source|origin|speaker|writer|background)(?: of| behind| for)?(?: (?:this|the|that) (?:quote|quotation|line|passage|statement|sentence))?"
    r" (?:is|was|could be|may be|seems to be)(?: likely| probably)? about $",
    re.IGNORECASE,
)
_THE_CONTEXT_IS = re.compile(r"^\W*(?:the|its) (?:context|background|author)\b[^.,;]{0,40}? (?:is|was) (?:\w+ ){0,4}$", re.IGNORECASE)
_REPLY = _set("response reply answer reaction rebuttal opposition responds responding replies answers reacts rebuts objects opposed objection")
_NAMED = _set("named called")

AUTHORING = re.compile(
    r"""^["'*_)\]]*(?:\s*,[^,.;]{1,50},|\s*\([^)]{1,40}\))?,?\s+(?:who\s+|once\s+|famously\s+|first\s+|then\s+|actually\s+|often\s+|also\s+|later\s+|has\s+|had\s+|is\s+(?:the\s+|known|believed|said|likely)|was\s+(?:the\s+|an?\s+|reflecting|speaking|writing))*
    (?:wr[io]te|writ|pen(?:s|ned)\b|said|say|author|argu|reflect|sp[eo]k|spoke|express|explor|describ|declar|put\s+it|observ|remark|stat|recall|critici[sz]|
    challeng|warn|examin|captur|articulat|discuss|emphasi[sz]|address|deliver|utter|coin|use[sd]|compos|publish|credited|quot|sang|sings|rapp|note[sd]?\b|
    claim|convey|urge|call|tell|told|muse|confess|lament|consider|contemplat|meditat|advis|teach|taught|mean|celebrat|highlight|illustrat|insist|admit|explain|answer|attribut|source|the\b)""",
    re.VERBOSE | re.IGNORECASE,
)
_SETTING_AFTER = re.compile(
    r"""^["'*_)\]]*\s*(?:
        's\s+(?:\w+\s+){0,2}?(?:presidency|reign|rule|death|assassination|murder|killing|government|administration|regime|dictatorship|court
           |army|invasion|election|inauguration|funeral|trial|wife|husband|son|daughter|father|mother|brother|sister|friend|attempt|policies|policy
           |campaign|conquest|coup|troops|forces|arrest|imprisonment|execution|release|era|time|premiership|character|translations?
           |edition|coronation|victory|defeat|resignation|theory|theories|emergency|men|party|followers|crimes|purges?|widow|biography|visit)\b
      | (?:\s*,[^,]{1,40},)?\s*(?:was|were|is|had\s+been|became|took|ruled|held|came|seized|resigned|reigned|fell|died|governed|declared\s+war|led)\b
        (?:\s+(?:in\s+power|president|prime|king|queen|emperor|killed|assassinated|murdered|elected|arrested|executed|imprisoned|shot|over|office|power|to\s+power)\b
        |(?=\s*$))
      | \s+(?:was|were)\s+(?:then|still|already|now|in|on|at|away|viceroy|governor|mayor|chancellor|minister|dictator|sultan|tsar|shah|pope|leader)\b
      | '?s?\s*-?\s*(?:era|led|esque)\b | \s+(?:administration|presidency|era|regime|government|dictatorship|years|scholars?|biographer|fans?|expert|biopic|exhibition|statue|mural|street)\b
    )""",
    re.VERBOSE | re.IGNORECASE,
)


def governing(before: str) -> tuple[list[str], int]:
    """Return the last words of `before`, in lower case, and the index of the one that governs what follows."""
    found = _WORDS.findall(before[-110:].lower())
    i = len(found) - 1
    while i >= 0 and (found[i] in _PASSED or kinds(found[i].replace("'", "")) & (Kind.ROLE | Kind.PEOPLE) and found[i] not in _STOPS):
        i -= 1
    return found, i


_STOPS = _TITLE_NOUNS | _RELATIONS | {"by", "book", "title", "name", "work", "source", "first", "last"}


def denied(before: str, after: str) -> bool:
    """Tell whether the sentence denies that the person said or wrote the words."""
    return bool(_DENIED_AFTER.match(after) or _EAST_AFTER.match(after) or _EAST_BEFORE.search(before) or _negated(before[-110:].lower()))


def _negated(low: str) -> bool:
    found = _WORDS.findall(low)[-9:]
    for i in range(len(found) - 1, -1, -1):
        word = found[i]
        rest = found[i + 1 :]
        if word in _NEGATIONS:
            return not (_NOT_OF_NAME & set(rest)) and len(rest) <= 6 and not _BARRIERS & set(rest[1:])
        if _FALSE.fullmatch(word) or (word in _FALSELY and any(_LINKED.fullmatch(w) for w in rest)):
            return "but" not in rest and "," not in rest
        if (word, *rest[:1]) in _RATHER and len(rest) <= 3:
            return True
    return bool(_NO_EVIDENCE.search(low)) and not _NOT_OF_NAME & set(found[-3:])


def setting(before: str, after: str, is_author: bool) -> bool:
    """Tell whether the person is setting, subject, addressee, translator and the like, not a source."""
    if _SETTING_AFTER.match(after):
        return True
    if _nation(after):
        return True
    found, i = governing(before)
    if i < 0:
        return False
    word = found[i]
    near = found[max(0, i - 6) : i]
    if word == "," and i > 1 and found[i - 1] in _RELATIONS and found[i - 2] in ("his", "her", "its", "their", "the"):
        return after.startswith(",")
    if word in ("for", "to") and i == 0 and after.startswith(","):
        return False  # For Jane Roe, ...
    if WORK_OF.match(after) and (word in ("of", "in", "from") or (word == "to" and not _REPLY & set(near))):
        return False
    if is_author and word in ("of", "about") and _THE_CONTEXT_IS.search(before):
        return False
    if word in ("in", "from") and re.match(r"['\"*_)]*\s*'", after):
        return False  # in Ama's Homecoming
    if word == "about" and _ABOUT_THE_QUOTE.search(before):
        return False
    if word in ("am", "i'm"):
        return True
    if word in _WHEN or (word not in _PREPOSITIONS and len(found) > 1 and found[i - 1] in _WHEN):
        return not is_author and not AUTHORING.match(after)
    if word == "by":
        for n, w in enumerate(reversed(near), start=1):
            if w in _BY_NOT:
                return near[-n - 1 : -n] != ["as"]
            if w in _BY_YES or (w in _BARRIERS and w != "-"):
                return False
        return False
    if word == "of":
        return not any(w in _OF_YES for w in near[-2:]) and not (near and near[-1] == ",")
    if word == "to":
        for w in reversed(near):
            if _TO_YES.fullmatch(w):
                return False
            if _TO_NOT.fullmatch(w):
                return True
        return True
    if word == "like" and {"sounds", "sound", "something", "seems", "looks"} & set(near[-2:]):
        return False
    if word == "between" and _WITH_YES & set(near[-3:]):
        return False
    if word == "with":
        return not _WITH_YES & set(near[-3:])
    if word in _NAMED:
        return any(w in _RELATIONS or kinds(w) == Kind.GIVEN or w in ("boy", "girl", "creature", "dog", "cat") for w in near[-2:])
    if word in _RELATIONS or word in _SETTING:
        return not (is_author and AUTHORING.match(after))
    return False


_POSSESSED = re.compile(r"['\"*_)]*'s?\s+([A-Z]\w+)(?:\s+([A-Z]\w+))?")


def _nation(after: str) -> bool:
    """Tell whether a country or people is called the person's: Stalin's Soviet Union."""
    match = _POSSESSED.match(after)
    if not match:
        return False
    first, second = match.group(1).lower(), (match.group(2) or "").lower()
    return bool((kinds(first) | kinds(f"{first} {second}")) & Kind.PLACE)


def title(before: str, after: str) -> bool:
    """Tell whether the capitalised words are the title of a work named just before."""
    found = _WORDS.findall(before[-40:].lower())
    return bool(found) and found[-1] in _TITLE_NOUNS and not AUTHORING.match(after)
