"""docs/architecture.md shows the phases as the code has them."""

from pathlib import Path

from sorry_lan.table.phases import diagram

ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"


def test_the_diagram_of_the_phases_is_that_of_the_code() -> None:
    _, block, _ = (
        ARCHITECTURE.read_text(encoding="utf-8").replace("<!-- /phases -->", "<!-- phases -->").split("<!-- phases -->")
    )
    assert block == f"\n```mermaid\n{diagram()}```\n"
