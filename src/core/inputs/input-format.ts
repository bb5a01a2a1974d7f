/** A row of the table of input formats: the properties that the core and the page need. */
export interface InputFormat {
  /** The core's reader. */
  reader: number;
  /** Prefix of its diagnostics' codes, and the folder of its reader in assembly/read/. */
  room: string;
  /** Name of the unit that is opened, read and closed separately. */
  unit: "chunk" | "message" | "block";
  /** Name of the unit in full, singular and plural, for messages that count them. */
  parts: [one: string, many: string];
  /** File endings, the usual ending first. */
  endings: readonly string[];
}
