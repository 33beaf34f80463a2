"""The structure of QTI, written from its specifications: which elements may stand where, in which order.

Only what the export uses is listed, so an unknown element is an error. The files were also compared with the published
XML Schema of QTI 2.1 and DTD of QTI 1.2.1 when the export was written; those are not ours to publish.
"""

import re
from xml.etree import ElementTree

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
EXPRESSION = (
    "variable|baseValue|and|gte|lte|sum|product|divide|subtract|min|max|match|member|correct|multiple"
)
QTI21 = {  # element → (pattern of its children, attributes that it must have)
    "assessmentItem": (
        "(responseDeclaration )*(outcomeDeclaration )*itemBody responseProcessing (modalFeedback )*",
        "identifier title adaptive timeDependent",
    ),
    "responseDeclaration": ("correctResponse ", "identifier cardinality baseType"),
    "outcomeDeclaration": ("(defaultValue )?", "identifier cardinality baseType"),
    "correctResponse": ("(value )+", ""),
    "defaultValue": ("value ", ""),
    "value": ("", ""),
    "itemBody": ("div (choiceInteraction )?", ""),
    "choiceInteraction": ("(simpleChoice )+", "responseIdentifier maxChoices shuffle"),
    "simpleChoice": ("div ", "identifier"),
    "correct": ("", "identifier"),
    "img": ("", "src alt"),
    "modalFeedback": ("div ", "outcomeIdentifier identifier showHide"),
    "responseProcessing": ("(responseCondition )+", ""),
    "responseCondition": ("responseIf (responseElseIf )*(responseElse )?", ""),
    "responseIf": (f"({EXPRESSION}) (setOutcomeValue )*", ""),
    "responseElseIf": (f"({EXPRESSION}) (setOutcomeValue )*", ""),
    "responseElse": ("((setOutcomeValue|responseCondition) )*", ""),
    "setOutcomeValue": (f"({EXPRESSION}) ", "identifier"),
    **dict.fromkeys(("and", "sum", "product", "min", "max", "multiple"), (f"(({EXPRESSION}) )+", "")),
    **dict.fromkeys(("gte", "lte", "divide", "subtract", "match", "member"), (f"(({EXPRESSION}) ){{2}}", "")),
    "variable": ("", "identifier"),
    "baseValue": ("", "baseType"),
    "textEntryInteraction": ("", "responseIdentifier"),
    "assessmentTest": ("testPart ", "identifier title"),
    "testPart": ("(assessmentSection )+", "identifier navigationMode submissionMode"),
    "assessmentSection": ("selection (assessmentItemRef )+", "identifier title visible"),
    "selection": ("", "select"),
    "assessmentItemRef": ("", "identifier href"),
    **dict.fromkeys(
        ("div", "p", "ol", "ul", "li", "span", "b", "em", "strong", "code", "a", "br", "pre"),
        ("((p|ol|ul|li|span|b|em|strong|code|a|br|pre|img|div|math|textEntryInteraction) )*", ""),
    ),
}
QTI12 = {
    "questestinterop": ("assessment ", ""),
    "assessment": ("section ", "ident"),
    "section": ("(item )+", "ident"),
    "item": ("itemmetadata presentation resprocessing (itemfeedback )*", "ident"),
    "itemmetadata": ("qtimetadata ", ""),
    "qtimetadata": ("(qtimetadatafield )+", ""),
    "qtimetadatafield": ("fieldlabel fieldentry ", ""),
    **dict.fromkeys(("fieldlabel", "fieldentry", "other"), ("", "")),
    "presentation": ("material (response_str|response_lid) ", ""),
    "material": ("mattext ", ""),
    "mattext": ("", "texttype"),
    "response_str": ("render_fib ", "ident"),
    "render_fib": ("response_label ", ""),
    "response_lid": ("render_choice ", "ident"),
    "render_choice": ("(response_label )+", ""),
    "response_label": ("(material )?", "ident"),
    "resprocessing": ("outcomes (respcondition )+", ""),
    "outcomes": ("decvar ", ""),
    "decvar": ("", "varname"),
    "respcondition": ("conditionvar (setvar )*(displayfeedback )*", ""),
    "conditionvar": ("(and|or|other|varequal) ", ""),
    "not": ("varequal ", ""),
    **dict.fromkeys(("and", "or"), ("((and|not|varequal|vargte|varlte) )+", "")),
    **dict.fromkeys(("varequal", "vargte", "varlte"), ("", "respident")),
    "setvar": ("", "varname"),
    "displayfeedback": ("", "linkrefid"),
    "itemfeedback": ("flow_mat ", "ident"),
    "flow_mat": ("material ", ""),
}
MANIFEST = {
    "manifest": ("metadata organizations resources ", "identifier"),
    "metadata": ("schema schemaversion ", ""),
    **dict.fromkeys(("schema", "schemaversion", "organizations"), ("", "")),
    "resources": ("(resource )+", ""),
    "resource": ("file (dependency )*", "identifier type href"),
    "file": ("", "href"),
    "dependency": ("", "identifierref"),
}


def faults(document: bytes) -> list[str]:
    """Everything in a document that the specification forbids."""
    root = ElementTree.fromstring(document)
    name = root.tag.rpartition("}")[2]
    table = {"questestinterop": QTI12, "manifest": MANIFEST}.get(name, QTI21)
    space = root.tag.rpartition("}")[0] + "}"
    return [*_faults_in(root, table, space), *_repeated(root), *_unresolved(root)]


def _faults_in(element, table, space):
    name = element.tag.removeprefix(space)
    if element.tag.endswith("MathML}math"):
        return
    if name not in table:
        yield f"{name} is unknown"
        return
    pattern, attributes = table[name]
    children = "".join(child.tag.rpartition("}")[2] + " " for child in element)
    if not re.fullmatch(pattern, children):
        yield f"{name} holds {children}"
    for attribute in attributes.split():
        if not element.get(attribute):
            yield f"{name} needs {attribute}"
    for child in element:
        yield from _faults_in(child, table, space)


def _repeated(root):
    """Yield identifiers that are no names, or occur twice among the children of an element."""
    for element in root.iter():
        names = [child.get("ident") or child.get("identifier") for child in element]
        declared = [
            name
            for name, child in zip(names, element, strict=True)
            if name and child.tag.rpartition("}")[2] not in ("variable", "setOutcomeValue")
        ]
        yield from (f"{name} is no identifier" for name in declared if not IDENTIFIER.fullmatch(name))
        yield from (f"{name} occurs twice" for name in set(declared) if declared.count(name) > 1)


def _unresolved(root):
    """Yield references to variables and feedback that are not there."""
    declared = {element.get("identifier") for element in root.iter() if element.tag.endswith("Declaration")}
    for element in root.iter():
        name = element.tag.rpartition("}")[2]
        used = element.get("responseIdentifier") or (
            element.get("identifier") if name in ("variable", "correct", "setOutcomeValue") else None
        )
        if used and used not in declared:
            yield f"{used} is not declared"
    for item in root.iter():
        if item.tag.endswith("}item"):
            there = {element.get("ident") for element in item if element.tag.endswith("itemfeedback")}
            shown = {e.get("linkrefid") for e in item.iter() if e.tag.endswith("displayfeedback")}
            yield from (f"no feedback {name}" for name in shown - there - {"general_fb"})
