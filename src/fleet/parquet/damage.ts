/** What is wrong in a file of a data set, and where. The reader of the data set names the file and reads the others. */
export interface Place {
  column?: string | undefined;
  /** Byte of the file. */
  at?: number | undefined;
}

export class Damaged extends Error {
  override name = "Damaged";
  readonly what: string;
  readonly place: Place;

  constructor(what: string, place: Place = {}) {
    const { column, at } = place;
    const words = [...(column === undefined ? [] : [`column ${column}`]), ...(at === undefined ? [] : [`byte ${at}`])];
    super(words.length === 0 ? what : `${words.join(", ")}: ${what}`);
    this.what = what;
    this.place = place;
  }
}

/** The answer of `read`, whose faults are at a place unless they name one. */
export function placed<T>(place: Place, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Damaged) throw new Damaged(error.what, { ...place, ...error.place });
    throw error;
  }
}

/** The file that is damaged, too. */
export class DamagedFile extends Error {
  override name = "DamagedFile";
  constructor(path: string, cause: Damaged) {
    super(`${path}: ${cause.message}`, { cause });
  }
}

/** The selection or the source of all files is at fault, not one file: nothing is read. */
export class Refused extends Error {
  override name = "Refused";
}
