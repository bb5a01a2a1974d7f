"""
Takes the parts of a data set of Spanflame into Iceberg tables, partitioned by date and service.

    python register.py DATASET WAREHOUSE [NAMESPACE] [--keep DAYS] [--catalog NAME]

WAREHOUSE is a folder: the catalogue is a SQLite file in it, or the one that ~/.pyiceberg.yaml has under NAME. The
script can be run again at any time, stopped at any moment, and run twice at once: a part is taken once, by the
transaction that also notes its name in the table's properties. They keep it when Iceberg rewrites or deletes the rows.
"""

import argparse
import contextlib
import datetime
import json
import os
import re
import sys
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog import load_catalog
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.exceptions import CommitFailedException, NoSuchTableError, TableAlreadyExistsError
from pyiceberg.expressions import LessThan
from sqlalchemy.exc import DBAPIError

# Samples are taken last and dropped first, so no reader sees one without its stack. Stacks and functions are shared by
# the services of a part.
TABLES = {
    "functions": ["date"],
    "stacks": ["date"],
    "recordings": ["date", "service"],
    "spans": ["date", "service"],
    "calls": ["date", "service"],
    "samples": ["date", "service"],
}
# The property of a table with the names of the parts of a date that it ever took.
TAKEN = "spanflame.taken."
MARK = b"spanflameCRC"
# Rows of one transaction, which are in memory.
MOST_ROWS = 1 << 20


def listed(dataset):
    """Files of the parts: by table, then by date and name. The lists name one state, in which all parts are whole."""
    files = {name: {} for name in TABLES}
    for day in entries(dataset / "parts.json", "dates"):
        for part in entries(dataset / "parts" / plain(day["list"]), "parts"):
            table, date, name = (plain(part[key]) for key in ("table", "date", "part"))
            # An index (ids) only repeats the tables.
            if table in files:
                files[table][date, name] = (dataset / table / f"date={date}" / f"{name}.parquet", part["bytes"])
    return files


def entries(path, member):
    """What a list has. Its checksum is that of the text without spaces."""
    try:
        content = json.loads(path.read_text())
        if zlib.crc32(json.dumps(content[member], separators=(",", ":")).encode()) == content["crc"]:
            return content[member]
        reason = "its checksum is wrong"
    except (OSError, ValueError, KeyError) as error:
        reason = repr(error)
    remedy = "the copy is not complete, or an earlier version made it: run `spanflame export` once"
    raise SystemExit(f"{path}: {reason}: {remedy}")


def plain(name):
    """Names become paths."""
    if not re.fullmatch(r"[\w-][\w.-]*", name):
        raise SystemExit(f"{name!r} is no name of a part")
    return name


def mark(dataset, place, parts):
    """`compact` and `remove` refuse the data set from now on. The names are what `remove --registered` removes."""
    state = dataset / "_spanflame"
    state.mkdir(exist_ok=True)
    own = state / f"registered-{os.getpid()}"
    own.write_text("".join(f"{line}\n" for line in [place, *parts]))
    own.replace(state / "registered")


def unmark(dataset, place, names):
    """A run with --keep marks parts that it does not take. `remove --registered` keeps them once a run wants them."""
    marked = (dataset / "_spanflame" / "registered").read_text().split("\n")[1:-1]
    if names & set(marked):
        mark(dataset, place, [name for name in marked if name not in names])


def rows_of(path, size, date):
    """Rows of a part with the date that their folder has. Pages have checksums of the format, the footer its own."""
    if path.stat().st_size != size:
        raise ValueError(f"the list of parts has {size} bytes for it")
    check_footer(path)
    rows = pq.ParquetFile(path, page_checksum_verification=True).read()
    if set(rows["part"].to_pylist()) - {path.stem}:
        raise ValueError("it has the rows of another part")
    day = pa.repeat(pa.scalar(datetime.date.fromisoformat(date), pa.date32()), len(rows))
    rows = rows.append_column("date", day)
    return rows.cast(pa.schema([field.with_nullable(True) for field in rows.schema]))


def check_footer(path):
    """The last field of a footer is a mark and the checksum of all before. Files of earlier versions have none."""
    with path.open("rb") as file:
        file.seek(-8, os.SEEK_END)
        file.seek(-8 - int.from_bytes(file.read(4), "little"), os.SEEK_END)
        footer = file.read()[:-8]
    own = footer[-len(MARK) - 5 : -5]
    left = sum(byte == other for byte, other in zip(own, MARK))
    if left >= len(MARK) / 2 and (own != MARK or int.from_bytes(footer[-5:-1], "little") != zlib.crc32(footer[:-5])):
        raise ValueError("the checksum of the footer is wrong")


def loaded(catalog, identifier, schema=None):
    """The table, with the columns of `schema`; None if there is neither."""
    try:
        table = catalog.load_table(identifier)
    except NoSuchTableError:
        if schema is None:
            return None
        with catalog.create_table_transaction(identifier, schema) as creation:
            with creation.update_spec() as spec:
                for column in TABLES[identifier.split(".")[-1]]:
                    spec.add_identity(column)
        table = catalog.load_table(identifier)
    if table.spec().is_unpartitioned():
        raise SystemExit(f"{identifier} was not made by this script: give another namespace")
    if schema is not None and set(schema.names) - set(table.schema().column_names):
        with table.update_schema() as update:
            update.union_by_name(schema)
    # By itself pyiceberg repeats a commit after one of another run, without a look at what that one took.
    table.metadata.properties["commit.retry.num-retries"] = "0"
    return table


def made(make):
    """What another run makes at the same time is an error of an SQL catalogue. It is there then."""
    try:
        return make()
    except DBAPIError:
        return make()


def taken(table):
    """Dates and names of all parts that a table ever took."""
    if table is None:
        return set()
    pairs = [(key[len(TAKEN) :], names) for key, names in table.properties.items() if key.startswith(TAKEN)]
    return {(date, name) for date, names in pairs for name in names.split()}


def missing(catalog, identifier, files, first):
    """Names of the parts that a table does not have yet."""
    known = taken(loaded(catalog, identifier))
    return {part for date, part in files if date >= first and (date, part) not in known}


def take(catalog, identifier, files, damaged):
    """Adds the rows of new parts; gives the number of parts."""
    count = 0
    while True:
        keys, rows = new_rows(files, taken(loaded(catalog, identifier)), damaged)
        if not keys:
            return count
        with contextlib.suppress(CommitFailedException, TableAlreadyExistsError):
            table = loaded(catalog, identifier, rows.schema)
            known = taken(table)
            # Another run may have taken one since, or be faster: then all is asked again.
            if keys & known:
                continue
            with table.transaction() as transaction:
                transaction.append(rows)
                transaction.set_properties(noted(known | keys, {date for date, _ in keys}))
            count += len(keys)


def new_rows(files, known, damaged):
    """Parts that are new, as many as one transaction takes, and their rows. Parts of earlier versions lack columns."""
    keys, tables = set(), []
    for key, (path, size) in files.items():
        if key in known or key in damaged:
            continue
        if sum(map(len, tables)) >= MOST_ROWS:
            break
        try:
            tables.append(rows_of(path, size, key[0]))
            keys.add(key)
        except (OSError, ValueError) as error:
            print(f"{path}: {error}; the part is left out", file=sys.stderr)
            damaged.add(key)
    return keys, pa.concat_tables(tables, promote_options="default") if tables else None


def noted(parts, dates):
    """Properties with the parts of some dates."""
    return {TAKEN + date: " ".join(sorted(name for day, name in parts if day == date)) for date in dates}


def forget(catalog, identifier, first):
    """Deletes the rows before a date, and the names of their parts."""
    while (table := loaded(catalog, identifier)) is not None:
        names = [key for key in table.properties if key.startswith(TAKEN) and key[len(TAKEN) :] < first]
        is_old = LessThan("date", first)
        has_rows = any(table.scan(row_filter=is_old).plan_files())
        if not names and not has_rows:
            return
        with contextlib.suppress(CommitFailedException), table.transaction() as transaction:
            if has_rows:
                transaction.delete(is_old)
            transaction.remove_properties(*names)


def register(dataset, catalog, namespace, first):
    """The exit code is 3 if a part is damaged."""
    place = f"Iceberg as {namespace}"
    made(lambda: catalog.create_namespace_if_not_exists(namespace))
    # From now on the catalogue merges and removes. A merge that began before would give taken rows to new parts.
    if not (dataset / "_spanflame" / "registered").exists():
        mark(dataset, place, [])
    if list(dataset.glob("_spanflame/claims/compact-*")):
        raise SystemExit(f"{dataset} is being merged: run this again later; `spanflame export` ends what was killed")
    files, damaged = listed(dataset), set()
    for name, own in files.items():
        unmark(dataset, place, missing(catalog, f"{namespace}.{name}", own, first))
    for name in reversed(files):
        forget(catalog, f"{namespace}.{name}", first)
    for name, own in files.items():
        new = take(catalog, f"{namespace}.{name}", {key: of for key, of in own.items() if key[0] >= first}, damaged)
        print(f"{name}: {new} parts added, {len(own) - new} known")
    mark(dataset, place, sorted(name for _, name in files["recordings"].keys() - damaged))
    return 3 if damaged else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("warehouse")
    parser.add_argument("namespace", nargs="?", default="profiles")
    parser.add_argument("--catalog")
    parser.add_argument("--keep", type=int, metavar="DAYS", help="deletes the rows of dates that are older")
    args = parser.parse_args()
    if not (args.dataset / "spanflame.json").exists():
        parser.error(f"{args.dataset} is no data set")
    if args.catalog is None:
        warehouse = Path(args.warehouse).resolve()
        warehouse.mkdir(parents=True, exist_ok=True)
        uri = f"sqlite:///{warehouse}/catalog.db"
        catalog = made(lambda: SqlCatalog("spanflame", uri=uri, warehouse=warehouse.as_uri()))
    else:
        catalog = load_catalog(args.catalog, warehouse=args.warehouse)
    today = datetime.datetime.now(datetime.timezone.utc).date()
    first = datetime.date.min if args.keep is None else today - datetime.timedelta(days=args.keep)
    sys.exit(register(args.dataset, catalog, args.namespace, str(first)))
