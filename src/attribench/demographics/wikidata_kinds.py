"""Kinds of items and occupations, by QID: what a hit for an author's name can turn out to be."""

from attribench.demographics.wikidata_items import HUMAN, OCCUPATION, Item

PERSON = "Q5"

GROUPS = frozenset(
    {
        "Q215380",  # musical group
        "Q5741069",  # rock band
        "Q2088357",  # musical ensemble
        "Q9212979",  # musical duo
        "Q216337",  # boy band
        "Q641066",  # girl group
        "Q10648343",  # duo
        "Q14073567",  # sibling duo
        "Q16334295",  # group of humans
        "Q43229",  # organization
        "Q4830453",  # business
        "Q783794",  # company
        "Q163740",  # nonprofit organization
        "Q7278",  # political party
        "Q11032",  # newspaper
        "Q41298",  # magazine
    }
)

# Pages and things that share a person's name and say nothing about who bears it.
SILENT = frozenset(
    {
        "Q4167410",  # Wikimedia disambiguation page
        "Q13406463",  # Wikimedia list article
        "Q4167836",  # Wikimedia category
        "Q11266439",  # Wikimedia template
        "Q101352",  # family name
        "Q202444",  # given name
        "Q12308941",  # male given name
        "Q11879590",  # female given name
        "Q3409032",  # unisex given name
        "Q571",  # book
        "Q7725634",  # literary work
        "Q47461344",  # written work
        "Q3331189",  # version, edition or translation
        "Q13442814",  # scholarly article
        "Q8261",  # novel
        "Q5185279",  # poem
        "Q49084",  # short story
        "Q25379",  # play
        "Q1344",  # opera
        "Q11424",  # film
        "Q506240",  # television film
        "Q93204",  # documentary film
        "Q5398426",  # television series
        "Q21191270",  # television series episode
        "Q482994",  # album
        "Q208569",  # studio album
        "Q134556",  # single
        "Q7366",  # song
        "Q105543609",  # musical work
        "Q3305213",  # painting
        "Q860861",  # sculpture
        "Q125191",  # photograph
        "Q3863",  # asteroid
    }
)

# Occupations of people who write or speak in public, so that quotes of theirs are passed on.
QUOTED = frozenset(
    {
        "Q36180",  # writer
        "Q482980",  # author
        "Q6625963",  # novelist
        "Q49757",  # poet
        "Q214917",  # playwright
        "Q11774202",  # essayist
        "Q4853732",  # children's writer
        "Q18844224",  # science fiction writer
        "Q15980158",  # non-fiction writer
        "Q864380",  # biographer
        "Q1930187",  # journalist
        "Q1086863",  # columnist
        "Q8246794",  # blogger
        "Q4263842",  # literary critic
        "Q333634",  # translator
        "Q28389",  # screenwriter
        "Q2526255",  # film director
        "Q33999",  # actor
        "Q10800557",  # film actor
        "Q10798782",  # television actor
        "Q245068",  # comedian
        "Q177220",  # singer
        "Q488205",  # singer-songwriter
        "Q753110",  # songwriter
        "Q822146",  # lyricist
        "Q2252262",  # rapper
        "Q639669",  # musician
        "Q36834",  # composer
        "Q947873",  # television presenter
        "Q4964182",  # philosopher
        "Q1234713",  # theologian
        "Q201788",  # historian
        "Q188094",  # economist
        "Q212980",  # psychologist
        "Q2306091",  # sociologist
        "Q901",  # scientist
        "Q169470",  # physicist
        "Q170790",  # mathematician
        "Q82955",  # politician
        "Q15253558",  # activist
        "Q1476215",  # human rights defender
        "Q432386",  # preacher
        "Q43845",  # businessperson
        "Q131524",  # entrepreneur
    }
)


def is_person(item: Item) -> bool:
    """Return whether an item is a human being on record."""
    return PERSON in item.values(HUMAN)


def is_group(item: Item) -> bool:
    """Return whether an item is several people: a band, a company, a newspaper."""
    return not GROUPS.isdisjoint(item.values(HUMAN))


def is_silent(item: Item) -> bool:
    """Return whether an item says nothing about who bears its name: a page, a name, a work, or unclassified."""
    kinds = item.values(HUMAN)
    return not kinds or not SILENT.isdisjoint(kinds)


def is_quoted(item: Item) -> bool:
    """Return whether an item has an occupation of people whose words are passed on."""
    return not QUOTED.isdisjoint(item.values(OCCUPATION))
