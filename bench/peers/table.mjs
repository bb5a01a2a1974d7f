/** The table of the comparison as Markdown, a row per recording and reader. */
import { median } from "../load.mjs";

const COLUMNS = [
  "recording",
  "reader",
  "samples",
  "warm, MB/s",
  "million samples/s",
  "warm CPU, ms",
  "CPU, s",
  "peak, MiB",
];

export function head() {
  return `${row(COLUMNS)}\n${row(COLUMNS.map((_, i) => (i < 2 ? "---" : "---:")))}`;
}

/** Rows of one recording; every figure is the median of the rounds and bears its ratio to Spanflame's. */
export function rows(recording, results) {
  const [ours, ...theirs] = results.map((result) => figures(recording.bytes, result));
  const name = `${recording.name}, ${(recording.bytes / 1e6).toFixed(1)} MB`;
  return [cells(name, ours, null), ...theirs.map((its) => cells("", its, ours))].map(row);
}

/**
 * The fastest pass of all rounds, and the least processor time of a pass: on a machine with other work they are closer
 * to what a quiet one gives than medians are.
 */
export function bestPasses(results) {
  const found = results.filter(({ failed }) => failed === null);
  const best = found.map(({ bestMs, cpuMs }) => [Math.min(...bestMs), Math.min(...cpuMs)]);
  const [[ms, cpu] = []] = best;
  return found.map(({ name }, i) => {
    const [itsMs, itsCpu] = best[i];
    return (
      `  ${name}: fastest pass ${itsMs.toFixed(0)} ms (× ${(itsMs / ms).toFixed(2)}), ` +
      `least processor time ${itsCpu.toFixed(0)} ms (× ${(itsCpu / cpu).toFixed(2)})`
    );
  });
}

/**
 * Each reader converts a different part of a recording, so the rates are compared for the recording that each converts
 * most of.
 */
export function bestRates(all) {
  const most = new Map();
  for (const { recording, results } of all) {
    for (const result of results.filter(({ failed, does }) => failed === null && does === "converts")) {
      const its = { ...figures(recording.bytes, result), on: recording.name };
      if (its.samples > (most.get(its.reader)?.samples ?? 0)) most.set(its.reader, its);
    }
  }
  return [...most.values()].map(
    ({ reader, on, samples, rate, warmCpu }) =>
      `${reader} most samples on ${on}: ${samples.toLocaleString("en")}, ${rate.toFixed(2)} million/s, ` +
      `${(samples / 1e3 / warmCpu).toFixed(2)} million per second of CPU`,
  );
}

function figures(bytes, { name, does, failed, samples, bestMs, cpuMs, once }) {
  const reader = `${name} ${does}`;
  if (failed !== null) return { reader, failed };
  const seconds = median(bestMs) / 1e3;
  const peaks = once.map(({ peakMiB }) => peakMiB);
  return {
    reader,
    failed,
    samples,
    speed: bytes / 1e6 / seconds,
    rate: samples / 1e6 / seconds,
    warmCpu: median(cpuMs),
    cpu: median(once.map(({ cpuMs }) => cpuMs)) / 1e3,
    peak: peaks.includes(null) ? null : median(peaks),
  };
}

function cells(name, its, ours) {
  if (its.failed !== null) return [name, its.reader, `failed: ${its.failed}`, "", "", "", "", ""];
  const beside = (key, digits) => {
    if (its[key] === null) return "–";
    const ratio = ours?.[key] > 0 ? ` (× ${(its[key] / ours[key]).toFixed(2)})` : "";
    return its[key].toFixed(digits) + ratio;
  };
  // A rate of a handful of samples is that of skipping, and its ratio says nothing.
  const alike = ours !== null && Math.min(its.samples, ours.samples) * 10 >= Math.max(its.samples, ours.samples);
  const rate = alike ? beside("rate", 2) : its.rate.toFixed(2);
  const samples = its.samples.toLocaleString("en");
  const cost = [beside("warmCpu", 0), beside("cpu", 2), beside("peak", 0)];
  return [name, its.reader, samples, beside("speed", 0), rate, ...cost];
}

function row(cells) {
  return `| ${cells.join(" | ")} |`;
}
