/** The files of a part, whose rows are read by ranges. */
import type { TableName } from "../../core/tables/data-sets.ts";
import type { Cell, RowRange } from "../parquet/cells.ts";
import { Damaged, DamagedFile } from "../parquet/damage.ts";
import { Opened } from "../parquet/file-reader.ts";
import { type DataSetFiles, groupPlaces, type Part, pathOf } from "../parquet/parts.ts";
import { tableOf } from "../parquet/schema.ts";
import type { FunctionRow } from "./rows-message.ts";

/** For more row groups, the footer of the file has fewer bytes than theirs. */
export const MOST_GROUPS = 16;

/** The other tables of a part, which are fetched while its samples are read. */
export interface Siblings {
  /** Null if the list has the places of the row groups: they are read when their rows are known. */
  stacks: Opened | null;
  recordings: Opened;
  functions: FunctionRow[];
}

export const text = (value: Cell | undefined) => (value == null ? null : String(value));

export const STACK_COLUMNS = ["frames", "lines"];

/** The files of a part. What is wrong in one of them is reported with its name. */
export class PartFiles {
  private readonly files: DataSetFiles;
  readonly part: Part;
  unchecked = false;

  constructor(files: DataSetFiles, part: Part) {
    this.files = files;
    this.part = part;
  }

  async siblings(): Promise<Siblings> {
    const columns = ["function_name", "file", "frame_type"];
    const [stacks, recordings, functions] = await Promise.all([
      this.fileOf("stacks").groups === undefined
        ? this.read("stacks", null, async (opened) => {
            opened.fetchIndexes(STACK_COLUMNS);
            return opened;
          })
        : null,
      this.read("recordings", null, async (opened) => opened),
      this.read("functions", null, async (opened) => opened.allRows(columns)),
    ]);
    return {
      stacks,
      recordings,
      functions: functions.map((row) => ({
        name: String(row.function_name),
        file: text(row.file),
        frameType: text(row.frame_type),
      })),
    };
  }

  private fileOf(table: TableName): Part {
    const { date, part: name } = this.part;
    const part = this.files.parts.find((each) => each.table === table && each.date === date && each.part === name);
    if (part === undefined) throw new Error(`the part ${name} has no file of ${table}`);
    return part;
  }

  /** `ranges`: the only rows that are asked, if they are known. */
  read<T>(table: TableName, ranges: readonly RowRange[] | null, ask: (opened: Opened) => T | Promise<T>): Promise<T> {
    const part = this.fileOf(table);
    return this.named(table, async () => {
      const source = this.files.open(part);
      const places = ranges && groupPlaces(part, ranges);
      const unpackers = this.files.unpackers ?? {};
      const opened =
        places !== null && places.length <= MOST_GROUPS
          ? await Opened.openGroups(source, tableOf(table), unpackers, places)
          : await Opened.open(source, tableOf(table), unpackers, part.footer);
      if (!opened.footer.isChecked) this.unchecked = true;
      return ask(opened);
    });
  }

  /** What `ask` finds wrong is in the file of this table. */
  async named<T>(table: TableName, ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Damaged)) throw error;
      throw new DamagedFile(pathOf({ ...this.part, table }), error);
    }
  }
}
