"""Exits with 1 unless two Python programs have the same syntax and the second one has no comment."""

import ast
import sys
import tokenize


def main():
    """Compare the files at the two paths."""
    original, stripped = sys.argv[1], sys.argv[2]
    trees = []
    for path in (original, stripped):
        with open(path, encoding="utf-8") as file:
            trees.append(ast.dump(ast.parse(file.read())))
    if trees[0] != trees[1]:
        sys.exit("the syntax differs")
    with open(stripped, "rb") as file:
        comments = [t for t in tokenize.tokenize(file.readline) if t.type == tokenize.COMMENT and t.start[0] > 1]
    if comments:
        sys.exit(f"a comment is left: {comments[0].string}")


main()
