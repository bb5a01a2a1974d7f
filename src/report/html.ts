/**
 * The report: one HTML file that opens from disk. Its policy allows one script and one style, the same in every report,
 * by their hashes, and no requests. Names of the recording are escaped text, or JSON that the script inserts only as
 * text.
 */
import { SCRIPT, SCRIPT_HASH, STYLE, STYLE_HASH } from "virtual:report-page";
import type { RowValues } from "../core/answers/row-values.ts";
import type { FramesAnswer, TopRow } from "../core/types.ts";
import { VERSION } from "../core/version.ts";
import { cssOf } from "../model/flame/colour.ts";
import type { Chain } from "../model/flame/fold.ts";
import type { TimeNote } from "../model/query/time-notes.ts";
import { fileCounts, fileFacts, processFacts } from "../model/recording/about.ts";
import { signalWords } from "../model/recording/contention.ts";
import { lossSentence } from "../model/recording/loss-words.ts";
import { counterWords } from "../model/recording/native-words.ts";
import { settingSentences } from "../model/recording/setting-words.ts";
import { inferredShare } from "../model/trace/coverage.ts";
import { hiddenWords } from "../model/words/answer-words.ts";
import {
  formatCount,
  formatCounted,
  formatEstimate,
  formatFigure,
  formatNanos,
  formatPercent,
  formatProfileValue,
} from "../model/words/format.ts";
import { formatMoment } from "../model/words/moments.ts";
import { visible } from "../model/words/text.ts";
import { callsSection, type ReportCalls } from "./calls.ts";
import { toData } from "./data.ts";
import { escapeText, scriptJsonParts } from "./escape.ts";
import { type Legend, legendFor } from "./legend.ts";
import { notesSection, overviewSection, type ReportOverview } from "./overview.ts";
import { type Selected, selectionFacts, selectionTitle } from "./selection.ts";
import { filtersOf, groupingWords, namesWords, profileWords, type Subject, totalsWords } from "./subject.ts";
import { tableSection } from "./table.ts";
import { type ReportTraces, timeSections, tracesSection } from "./traces.ts";

/** Functions in the table. */
export const REPORT_TOP = 50;
/** Files whose facts are listed separately. */
const MOST_FILES = 20;

/** One profile of a report. */
export interface ReportGraph {
  subject: Subject;
  /** The whole graph, or the widest frames of it (shown.ts). */
  answer: FramesAnswer;
  /** Its prefixes that are one frame each. */
  chains?: readonly Chain[];
  /** The heaviest by self value; and of samples with inferred context by name, where there are any. */
  top: { count: number; rows: readonly TopRow[]; inferred?: RowValues | undefined };
}

export interface ReportContent {
  /** At least one; of the same files and filters. */
  graphs: readonly [ReportGraph, ...ReportGraph[]];
  selection: Selected;
  /** Of a selection. */
  overview?: ReportOverview | undefined;
  /** Of the page's timeline. */
  notes?: readonly TimeNote[];
  /** Of dumps. */
  calls?: ReportCalls | undefined;
  /** Where spans are known. */
  traces?: ReportTraces | undefined;
  /** Native frames that are known by address (native-words.ts); "" if there are none. */
  native?: string | undefined;
  /** When it is made. */
  now: Date;
}

/** The file in parts, in their order: a page rests between them. */
export function* reportHtml({
  graphs,
  selection,
  overview,
  notes = [],
  calls,
  traces,
  native = "",
  now,
}: ReportContent): Generator<string> {
  const [{ subject }] = graphs;
  const single = graphs.length === 1;
  const title = single
    ? `${profileWords(subject.profile)} · ${namesWords(subject.names)}`
    : `${selectionTitle(selection, subject)} · ${namesWords(subject.names)}`;
  const where = traces === undefined ? "" : timeSections(traces);
  const policy = `default-src 'none'; script-src '${SCRIPT_HASH}'; style-src '${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Spanflame ${VERSION}">
<title>${escapeText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeText(title)}</h1>
${single ? totalsLine(subject, "") : ""}${single ? lossLine(subject) : ""}
${filterList(subject)}
</header>
<main>
${overview === undefined ? where : overviewSection(overview, where)}${notesSection(notes, subject)}<section aria-labelledby="selection-title">
<h2 id="selection-title">Selection</h2>
${definitions(selectionFacts(selection, subject.filter))}
${single ? "" : profileTable(graphs.map((graph) => graph.subject))}
</section>
${calls === undefined ? "" : callsSection(calls)}${traces === undefined ? "" : tracesSection(traces)}`;
  for (const [i, graph] of graphs.entries()) yield* graphParts(graph, i, single);
  yield `${facts(
    graphs.map((graph) => graph.subject),
    native,
  )}
</main>
<footer><p class="hint">Written by Spanflame ${VERSION} on ${formatMoment(BigInt(now.getTime()) * 1_000_000n)}. This file is complete and makes no network requests.</p></footer>
<script>${SCRIPT}</script>
</body>
</html>
`;
}

/** Ids of the parts of a graph end so; those of the first graph have no ending. */
const suffixOf = (index: number) => (index === 0 ? "" : `-${index + 1}`);

function* graphParts(
  { subject, answer, chains = [], top }: ReportGraph,
  index: number,
  single: boolean,
): Generator<string> {
  const { profile, drawing } = subject;
  const suffix = suffixOf(index);
  const regrouped = drawing.grouping !== "stacks";
  yield `<section aria-labelledby="graph-title${suffix}">
<h2 id="graph-title${suffix}">${single ? "Flame graph" : escapeText(profileWords(profile))}</h2>
${single ? "" : totalsLine(subject, suffix) + lossLine(subject)}
<p class="hint">${escapeText(`${groupingWords(subject)}; ${hiddenWords(answer, regrouped)}`)}</p>
<noscript><p class="hint">The graph needs JavaScript. The table below does not.</p></noscript>
<div class="graph" id="graph${suffix}"></div>
${legendList(legendFor(subject, answer))}
</section>
${topTable(subject, top, suffix, single ? "Top functions" : `Top functions of ${profileWords(profile)}`)}
<script type="application/json" id="data${suffix}">`;
  yield* scriptJsonParts(toData(answer, profile, drawing, chains));
  yield "</script>\n";
}

function totalsLine(subject: Subject, suffix: string): string {
  const { samples, value } = subject.totals;
  return `<p class="totals" id="totals${suffix}" data-samples="${samples}" data-value="${value}">${escapeText(totalsWords(subject))}</p>`;
}

/** What the recorder left out, after the totals. */
function lossLine({ profile }: Subject): string {
  const sentence = lossSentence(profile);
  return sentence === null ? "" : `\n<p class="hint">${escapeText(visible(sentence))}</p>`;
}

/** The samples of the selection in each profile, with the way to its graph. */
function profileTable(subjects: readonly Subject[]): string {
  const rows = subjects.map(({ profile, totals }, i) => {
    const value = [formatProfileValue(totals.value, profile), formatEstimate(totals.value, profile) ?? ""];
    const cells = [
      formatCount(totals.samples),
      value.filter(Boolean).join(", "),
      formatPercent(totals.value, profile.value),
    ].map((text) => `<td>${escapeText(text)}</td>`);
    const name = escapeText(profileWords(profile));
    return `<tr><th scope="row"><a href="#graph-title${suffixOf(i)}">${name}</a></th>${cells.join("")}</tr>`;
  });
  return `<div class="scroller" role="group" aria-label="Profiles" tabindex="0">
<table class="profiles">
<thead><tr><th scope="col">profile</th><th scope="col">samples</th><th scope="col">value</th><th scope="col">of the profile</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</div>`;
}

function filterList(subject: Subject): string {
  const filters = filtersOf(subject);
  if (filters.length === 0) return '<p class="hint">Not filtered: the whole profile.</p>';
  const rows = filters.map(({ full }) => `<li><bdi>${escapeText(full)}</bdi></li>`).join("\n");
  return `<ul class="filters" aria-label="Active filters">\n${rows}\n</ul>`;
}

/** As attributes, because the policy allows no inline styles. */
function legendList(legend: Legend): string {
  const rows = legend.rows.map(({ label, tones: [tone], share }) => {
    const fill = tone === undefined ? "none" : `light-dark(${cssOf(tone, false)}, ${cssOf(tone, true)})`;
    const swatch = `<svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" fill="${fill}"/></svg>`;
    return `<li>${swatch} ${escapeText(label)} ${share}</li>`;
  });
  return `<p class="hint">${escapeText(legend.title)}, with shares of self:</p>
<ul class="legend">
${rows.join("\n")}
</ul>`;
}

function topTable(
  { profile, totals }: Subject,
  { count, rows, inferred }: ReportGraph["top"],
  suffix: string,
  title: string,
): string {
  const value = (part: bigint) => [escapeText(formatFigure(part, profile)), formatPercent(part, totals.value)];
  const hasInferred = inferred !== undefined && inferred.size > 0;
  const marked = (name: string, total: bigint) => {
    if (!hasInferred) return [];
    const of = inferred.get(name)?.total ?? 0;
    return [of > 0 ? inferredShare(of, Number(total)) : ""];
  };
  const lines = rows.map(({ name, self, total }) => {
    const shown = name === "" ? "(no name)" : visible(name);
    return [`<bdi>${escapeText(shown)}</bdi>`, ...value(self), ...value(total), ...marked(name, total)];
  });
  const which =
    count > rows.length ? `The ${rows.length} heaviest of ${formatCounted(count, "function")}` : "All of them";
  const heads = ["function", "self", "%", "total", "%", ...(hasInferred ? ["context"] : [])];
  const about = `${which}, by self value. Total counts recursion once.`;
  return tableSection("top", title, about, [heads, ...lines], suffix);
}

/** The facts that a recipient of such a file would ask for first. */
function facts(subjects: readonly Subject[], native: string): string {
  const [{ time, files }] = subjects as [Subject, ...Subject[]];
  const range = time === null ? "" : `${formatMoment(time.from)} – ${formatMoment(time.to)}`;
  const pairs: [label: string, value: string][] = [
    ...subjects.flatMap(profileFacts),
    ["Time of samples", time === null ? "" : `${range} (${formatNanos(time.to - time.from)})`],
    ["Native frames by address", native],
  ];
  const lists = files.slice(0, MOST_FILES).map((file) => {
    const { startUnixNano, durationNano } = fileFacts(file);
    const recorded = formatMoment(startUnixNano);
    const facts = processFacts(file).map(({ label, value }): [string, string] => [label, visible(value)]);
    if (recorded !== "") facts.push(["Recorded", `${recorded}, ${formatNanos(durationNano)}`]);
    facts.push(["Contains", fileCounts(file).join(", ")], ["Profiler’s counters", counterWords(file.counters)]);
    return `<h3><bdi>${escapeText(namesWords([file.name]))}</bdi></h3>\n${definitions(facts)}`;
  });
  if (files.length > MOST_FILES)
    lists.push(`<p class="hint">and ${formatCounted(files.length - MOST_FILES, "more file")}</p>`);
  return `<section aria-labelledby="facts-title">
<h2 id="facts-title">Recording</h2>
${definitions(pairs)}
${lists.join("\n")}
</section>`;
}

function profileFacts({ profile, totals }: Subject): [label: string, value: string][] {
  const value = [formatProfileValue(totals.value, profile), formatEstimate(totals.value, profile) ?? ""];
  const events = Object.keys(profile.events).map((name) => visible(name, 120));
  return [
    ["Profile", profileWords(profile)],
    ["Unit", visible(profile.unit, 80)],
    ["Events", events.join(", ")],
    ["Samples", profile.exact ? "" : formatCounted(totals.samples, "sample")],
    ["Value", value.filter(Boolean).join(", ")],
    ["Recorder", visible([...signalWords(profile), ...settingSentences(profile)].join(" "))],
  ];
}

function definitions(pairs: [label: string, value: string][]): string {
  const rows = pairs
    .filter(([, value]) => value !== "")
    .map(([label, value]) => `<div><dt>${label}</dt><dd><bdi>${escapeText(value)}</bdi></dd></div>`);
  return `<dl>\n${rows.join("\n")}\n</dl>`;
}
