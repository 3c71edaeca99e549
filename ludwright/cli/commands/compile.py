"""`ludwright compile FILE`: the canonical GameDef, or the schema it follows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from ludwright.cli.shared.loading import load_game
from ludwright.cli.shared.output import Failure, UsageFailure
from ludwright.files import write_whole


def run(file: str | None, output: Path | None, schema: bool, parameters: Sequence[str]) -> None:
    if schema:
        from ludwright.language.canonical import json_schema

        text = json.dumps(json_schema(), indent=1, ensure_ascii=False)
    elif file is None:
        raise UsageFailure("which rulebook? write `ludwright compile FILE`, or `--schema`")
    else:
        text = load_game(file, parameters).gamedef_json.decode("utf-8")
    if output is None:
        print(text)
        return
    try:
        write_whole(output, text + "\n")
    except OSError as error:
        raise Failure(f"{output} can't be written: {error.strerror or error}") from None
