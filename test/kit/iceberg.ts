/** Python with pyiceberg, and the script of examples/iceberg. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type Need, need } from "./needs.ts";
import { ROOT } from "./run-cli.ts";

export const PYTHON = process.env.SPANFLAME_PYTHON ?? "python3";
export const REGISTER = join(ROOT, "examples", "iceberg", "register.py");

export const python = (...args: string[]) => spawnSync(PYTHON, args, { encoding: "utf8" });

export const ICEBERG: Need = need(
  python("-c", "import pyiceberg.catalog.sql, pyarrow").status === 0,
  "no pyiceberg in Python; pip install 'pyiceberg[pyarrow,sql-sqlite]', SPANFLAME_PYTHON names another",
);
