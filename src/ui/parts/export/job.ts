/** The export job that both targets of the dialog need: the choice, and the samples that it is made of. */
import { formatRow } from "../../../core/tables/formats.ts";
import type { OutputFormat } from "../../../core/types.ts";
import { filterOf } from "../../../model/query/query.ts";
import { shapeKey } from "../../../model/query/shape.ts";
import { type ExportChoice, writeOptions } from "../../../model/query/written/export-choice.ts";
import { writtenShape } from "../../../model/query/written/written-shape.ts";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import type { Download, Failure, Overview, WriteRequest } from "../../../worker/api.ts";
import type { ViewProps } from "../answers/view-props.ts";

export interface ExportJob extends Pick<ViewProps, "profile" | "query"> {
  /** Of the files on the page. */
  names: string[];
  overview: Overview;
  choice: ExportChoice;
}

export interface WrittenFile {
  blob: Blob;
  /** What is in it. */
  words: string;
}

export function requestOf({ overview, profile, query, choice }: ExportJob, format: OutputFormat): WriteRequest {
  const shape = writtenShape(query.shape);
  const isShaped = shapeKey(shape) !== "" && formatRow(format).options.includes("root-by");
  return {
    profile: choice.all ? null : profile.id,
    filter: filterOf(query),
    options: {
      ...writeOptions({ ...choice, format }, profile, overview.resource),
      ...(isShaped && { shape }),
    },
    normaliseNames: choice.normaliseNames,
  };
}

/** `341 samples in 3 profiles (45.2 KiB, 12.1 KiB compressed)`. */
export function writtenWords({ profiles, observations, size, blob, invocations }: Download): string {
  if (invocations !== undefined) {
    return `${formatCounted(invocations, "invocation")} of ${formatCounted(profiles, "call")} (${formatBytes(blob.size)})`;
  }
  const packed = blob.size === size ? "" : `, ${formatBytes(blob.size)} compressed`;
  const samples = formatCounted(observations, "sample");
  return `${samples} in ${formatCounted(profiles, "profile")} (${formatBytes(size)}${packed})`;
}

/** Why nothing was written while the recording is still open, and what to do where memory was the reason. */
export function exportFailed({ code, message }: Failure): string {
  if (code !== "core.exhausted") return message;
  return (
    `The export failed: ${message}. The recording is still open. To write less, export only the profile on screen, ` +
    "filter by a span, an attribute or a range of time, or choose otlp or pprof, which take the least memory."
  );
}
