"""What the code never does, whoever's input it holds: unpickle, evaluate, or build SQL of values."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_layout import MODULES, shown, trees

UNPICKLING = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "marshal", "shelve", "joblib"}
EVALUATING = {"eval", "exec", "compile", "__import__"}
EXECUTING = {"execute", "executemany", "executescript"}

SQL_OF_CONSTANTS = {
    "simulator/log/schema.py _table": "names of our own tables and columns",
    "simulator/log/schema.py _guard": "our own triggers",
    "simulator/log/chain.py _rows": "names of our own columns",
    "simulator/log/verify.py _strays": "names of our own tables",
    "simulator/log/reader.py _all": "its callers' statements, checked below",
}
"""Where a statement is put together, and of what."""

MARKUP = {
    "runs/report/plots.py draw": "a drawing; its texts are escaped by the library and a test",
    "runs/report/page.py exact": "an escaped text with our own marks",
}
"""Where text is declared to be markup."""

EVERY = [(path, tree) for path, tree in trees()]


def calls() -> Iterator[tuple[Path, str, ast.Call, ast.Module]]:
    """Yield every call with its module and the function that it stands in."""
    for path, tree in EVERY:
        for function, node in _inside(tree, ""):
            if isinstance(node, ast.Call):
                yield path, function, node, tree


def _inside(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST]]:
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
        name = child.name if named else function  # type: ignore[attr-defined]
        yield name, child
        yield from _inside(child, name)


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def test_nothing_is_unpickled() -> None:
    for path, tree in EVERY:
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            assert not UNPICKLING & {name.partition(".")[0] for name in names}, shown(path)
    for path, _, call, _ in calls():
        allowed = [each for each in call.keywords if each.arg in ("allow_pickle", "weights_only")]
        assert not allowed, shown(path)
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        from_numbers = isinstance(owner, ast.Name) and owner.id in ("np", "numpy", "torch", "yaml")
        assert not (from_numbers and _called(call) in ("load", "full_load", "unsafe_load")), shown(
            path
        )


def test_no_text_is_evaluated() -> None:
    for path, function, call, _ in calls():
        builtin = isinstance(call.func, ast.Name) and call.func.id in EVALUATING
        assert not builtin, f"{shown(path)} {function}"
        shell = [each.arg for each in call.keywords if each.arg == "shell"]
        assert not shell and _called(call) not in ("system", "popen"), f"{shown(path)} {function}"


def test_sql_is_made_of_constants_and_parameters() -> None:
    built = {
        f"{shown(path)} {function}"
        for path, function, call, tree in calls()
        if _called(call) in EXECUTING and not _is_constant(call.args[0], tree)
    }
    assert built == set(SQL_OF_CONSTANTS)


def test_what_reads_a_log_asks_with_constants_too() -> None:
    (reader,) = [tree for path, tree in EVERY if shown(path) == "simulator/log/reader.py"]
    asked = [
        call.args[0] for _, _, call, tree in calls() if tree is reader and _called(call) == "_all"
    ]
    assert len(asked) >= 8
    assert all(_is_constant(each, reader) for each in asked)


def _is_constant(node: ast.expr, tree: ast.Module) -> bool:
    """Return whether an expression is a text that stands in the module as it is."""
    if isinstance(node, ast.Constant):
        return True
    if not isinstance(node, ast.Name):
        return False
    values = [
        each.value
        for each in ast.walk(tree)
        if isinstance(each, ast.Assign) and any(_names(target, node.id) for target in each.targets)
    ]
    return bool(values) and all(isinstance(each, ast.Constant) for each in values)


def _names(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name


def test_markup_is_declared_in_two_places_only() -> None:
    declared = {
        f"{shown(path)} {function}"
        for path, function, call, _ in calls()
        if _called(call) == "Markup"
    }
    assert declared == set(MARKUP)
    for path in MODULES:
        assert "autoescape=False" not in path.read_text(encoding="utf-8"), shown(path)


@pytest.mark.parametrize(
    ("code", "constant"),
    [
        ("db.execute('SELECT 1')", True),
        ("SQL = 'SELECT ?'\ndb.execute(SQL, (1,))", True),
        ("db.execute(f'SELECT {x}')", False),
        ("db.execute('SELECT ' + x)", False),
        ("sql = 'SELECT %s' % x\ndb.execute(sql)", False),
        ("def f(sql): db.execute(sql)", False),
    ],
)
def test_the_check_of_statements_can_fail(code: str, constant: bool) -> None:
    tree = ast.parse(code)
    (call,) = [
        node for node in ast.walk(tree) if isinstance(node, ast.Call) and _called(node) in EXECUTING
    ]
    assert _is_constant(call.args[0], tree) is constant
