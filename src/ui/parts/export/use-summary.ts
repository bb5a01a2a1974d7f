/** What an export will hold, before it is written: samples and profiles, and for few samples the size of the file. */
import { useEffect, useState } from "react";
import { filterKey, filterOf } from "../../../model/query/query.ts";
import { subjectOf } from "../../../model/query/subject.ts";
import { subjectName } from "../../../model/recording/page-title.ts";
import { formatBytes, formatCounted } from "../../../model/words/format.ts";
import { isShown } from "../../../model/words/shown-formats.ts";
import { visible } from "../../../model/words/text.ts";
import { viewer } from "../../../worker/client.ts";
import type { Outlined } from "../selection/use-outline.ts";
import { type ExportJob, requestOf } from "./job.ts";

/** Up to this number, samples are written at once, to show the exact size instead of an estimate. */
const MOST_TRIED = 20_000;
/** A choice is often followed by another. */
const AFTER_MS = 250;

/** `12 samples in 3 profiles of POST /checkout, ≈ 11 KiB`; "" while it is not known. */
export function useSummary(job: ExportJob, outlined: Outlined | null, open: boolean): string {
  const { profile, query, choice, overview } = job;
  const { rawNames: _, ...filter } = filterOf(query);
  const isFiltered = Object.keys(filter).length > 0;
  const isKnown = !isFiltered || (outlined !== null && filterKey(outlined.filter) === filterKey(filter));
  const outline = isFiltered && isKnown ? (outlined?.outline ?? null) : null;
  const all =
    outline?.split.map(({ profile: id, totals }) => ({ id, samples: totals.samples })) ??
    overview.profiles.map(({ id, samples }) => ({ id, samples }));
  const written = all.filter(({ id, samples }) => samples > 0 && (choice.all || id === profile.id));
  const samples = written.reduce((sum, each) => sum + each.samples, 0);
  const size = useSize(job, open && isKnown && samples <= MOST_TRIED);
  if (!isKnown) return "";
  const subject = subjectOf(query);
  const of = subject === null ? "" : ` of ${visible(subjectName(subject, outline), 80)}`;
  const profiles = choice.all ? ` in ${formatCounted(written.length, "profile")}` : "";
  return `${formatCounted(samples, "sample")}${profiles}${of}${size === null ? "" : `, ≈\u00a0${formatBytes(size).replace(" ", "\u00a0")}`}`;
}

/** Bytes of the file, written and thrown away; null while they are not known, and for files of a drawing. */
function useSize(job: ExportJob, wanted: boolean): number | null {
  const [known, setKnown] = useState<{ key: string; size: number } | null>(null);
  const { choice, profile, query } = job;
  const { withRecordings: _, ...written } = choice;
  const key = JSON.stringify([written, profile.id, profile.measure, filterKey(filterOf(query))]);
  const format = isShown(choice.format) || choice.withRecordings ? null : choice.format;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the job
  useEffect(() => {
    if (!wanted || format === null) return;
    let isWanted = true;
    const timer = setTimeout(async () => {
      const answer = await viewer.download({ ...requestOf(job, format), gzip: choice.gzip, withRecordings: false });
      if (isWanted && answer.ok) setKnown({ key, size: answer.value.blob.size });
    }, AFTER_MS);
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [key, wanted, format]);
  return wanted && format !== null && known?.key === key ? known.size : null;
}
