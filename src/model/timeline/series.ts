/** Strips of JVM measurements: which lines a strip has, its scale and its values in words. */
import type { SeriesLine, SeriesUnit } from "../../core/view-types.ts";
import { formatBytes, formatCount, formatNanos, formatPercent } from "../words/format.ts";

export interface StripRow {
  id: string;
  label: string;
  title: string;
  /** Ids of its lines (core/answers/series.ts); the last one is in front. */
  lines: { id: string; name: string }[];
}

const STRIPS: StripRow[] = [
  {
    id: "cpu",
    label: "CPU",
    title: "CPU load of the process, drawn over that of the machine (jdk.CPULoad)",
    lines: [
      { id: "cpu-machine", name: "machine" },
      { id: "cpu-process", name: "process" },
    ],
  },
  {
    id: "heap",
    label: "Heap after GC",
    title: "Used heap after each collection (jdk.GCHeapSummary)",
    lines: [{ id: "heap", name: "" }],
  },
  {
    id: "allocation",
    label: "Allocation",
    title: "Heap growth per second between two collections (jdk.GCHeapSummary)",
    lines: [{ id: "allocation", name: "" }],
  },
  {
    id: "threads",
    label: "Threads",
    title: "Live Java threads (jdk.JavaThreadStatistics)",
    lines: [{ id: "threads", name: "" }],
  },
  {
    id: "safepoints",
    label: "Safepoints",
    title: "Time to reach safepoints and time of VM operations (jdk.SafepointBegin, jdk.ExecuteVMOperation)",
    lines: [{ id: "safepoints", name: "" }],
  },
  {
    id: "throttled",
    label: "CPU throttled",
    title: "Share of time in which the container was throttled (jdk.ContainerCPUThrottling)",
    lines: [{ id: "throttled", name: "" }],
  },
];

export interface SeriesStrip extends StripRow {
  values: SeriesLine[];
  /** Value at the upper end; the lower end is 0. */
  full: number;
}

/** The strips that the lines make. */
export function stripsOf(lines: readonly SeriesLine[]): SeriesStrip[] {
  return STRIPS.flatMap((row): SeriesStrip[] => {
    const values = row.lines.flatMap(({ id }) => lines.filter((line) => line.id === id));
    if (values.length === 0) return [];
    const most = values.reduce((full, line) => Math.max(full, line.most), 0);
    // CPU load has a natural maximum, and only values far below it are drawn larger.
    return [{ ...row, values, full: row.id === "cpu" ? Math.max(1, most) : most || 1 }];
  });
}

export function seriesValue(value: number, unit: SeriesUnit): string {
  switch (unit) {
    case "share":
      return formatPercent(value, 1);
    case "bytes":
      return formatBytes(Math.round(value));
    case "bytes/s":
      return `${formatBytes(Math.round(value))}/s`;
    case "nanoseconds":
      return formatNanos(Math.round(value));
    case "count":
      return formatCount(Math.round(value));
  }
}

/** A range names its unit once: `45 – 46.6 MiB`. */
function rangeWords(from: string, to: string): string {
  if (from === to) return to;
  const unit = to.slice(to.indexOf(" "));
  return `${unit.startsWith(" ") && from.endsWith(unit) ? from.slice(0, -unit.length) : from} – ${to}`;
}

/** `17 – 23`; of a strip with several lines the most of each, the front one first: `up to 50 %, machine 100 %`. */
export function scaleWords({ values, lines }: SeriesStrip): string {
  const [front, ...behind] = values.toReversed();
  if (front === undefined) return "";
  const [least, most] = [seriesValue(front.least, front.unit), seriesValue(front.most, front.unit)];
  if (behind.length === 0) return rangeWords(least, most);
  const others = behind.map(({ id, ...of }) => `${nameOf(lines, id)} ${seriesValue(of.most, of.unit)}`);
  return [`up to ${most}`, ...others].join(", ");
}

const nameOf = (lines: StripRow["lines"], id: string) => lines.find((each) => each.id === id)?.name ?? "";

/**
 * The values at a share of the width: those of the bin, or of the last bin before it that has one, because a value
 * holds until the next is measured. A safepoint is over when it is over.
 */
export function valuesAt({ id, values, lines }: SeriesStrip, share: number): string[] {
  return values.flatMap((line) => {
    const bins = line.high.length;
    let bin = Math.min(bins - 1, Math.max(0, Math.floor(share * bins)));
    if (id !== "safepoints") while (bin > 0 && Number.isNaN(line.high[bin]!)) bin--;
    const [low, high] = [line.low[bin]!, line.high[bin]!];
    if (Number.isNaN(high)) return [];
    const [from, to] = [seriesValue(low, line.unit), seriesValue(high, line.unit)];
    return [`${nameOf(lines, line.id)} ${rangeWords(from, to)}`.trim()];
  });
}
