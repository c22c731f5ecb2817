"""Names in scripts without capital letters, where only the shape of the answer shows a name.

No word list covers these scripts; a short answer that is nothing but one or two words, and the few
frames in which an author is commonly named, are read as a name.
"""

import re

_CASELESS = r"\u0590-\u08ff\u0900-\u0fff\u1000-\u10ff\u1200-\u137f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
ANY = re.compile(f"[{_CASELESS}]")
_EAST = r"\u30a0-\u30ff\u3400-\u9fff\uac00-\ud7af"
_NOBODY = re.compile(
    "不明|未知|佚名|無名|无名|匿名|不详|不詳|分かりません|わかりません|不知道|無法|无法|查不到|找不到|不清楚|不确定|難以|难以|確認|确认"
    "|諺|ことわざ|谚语|미상|알 수 없|모르|불명|속담"
    "|مجهول|غير معروف|غير معلوم|مجهولة|غير محدد|لا أعرف|لا أعلم|لا أستطيع|لا يمكن|لم أتمكن|لم أجد|لم يتم|ليس لدي"
    "|تعذر|قول مأثور|حكمة|مثل "
    "|نمی‌دانم|نمی دانم|ضرب المثل|معلوم نہیں|कहावत|नहीं जानता|नहीं बता|לא יודע|לא מצאתי|פתגם|ไม่สามารถ|สุภาษิต"
    "|نامعلوم|ناشناس|अज्ञात|पता नहीं|अनाम|অজানা|לא ידוע|אנונימי|ไม่ทราบ"
)
_BARE = re.compile(rf"[\s*\"'「『(\[]*((?:[{_CASELESS}]+[・·.\s]*){{1,4}}?)[\s*\"'」』)\]。.।]*")
_FRAMES = re.compile(
    rf"(?:作者是|作者为|作者為|作者は|著者は|出自|选自|저자는|작가는|—+\s*|–\s*)(?P<a>[{_EAST}·・]{{2,12}}?)"
    rf"(?=[の的。，,《『「、]|です|であ|이다|입니다|$)"
    rf"|(?P<b>[{_EAST}·・]{{2,10}}?)(?=の[『「]|の(?:言葉|作品|名言)|的?《"
    rf"|이 쓴|의 (?:작품|시|소설|말)|が(?:書いた|述べた|言った)|(?:写|寫|所)道?的)"
    r"|(?:المؤلف هو|الكاتب هو|بقلم|للشاعر|للكاتب|الشاعر|الشاعرة|الكاتب|الكاتبة|الروائي|الروائية|الفيلسوف|المفكر|شاعر"
    r"|نوشته)"
    r"\s+(?P<c>[\u0600-\u06ff]+(?:\s+[\u0600-\u06ff]+){0,2})"
    r"|(?:लेखक|कवि)\s+(?P<d>[\u0900-\u097f]+(?:\s+[\u0900-\u097f]+){0,2}?)(?=\s+(?:हैं|है|ने)|[।.]|$)"
)


# A name that stands in an English sentence.
_IN_ENGLISH = re.compile(
    rf"(?:(?:\b(?:by|to|is|in which|Author:|It's|As|passage,)|[-—–]|^)\s*[*_]*)"
    rf"(?P<name>[{_CASELESS}]{{2,8}}(?: [{_CASELESS}]{{2,8}}){{0,2}})(?=['\s.,;:)*_]|$)(?!\s[{_CASELESS}])"
)


def caseless_name(text: str) -> tuple[int, int] | None:
    """Return where `text` names a person in a script without capitals, or None."""
    if not ANY.search(text) or _NOBODY.search(text):
        return None
    framed = _FRAMES.search(text)
    if framed:
        return framed.span(framed.lastgroup or 0)
    english = _IN_ENGLISH.search(text)
    if english:
        return english.span("name")
    bare = _BARE.fullmatch(text.strip())
    if bare and len(bare.group(1).strip()) <= 24 and len(bare.group(1).strip()) > 1:
        at = text.index(bare.group(1).strip())
        return at, at + len(bare.group(1).strip())
    return None
