/** The beginning of a report, in the words and the order of the page's Overview. */
import type { Filter } from "../core/types.ts";
import type { TimeNote } from "../model/query/time-notes.ts";
import type { BreakdownPart } from "../model/span-time/breakdown.ts";
import { atOnceWords, PART_WORDS } from "../model/span-time/words.ts";
import { durationWords, OTHERS } from "../model/trace/operation-words.ts";
import type { ToldTime } from "../model/why/sentence.ts";
import type { slowWords, WhyWords } from "../model/why/why-text.ts";
import { formatCounted, formatPercent } from "../model/words/format.ts";
import { formatMoment, formatSpan, zeroOf } from "../model/words/moments.ts";
import { escapeText } from "./escape.ts";
import type { Subject } from "./subject.ts";
import { tableSection, textRow } from "./table.ts";

/** The time of the requests of a selection. */
export interface ReportTime extends ToldTime {
  source: Parameters<typeof durationWords>[1];
  cpu: number | null;
  rest: (NonNullable<ToldTime["rest"]> & { duration: number }) | null;
}

export interface ReportOverview {
  words: Pick<WhyWords, "sentence" | "headline" | "confidence" | "missing" | "pools" | "findings">;
  /** Null where the selection is not of requests. */
  time: ReportTime | null;
  slowest: readonly ReturnType<typeof slowWords>[];
  /** Of a whole recording; null where no sample names one. */
  endpoints?: ReportEndpoints | null;
}

export interface ReportEndpoints {
  title: string;
  /** What the endpoints are ordered by. */
  about: string;
  rows: readonly (readonly string[])[];
}

/** Shares from which a part is named below the bars. */
const LEAST = 0.01;

/** Whether there is a selection to tell of. */
export function isSelection({ rawNames: _, ...conditions }: Filter): boolean {
  return Object.keys(conditions).length > 0;
}

/** `where` has the tables of where the time went. */
export function overviewSection({ words, time, slowest, endpoints = null }: ReportOverview, where = ""): string {
  const { sentence, headline, confidence, missing, pools, findings } = words;
  return `<section aria-labelledby="overview-title">
<h2 id="overview-title">Overview</h2>
${time === null || time.duration === 0 ? "" : bars(time)}
<p class="lead" id="sentence"><bdi>${escapeText(sentence)}</bdi></p>
<p class="hint" id="headline">${escapeText(`${headline}. ${confidence}`)}</p>
${missing === null ? "" : line([missing.words, missing.setting ?? ""].join(" ").trim())}
</section>
${pools === null ? "" : poolsSection(pools)}${slowest.length === 0 ? "" : slowestSection(slowest)}${endpoints === null ? "" : endpointsSection(endpoints)}${where}${findingsSection(findings)}`;
}

function poolsSection({ rows, idle }: NonNullable<WhyWords["pools"]>): string {
  const lines = rows.map(({ name, threads, time, cause }) => textRow([name, threads, time, cause]));
  return tableSection("pools", "Thread pools", idle, [["pool", "threads", "time", "most of it"], ...lines]);
}

function slowestSection(rows: ReportOverview["slowest"]): string {
  const heads = ["request", "duration", "most of it", "others", "start", "id"];
  const lines = rows.map(({ name, duration, cause, alike, clock, id }) =>
    textRow([name, duration, cause, alike, clock, id]),
  );
  return tableSection("slowest", "Slowest requests", "", [heads, ...lines]);
}

function endpointsSection({ title, about, rows }: ReportEndpoints): string {
  const heads = ["endpoint", about, "share", "requests", "p50", "p95", "max"];
  return tableSection("endpoints", title, "", [heads, ...rows.map(textRow)]);
}

function findingsSection(findings: WhyWords["findings"]): string {
  const rows = findings.map(({ name, figure, tone, why, advice }) => {
    const [named = "", share = "", about = ""] = textRow([name, figure, `${why} ${advice}`]);
    return `<li data-tone="${tone}"><strong>${named}</strong> <span>${share}</span>\n<p class="hint">${about}</p></li>`;
  });
  const list = rows.length === 0 ? line("No findings") : `<ul id="findings">\n${rows.join("\n")}\n</ul>`;
  return `<section aria-labelledby="findings-title">
<h2 id="findings-title">Findings</h2>
<p class="hint">known costs, found by rules</p>
${list}
</section>
`;
}

/** The notes on the timeline, in the order of time. */
export function notesSection(notes: readonly TimeNote[], { zeros }: Pick<Subject, "zeros">): string {
  if (notes.length === 0) return "";
  const rows = notes.map(({ from, to, text }) => {
    const zero = zeroOf(zeros, from);
    return textRow([text, zero === null ? "" : formatSpan(from - zero, to - zero), formatMoment(from, 3)]);
  });
  return tableSection("notes", "Notes", "On the timeline.", [["note", "time", "clock"], ...rows]);
}

/** An average request of the selection above one of the others, on one scale. */
function bars({ requests, counted, duration, cpu, source, breakdown, rest }: ReportTime): string {
  const own = duration / counted;
  const others = rest === null ? 0 : rest.duration / rest.counted;
  const most = Math.max(own, others);
  const each = requests === 1 ? "" : ` on average of ${formatCounted(requests, "request")}`;
  const lines = [bar(breakdown, own / most, 12), line(durationWords(own, source) + each)];
  if (rest !== null) {
    const of = `${formatCounted(rest.counted, "other request")}${OTHERS[rest.of]}`;
    lines.push(bar(rest.breakdown, others / most, 6), line(`${durationWords(others, source)} on average of ${of}`));
  }
  const key = breakdown
    .filter(({ nano }) => Number(nano) / duration >= LEAST)
    .map(({ part, nano }) => {
      const swatch = `<svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" data-part="${part}"/></svg>`;
      return `<li>${swatch} ${PART_WORDS[part].name} ${formatPercent(nano, duration)}</li>`;
    });
  const atOnce = atOnceWords({ duration, cpu, counted });
  if (atOnce !== "") lines.push(line(atOnce));
  return `${lines.join("\n")}\n<ul class="legend" id="parts">\n${key.join("\n")}\n</ul>`;
}

const line = (words: string) => `<p class="hint">${escapeText(words)}</p>`;

/** The policy of a report allows no inline styles: widths are attributes, colours in the style. */
function bar(breakdown: readonly BreakdownPart[], width: number, height: number): string {
  const whole = breakdown.reduce((sum, { nano }) => sum + Number(nano), 0);
  let x = 0;
  const parts = breakdown.map(({ part, nano }) => {
    const share = whole === 0 ? 0 : (1000 * width * Number(nano)) / whole;
    const rect = `<rect data-part="${part}" x="${x.toFixed(1)}" width="${share.toFixed(1)}" height="${height}"/>`;
    x += share;
    return rect;
  });
  return `<svg class="time" width="100%" height="${height}" viewBox="0 0 1000 ${height}" preserveAspectRatio="none" aria-hidden="true">${parts.join("")}</svg>`;
}
