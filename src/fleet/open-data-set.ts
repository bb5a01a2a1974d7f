/** `spanflame open DIR`: rows of a data set in the viewer, as a message in a temporary file. */
import { join } from "node:path";
import { formatCounted } from "../model/words/format.ts";
import { Folder } from "../node/disk.ts";
import { ExitCode, UsageError } from "../node/exit.ts";
import { replacing } from "../node/replacement.ts";
import { note, say } from "../node/terminal.ts";
import type { Call, CallOf, VIEW } from "../node/usage/commands.ts";
import { writeAll } from "../node/write-all.ts";
import { localFiles } from "./data-set-files.ts";
import { checkDataSet, sayRegistered } from "./query.ts";
import { wantedBy } from "./query-answers.ts";
import { selectSamples } from "./tables/select.ts";

/** `serve` opens the viewer, which is above this room. */
export async function open(
  { inputs, values }: CallOf<"open">,
  serve: (call: Call<typeof VIEW>) => Promise<ExitCode>,
): Promise<ExitCode> {
  const [dir = ""] = inputs;
  checkSelection(values);
  const wanted = await wantedBy(values);
  checkDataSet(dir);
  sayRegistered(dir);
  const { message, samples, spans, damaged, unchecked } = await selectSamples(localFiles(dir, wanted), wanted);
  for (const text of damaged) say(`spanflame: ${join(dir, text)}`);
  noteUnchecked(unchecked);
  if (samples === 0) {
    say(`spanflame: ${dir} has no samples of this selection`);
    return ExitCode.Failed;
  }
  note(`${formatCounted(samples, "sample")} of ${dir}`);
  if (values.output !== undefined) {
    const output = values.output;
    await replacing((files) => {
      const { file, name, close } = files.open(output);
      writeAll(file, message, name);
      close();
    });
    return damaged.length > 0 ? ExitCode.Partly : ExitCode.Done;
  }
  const folder = Folder.temporary("spanflame-open-");
  try {
    const name = nameOf(values);
    folder.write(`${name}.pb`, message);
    const inputs = [folder.at(`${name}.pb`)];
    if (spans !== null) {
      folder.write(`${name}.trace.pb`, spans);
      inputs.push(folder.at(`${name}.trace.pb`));
    }
    return await serve({ inputs, values: { port: values.port, "no-open": values["no-open"] } });
  } finally {
    folder.removeAll();
  }
}

/** Damage in these parts may have been read as data. */
export function noteUnchecked(parts: number): void {
  if (parts > 0)
    note(`${formatCounted(parts, "part")} without checksums, written by an earlier version or another program`);
}

function nameOf({ "trace-id": trace, "local-root": root, endpoint }: CallOf<"open">["values"]): string {
  return (trace ?? root ?? endpoint ?? "samples").replaceAll(/[^\w-]+/g, "_").slice(0, 80) || "samples";
}

function checkSelection(values: CallOf<"open">["values"]): void {
  const { "trace-id": trace, "local-root": root, endpoint, since, until } = values;
  if (trace !== undefined && root !== undefined) throw new UsageError("--trace-id and --local-root exclude each other");
  if ([trace, root, endpoint, since, until].every((each) => each === undefined)) {
    throw new UsageError("open needs --trace-id ID, --local-root ID, --endpoint E, --since T or --until T");
  }
}
