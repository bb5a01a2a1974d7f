"""
Registers the parts of a data set of Spanflame in Iceberg tables, as they are: no file is copied or changed.

    python register.py DATASET WAREHOUSE [NAMESPACE]

WAREHOUSE is a folder: the catalogue is a SQLite file in it. Use `load_catalog("name")` for the catalogue of your
~/.pyiceberg.yaml. A second run adds the parts that came since.
"""

import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import NoSuchTableError
from pyiceberg.transforms import IdentityTransform

TABLES = ["samples", "stacks", "functions", "recordings", "spans", "calls"]


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("date=*/*.parquet"))


def register(dataset: Path, warehouse: Path, namespace: str) -> None:
    warehouse.mkdir(parents=True, exist_ok=True)
    catalog = SqlCatalog("spanflame", uri=f"sqlite:///{warehouse}/catalog.db", warehouse=f"file://{warehouse}")
    catalog.create_namespace_if_not_exists(namespace)
    for name in TABLES:
        files = files_of(dataset / name)
        if not files:
            continue
        try:
            table = catalog.load_table(f"{namespace}.{name}")
        except NoSuchTableError:
            # Parts of earlier versions have fewer columns.
            schema = pa.unify_schemas([pq.read_schema(file) for file in files])
            table = catalog.create_table(f"{namespace}.{name}", schema=schema)
        known = set(table.inspect.files()["file_path"].to_pylist()) if table.current_snapshot() else set()
        new = [f"file://{file.resolve()}" for file in files]
        new = [path for path in new if path not in known]
        if new:
            table.add_files(new)
        print(f"{name}: {len(new)} parts added, {len(known)} known")
    # From now on the catalogue merges and removes: `spanflame compact` and `remove` refuse the data set.
    (dataset / "_spanflame" / "registered").write_text(f"Iceberg as {namespace}\n")


if __name__ == "__main__":
    register(Path(sys.argv[1]), Path(sys.argv[2]).resolve(), sys.argv[3] if len(sys.argv) > 3 else "profiles")
