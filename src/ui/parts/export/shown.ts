/** The report and the pictures of the current view. Loaded when first asked for. */
import { nativeWords } from "../../../model/recording/native-words.ts";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { usually } from "../../../model/words/measure.ts";
import { type ShownFormat, shownRow } from "../../../model/words/shown-formats.ts";
import { type Ask, callsOf, pictureOf, reportOf, type ShownJob } from "../../../report/shown.ts";
import { libraryRows, nativeCounts } from "../../../symbols/library-rows.ts";
import type { Failure, Result } from "../../../worker/api.ts";
import { viewer } from "../../../worker/client.ts";
import { symbolState } from "../answers/symbol-store.ts";
import type { ExportJob, WrittenFile } from "./job.ts";
import { pngOf } from "./png.ts";

export async function shownFile(job: ExportJob, format: ShownFormat): Promise<Result<WrittenFile>> {
  try {
    return { ok: true, value: await (format === "html" ? reportFile(job) : pictureFile(job, format)) };
  } catch (error) {
    if (error instanceof Unanswered) return { ok: false, error: error.failure };
    throw error;
  }
}

/** Of the profile on screen, or of every profile that has samples of the selection. */
async function reportFile(job: ExportJob): Promise<WrittenFile> {
  const { profile, choice, overview } = job;
  const others = choice.all ? overview.profiles.filter(({ id }) => id !== profile.id) : [];
  const shownJob = { ...job, ...beside(job), profiles: [profile, ...others.map(usually)] } as const;
  const { parts, samples, frames } = await reportOf(ask, shownJob, new Date());
  const blob = new Blob(await inTurns(parts), { type: shownRow("html")?.mediaType ?? "" });
  return written(blob, `${samplesWords(samples, job)}${formatCounted(frames, "frame")}`);
}

async function pictureFile(job: ExportJob, format: "svg" | "png"): Promise<WrittenFile> {
  const picture = await pictureOf(ask, { ...job, ...beside(job), profiles: [job.profile] }, job.choice.dark);
  const drawn = `${samplesWords(picture.samples, job)}${formatCounted(picture.frames, "frame")}`;
  const parts = await inTurns(picture.parts);
  if (format === "svg") return written(new Blob(parts, { type: shownRow(format)?.mediaType ?? "" }), drawn);
  const { blob, width, height } = await pngOf(parts.join(""), picture);
  return written(blob, `${drawn}, ${width} × ${height} pixels`);
}

/** `175 samples, `; "" for calls of dumps, whose values are measured. */
function samplesWords(samples: number, { profile }: ExportJob): string {
  return profile.exact ? "" : `${formatCounted(samples, "sample")}, `;
}

/** What the page does meanwhile is not to wait for longer than this. */
const TURN_MS = 12;

async function inTurns(parts: Iterable<string>): Promise<string[]> {
  const all: string[] = [];
  let since = performance.now();
  for (const part of parts) {
    all.push(part);
    if (performance.now() - since < TURN_MS) continue;
    await new Promise((resolve) => setTimeout(resolve));
    since = performance.now();
  }
  return all;
}

function written(blob: Blob, words: string): WrittenFile {
  return { blob, words: `${words}, ${formatBytes(blob.size)}` };
}

/** The failure of a question. */
class Unanswered extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Asks the worker. Throws Unanswered. */
const ask: Ask = async (name, ...given) => {
  type Asking = (...given: unknown[]) => Promise<Result<never>>;
  const result = await (viewer as unknown as Record<string, Asking>)[name]!(...given);
  if (!result.ok) throw new Unanswered(result.error);
  return result.value;
};

function beside({ overview }: ExportJob): Pick<ShownJob, "calls" | "native"> {
  return {
    native: () => {
      const { native, names, files } = symbolState();
      return native === null ? "" : nativeWords(nativeCounts(libraryRows(native.libraries, names, files)));
    },
    calls: async (filter) => (overview.calls === null ? null : callsOf(ask, filter)),
  };
}
