"""Products in formulas as people write them: `ab`, `2a(b + c)`.

Which letters are symbols depends on the task, so these are read after `autograder.judging.typed`.
"""

import re
from collections.abc import Collection, Iterable

from autograder.answers.values import UnsupportedAnswerError

NAME_PATTERN = re.compile(r"(?<![\w.])[^\W\d]\w*")
SPACE_IN_PRODUCT = re.compile(r"(?<=[\w)])[ \t]+(?=[^\W\d]|\()")
LAST_WORD = re.compile(r"(?<![\w.])[^\W\d]\w*$")
DIVISOR = re.compile(r"/[ \t]*[\w.]+$")  # a/2 b can be read in two ways
FRACTION = re.compile(r"(?<![\w.)\]*^])[0-9]+[ \t]*/[ \t]*[0-9]+$")  # 2/9 b cannot
CONDITIONS = frozenset({"and", "or", "not", "if", "else", "for", "in", "is", "lambda"})
GREEK = {
    **{"α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "eps", "θ": "theta", "κ": "kappa"},
    **{"λ": "lam", "μ": "mu", "ρ": "rho", "σ": "sigma", "τ": "tau", "φ": "phi", "ω": "omega"},
}
POWER_BEFORE_BRACKET = re.compile(  # sin²(t), sin^2(t)
    r"(?<![\w.])((?:sinh|cosh|tanh|sin|cos|tan))[ \t]*(²|³|(?:\^|\*\*)[ \t]*[0-9])[ \t]*\("
)
BELOW_A_BAR = "{text!r} can be read in two ways; write brackets below the fraction bar, as in 1/(a*b)"


def with_powers_last(text: str) -> str:
    """Write the power of a function behind its bracket: cos²(t) is cos(t)²."""
    powers = {match.end() - 1: match for match in POWER_BEFORE_BRACKET.finditer(text)}
    if not powers:
        return text
    pieces, done, open_ = list[str](), 0, list[str]()
    for place, sign in enumerate(text):
        if sign == "(":
            match = powers.get(place)
            if match is not None:
                pieces += [text[done : match.end(1)], sign]
                done = place + 1
            open_.append(match[2] if match is not None else "")
        elif sign == ")" and open_ and (power := open_.pop()):
            pieces += [text[done : place + 1], power]
            done = place + 1
    return "".join([*pieces, text[done:]])


def with_spaced_products(text: str, known: Collection[str]) -> str:
    """Write `*` for a space between factors, as in p² (1 − m).

    This applies only if the text has a symbol, that is, a word which is not `known`. Numbers side by side are a list.
    """
    if all(word in known for word in NAME_PATTERN.findall(text)):
        return text

    def spell(match: re.Match[str]) -> str:
        before, after = (LAST_WORD.search(text, 0, match.start()), NAME_PATTERN.match(text, match.end()))
        is_condition = after is not None and after[0] in CONDITIONS
        is_call = before is not None and before[0] in known and text[match.end()] == "("
        is_word = before is not None and before[0] in CONDITIONS
        if is_condition or is_call or is_word:
            return match[0]
        divisor = DIVISOR.search(text, 0, match.start())
        if divisor is not None and not FRACTION.search(text, 0, match.start()):
            raise UnsupportedAnswerError(
                BELOW_A_BAR.format(text=text[divisor.start() : match.end() + 1][:40])
            )
        return "*"

    return SPACE_IN_PRODUCT.sub(spell, text)


def with_products(source: str, symbols: Collection[str], known: Collection[str]) -> str:
    """Write `*` between symbols side by side, and before a bracket.

    `known` names functions and constants, which are left alone.
    """

    def spell(match: re.Match[str]) -> str:
        word, before = match[0], source[: match.start()].rstrip()
        factors = _factors(word, symbols, known)
        is_before_bracket = factors[-1] in symbols and source[match.end() :].lstrip().startswith("(")
        if before.endswith("/") and (len(factors) > 1 or is_before_bracket):
            raise UnsupportedAnswerError(BELOW_A_BAR.format(text=source[match.start() - 1 : match.end() + 1]))
        return "*".join(factors) + ("*" if is_before_bracket else "")

    return NAME_PATTERN.sub(spell, source)


def _factors(word: str, symbols: Collection[str], known: Iterable[str]) -> list[str]:
    """Return the symbols of which a word is made, else the word.

    Each symbol may occur once.
    """
    if word in symbols or word in known:
        return [word]
    letters = [letter if letter in symbols else GREEK.get(letter, letter) for letter in word]
    is_product = len(set(letters)) == len(letters) and all(letter in symbols for letter in letters)
    return letters if is_product else [word]
