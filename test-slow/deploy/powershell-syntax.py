# Prints where a script for PowerShell has a mistake in its syntax, and then ends with 1.
import sys

import tree_sitter
import tree_sitter_powershell

parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_powershell.language()))


def mistakes(node):
    if node.is_error or node.is_missing:
        yield f"line {node.start_point.row + 1}: {node.text.decode()[:80]!r}"
    for child in node.children:
        if child.has_error or child.is_missing:
            yield from mistakes(child)


with open(sys.argv[1], "rb") as script:
    sys.exit("\n".join(mistakes(parser.parse(script.read()).root_node)) or None)
