/** Refuses a name of a profile type that no recording may have, before recordings are read. */
import { PROFILES } from "../core/catalogue.ts";
import { inputKind } from "../input/input-kind.ts";
import { UsageError } from "./exit.ts";
import type { NamedInput } from "./inputs.ts";
import { openInput } from "./node-source.ts";
import { didYouMean } from "./usage/suggest.ts";

/** Throws UsageError, unless an input is no recording: messages name their types themselves. */
export async function refuseUnknownType(type: string, inputs: readonly NamedInput[]): Promise<void> {
  if (inputs.length === 0) return;
  for (const input of inputs) if (!(await isRecording(input))) return;
  const known = [...new Set(PROFILES.map((profile) => profile.type))];
  const words = `there is no profile type ${JSON.stringify(type)}; recordings have ${known.join(", ")}`;
  throw new UsageError(`--type: ${words}${didYouMean(type, known)}`);
}

/** Pipes are read once, so their format is not known before. */
async function isRecording({ path, fault, dump }: NamedInput): Promise<boolean> {
  if (path === "-" || fault !== undefined || dump !== undefined) return false;
  try {
    const input = await openInput(path);
    try {
      return !input.isPipe && (await inputKind(input.source)).kind === "jfr";
    } finally {
      await input.close();
    }
  } catch {
    // Reading it says why.
    return false;
  }
}
