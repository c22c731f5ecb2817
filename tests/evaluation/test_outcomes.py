"""The decision on which every figure rests: the true author, somebody else, or nobody."""

import pytest

from attribench.evaluation.outcomes import classify, explain

CORRECT, INCORRECT, NONE = "correct", "incorrect", "none"

THE_AUTHOR_IS_NAMED = {
    "plain": ("It was Derek Walcott who wrote this.", "Derek Walcott", ()),
    "markup": ("**Author:** Zadie Smith", "Zadie Smith", ()),
    "markup between the names": ("**Gwendolyn** **Brooks**", "Gwendolyn Brooks", ()),
    "fields": ("First name: Gwendolyn\nLast name: Brooks", "Gwendolyn Brooks", ()),
    "json": ('{"author": "Octavio Paz"}', "Octavio Paz", ()),
    "letters Unicode does not decompose": ("Soren Kierkegaard", "Søren Kierkegaard", ()),
    "umlauts spelled out": ("Guenter Grass", "Günter Grass", ()),
    "marks left out": ("Slavoj Zizek", "Slavoj Žižek", ()),
    "apostrophe": ("Ngugi wa Thiong'o", "Ngũgĩ wa Thiong’o", ()),
    "hyphen": ("Jean‐Jacques Rousseau", "Jean-Jacques Rousseau", ()),
    "no-break space": ("Octavio\u00a0Paz", "Octavio Paz", ()),
    "zero-width space": ("Octa\u200bvio Paz", "Octavio Paz", ()),
    "initials for names": ("P.B. Shelley", "Percy Bysshe Shelley", ()),
    "names for initials": ("David Herbert Lawrence wrote it.", "D.H. Lawrence", ()),
    "initials run together": ("DH Lawrence", "D.H. Lawrence", ()),
    "middle name left out": ("Robin Kelley", "Robin D.G. Kelley", ()),
    "order": ("Kawabata Yasunari", "Yasunari Kawabata", ()),
    "order with a comma": ("Neruda, Pablo", "Pablo Neruda", ()),
    "order in capitals": ("AIDOO, Ama Ata: Our Sister Killjoy", "Ama Ata Aidoo", ()),
    "particle with the surname": ("General de Gaulle", "Charles de Gaulle", ()),
    "particle that is a given name": ("De Alton Saunders", "De Alton Saunders", ()),
    "particle run together": ("Ursula LeGuin", "Ursula K. Le Guin", ()),
    "suffix with a comma": ("Martin Luther King, Jr., said so.", "Martin Luther King Jr.", ()),
    "suffix left out": ("Kurt Vonnegut", "Kurt Vonnegut Jr.", ()),
    "honorific and surname": ("Dr. Okonjo-Iweala said this.", "Ngozi Okonjo-Iweala", ()),
    "surname alone": ("In exile, Lispector wrote it.", "Clarice Lispector", ()),
    "surname that is a word": ("Truth delivered this speech in Akron in 1851.", "Sojourner Truth", ()),
    "possessive": ("Hesse's Siddhartha", "Hermann Hesse", ()),
    "transliteration": ("Jelaluddin Rumi", "Jalaluddin Rumi", ()),
    "one letter off": ("Emily Dickenson", "Emily Dickinson", ()),
    "alias": ("Laozi", "Lao Tzu", ("Laozi",)),
    "lower case": ("the author is audre lorde", "Audre Lorde", ()),
    "a name in lower case": ("Bell Hooks wrote this.", "bell hooks", ()),
    "capitals": ("THE AUTHOR IS GWENDOLYN BROOKS.", "Gwendolyn Brooks", ()),
    "digits": ("This is 50 Cent.", "50 Cent", ()),
    "another script": ("この言葉は夏目漱石のものです。", "Natsume Sōseki", ("夏目漱石",)),
    "a script without capitals": ("محمود درويش", "Mahmoud Darwish", ("محمود درويش",)),
    "a script with marks": ("प्रेमचंद", "Munshi Premchand", ("प्रेमचंद",)),
    "another language": ("Según Eduardo Galeano, la utopía sirve para caminar.", "Eduardo Galeano", ()),
    "one of several": ("Either Simone Weil or Hannah Arendt.", "Hannah Arendt", ()),
    "after another's denial": ("It was not Sartre but Camus who wrote this.", "Albert Camus", ()),
    "doubted only": ("The author is not specified, but it could be Rumi.", "Rumi", ()),
    "after another's misattribution": (
        "Often misattributed to Maya Angelou; the real author is Carl W. Buehner.", "Carl W. Buehner", (),
    ),
    "beside a character": ("Jean Valjean in Victor Hugo's Les Misérables", "Victor Hugo", ()),
    "beside a ruler": ("It was composed under Joseph Stalin by Anna Akhmatova.", "Anna Akhmatova", ()),
    "title of the author's own words": ("The Collected Poems of Langston Hughes", "Langston Hughes", ()),
    "the whole answer in quotation marks": ('"The author of this quote is Toni Morrison."', "Toni Morrison", ()),
    "after the quote": ('"To be or not to be" — William Shakespeare, Hamlet', "William Shakespeare", ()),
}  # fmt: skip

SOMEBODY_ELSE_IS_NAMED = {
    "plain": ("The author is Nawal Kassab.", "Toni Cade Bambara", ()),
    "bare": ("Mohsin Hamid", "Kamila Shamsie", ()),
    "surname alone": ("This was penned by Emerson.", "Henry David Thoreau", ()),
    "same surname": ("Ryū Murakami", "Haruki Murakami", ()),
    "same given name": ("Simone Weil", "Simone de Beauvoir", ()),
    "relative": ("Rajiv Gandhi said it in 1985.", "Mahatma Gandhi", ("Gandhi",)),
    "namesake": ("Winslow Homer", "Homer", ()),
    "son": ("Alexandre Dumas fils", "Alexandre Dumas", ()),
    "father": ("Martin Luther King Sr.", "Martin Luther King Jr.", ("Martin Luther King",)),
    "the author's name begins with it": ("Martin Luther", "Martin Luther King Jr.", ()),
    "it begins with the author's name": ("Muhammad Ali Jinnah", "Muhammad Ali", ()),
    "prefix of a word": ("Plato", "Andrei Platonov", ()),
    "other initials": ("T. E. Lawrence wrote it.", "D.H. Lawrence", ()),
    "other middle initial": ("George H. W. Bush", "George W. Bush", ()),
    "author denied": ("It wasn't Nelson Mandela; it was Marianne Williamson.", "Nelson Mandela", ()),
    "lower case": ("the quote is by zadie smith", "Audre Lorde", ()),
    "lower case after by": ("It is a device used by pelumi okwanda to criticise.", "Audre Lorde", ()),
    "capitals": ("THE AUTHOR IS NIKKI GIOVANNI.", "Gwendolyn Brooks", ()),
    "digits": ("21 Savage", "Drake", ()),
    "another script": ("Лев Толстой", "Alexander Pushkin", ("Александр Пушкин",)),
    "a script without capitals": ("作者是莫言。", "Lu Xun", ("鲁迅",)),
    "denied in Japanese": ("太宰治ではなく、川端康成の言葉です。", "Osamu Dazai", ("太宰治",)),
    "holds common words": ("Grace Stone", "Toni Morrison", ()),
    "king and president": ("President Kennedy", "Harry S. Truman", ()),
    "list": ("1. Simone Weil\n2. Hannah Arendt", "Rosa Luxemburg", ()),
    "credited with it": ("We owe this line to Peter Vance.", "Lena Okafor", ()),
    "author of an edition": ("It was popularized by Peter Vance, who wrote it in 1960.", "Lena Okafor", ()),
    "way to put it": ("As Peter Vance once put it, nothing is lost.", "Lena Okafor", ()),
    "who may be the author": ("It is read by Peter Vance, its author.", "Lena Okafor", ()),
    "surname and its work": ("Adorno, in *Minima Moralia*.", "Walter Benjamin", ()),
}

NOBODY_IS_NAMED = {
    "unknown": ("The author of this quote is unknown.", "Lao Tzu", ()),
    "title case": ("Author Unknown, Internet Meme", "Lao Tzu", ()),
    "self": ("I'm Claude, an AI assistant made by Anthropic.", "Lao Tzu", ()),
    "role": ("A Former US President", "Jimmy Carter", ()),
    "epithet": ("The Father of Modern Physics", "Albert Einstein", ()),
    "denied": ("This isn't by Oscar Wilde.", "Oscar Wilde", ()),
    "denied after": ("Mark Twain never wrote this.", "Mark Twain", ()),
    "denied twice": ("Neither Gandhi nor Mandela said this.", "Nelson Mandela", ()),
    "misattributed": ("The quote is often incorrectly attributed to Benjamin Franklin.", "Benjamin Franklin", ()),
    "ruler": ("It was written during the presidency of Ronald Reagan.", "Audre Lorde", ()),
    "ruler with under": ("It was composed under Stalin.", "Anna Akhmatova", ()),
    "a ruler's country": ("Thatcher's Britain is the setting.", "Hanif Kureishi", ()),
    "addressee": ("A letter addressed to Milena Jesenská.", "Franz Kafka", ()),
    "translator": ("Translated from the Russian by Constance Garnett.", "Anton Chekhov", ()),
    "influence": ("Influenced by Karl Marx, the passage attacks colonial rule.", "Frantz Fanon", ()),
    "subject, the author": ("The words appear in a eulogy for Medgar Evers.", "Medgar Evers", ()),
    "two subjects": ("It was prompted by the killing of Amadou Diallo and Sean Bell.", "Claudia Rankine", ()),
    "character": ("Hermione Granger", "J.K. Rowling", ()),
    "character by the sentence": ("The character Kiran Mehta says this to his brother.", "Jhumpa Lahiri", ()),
    "title": ("Things Fall Apart", "Chinua Achebe", ()),
    "title that is a name": ("It is from *David Copperfield*.", "Charles Dickens", ()),
    "title after its kind": ("From the film Malcolm X (1992).", "Spike Lee", ()),
    "scripture": ("Ecclesiastes 3:1", "Pete Seeger", ()),
    "period": ("The Civil War and Reconstruction form the background.", "Frederick Douglass", ()),
    "movement": ("It reflects the Black Arts Movement in Chicago.", "Gwendolyn Brooks", ()),
    "institution": ("A speech at Howard University in Washington, D.C.", "Lyndon B. Johnson", ()),
    "place named after the author": ("It hangs in the Rosa Parks Museum.", "Rosa Parks", ()),
    "prize": ("He won the James Beard Award.", "Anthony Bourdain", ()),
    "band": ("The Rolling Stones sang it.", "Bob Dylan", ()),
    "newspaper": ("Published in the New York Times in May 1963.", "James Baldwin", ()),
    "place": ("She was born in St. Louis, Missouri.", "Maya Angelou", ()),
    "sentence starts": ("Love. Courage. Freedom.", "Maya Angelou", ()),
    "a surname that is a word": ("Truth is what matters, the passage says.", "Sojourner Truth", ()),
    "a surname that is a direction": ("The West is in decline, the passage argues.", "Cornel West", ()),
    "empty": ("", "Audre Lorde", ()),
    "acted on": ("It was written to defend Peter Vance.", "Lena Okafor", ()),
    "acted on by a work": ("The pamphlet provoked Peter Vance.", "Lena Okafor", ()),
    "deed of a bystander": ("Peter Vance set the poem to music.", "Lena Okafor", ()),
    "past perfect": ("Peter Vance had left her a few months earlier.", "Lena Okafor", ()),
    "done by another": ("The tribunal was set up by General Peter Vance.", "Lena Okafor", ()),
    "of a plot": ("In chapter three, Peter Vance realizes that he is alone.", "Lena Okafor", ()),
    "narrator": ("Esperanza, the young narrator, describes her name.", "Lena Okafor", ()),
    "other trade": ("Translator: Peter Vance", "Lena Okafor", ()),
    "doubted": ("I doubt that Lena Okafor wrote this.", "Lena Okafor", ()),
    "ruled out": ("Lena Okafor can be ruled out.", "Lena Okafor", ()),
    "answered with no": ("Lena Okafor? No.", "Lena Okafor", ()),
    "claim called a myth": ("The claim that Lena Okafor said it is a myth.", "Lena Okafor", ()),
}


@pytest.mark.parametrize(("output", "author", "aliases"), THE_AUTHOR_IS_NAMED.values(), ids=THE_AUTHOR_IS_NAMED)
def test_true_author_is_recognised(output: str, author: str, aliases: tuple[str, ...]) -> None:
    assert classify(output, author, aliases) == CORRECT


@pytest.mark.parametrize(("output", "author", "aliases"), SOMEBODY_ELSE_IS_NAMED.values(), ids=SOMEBODY_ELSE_IS_NAMED)
def test_somebody_else_is_recognised(output: str, author: str, aliases: tuple[str, ...]) -> None:
    assert classify(output, author, aliases) == INCORRECT


@pytest.mark.parametrize(("output", "author", "aliases"), NOBODY_IS_NAMED.values(), ids=NOBODY_IS_NAMED)
def test_what_is_no_mention_is_passed_over(output: str, author: str, aliases: tuple[str, ...]) -> None:
    assert classify(output, author, aliases) == NONE


def test_name_inside_the_repeated_quote_is_no_mention() -> None:
    quote = "Marcus Garvey would ask why"
    assert classify("Marcus Garvey would ask why, the line says.", "Marcus Garvey", quote=quote) == NONE
    assert classify('"I love Jane Austen" was said by Fay Weldon.', "Fay Weldon", quote="I love Jane Austen") == CORRECT


def test_title_with_another_authors_name_is_no_mention() -> None:
    assert classify("The Autobiography of Benjamin Franklin", "Benjamin Franklin") == CORRECT
    assert classify("It is from *The Autobiography of Benjamin Franklin*.", "Thomas Paine") == NONE


def test_explanation_tells_names_places_and_rules() -> None:
    output = "Not Victor Hugo but Ama Ata Aidoo, during the presidency of Jerry Rawlings."
    found = explain(output, "Ama Ata Aidoo")
    assert found.outcome == CORRECT
    assert [(m.text, m.is_author, m.rule) for m in found.mentions] == [("Ama Ata Aidoo", True, "name")]
    assert [(m.text, m.rule) for m in found.passed_over] == [("Victor Hugo", "denied"), ("Jerry Rawlings", "setting")]
    assert all(output[m.start : m.end] == m.text for m in found.mentions + found.passed_over)


def test_places_hold_in_text_that_is_not_ascii() -> None:
    output = "«Olvido»\u00a0— según **José Emilio Pacheco**…"
    (mention,) = explain(output, "José Emilio Pacheco").mentions
    assert output[mention.start : mention.end] == mention.text == "José Emilio Pacheco"


@pytest.mark.parametrize("initials", ["w.e.b.", "W.E.B.", "W. E. B.", "WEB", "Web", "w. e. b."])
def test_case_of_initials_makes_no_difference(initials: str) -> None:
    assert classify(f"The author is {initials} Du Bois.", "W.E.B. Du Bois") == CORRECT


def test_same_input_gives_the_same_explanation() -> None:
    output = "Perhaps Simone Weil, translated by Emma Craufurd."
    assert explain(output, "Simone Weil") == explain(output, "Simone Weil")
    assert explain(output, "Simone Weil").outcome == classify(output, "Simone Weil")


def test_order_of_aliases_makes_no_difference() -> None:
    aliases = ("Samuel Clemens", "Sam Clemens", "S. L. Clemens")
    for output in ("Samuel Clemens", "S. L. Clemens", "Clemens Samuel"):
        assert classify(output, "Mark Twain", aliases) == classify(output, "Mark Twain", aliases[::-1]) == CORRECT
