/** `spanflame convert` to outputs for people: the report as one page, the graph as a picture. */
import type { Core } from "../core/core.ts";
import { outlineOf } from "../core/outline.ts";
import type { Filter } from "../core/types.ts";
import { why } from "../core/why.ts";
import type { Chipped } from "../model/query/chips.ts";
import { EMPTY_QUERY } from "../model/query/query.ts";
import type { Shape } from "../model/query/shape.ts";
import { measured } from "../model/recording/measure.ts";
import { formatBytes, formatCounted } from "../model/words/format.ts";
import type { ShownFormat } from "../model/words/shown-formats.ts";
import { REPORT_TOP, reportHtml } from "../report/html.ts";
import { flamePicture, PICTURE_WIDTH } from "../report/picture.ts";
import { reportFrames, WHOLE_WIDTH } from "../report/report-frames.ts";
import { SELECTION_KEYS } from "../report/selection.ts";
import type { Subject } from "../report/subject.ts";
import type { ProfileChoice } from "./arguments.ts";
import { ExitCode, UsageError } from "./exit.ts";
import type { NamedInput } from "./inputs.ts";
import { Output } from "./output.ts";
import { type Chosen, chosenProfile, readSaid } from "./read.ts";
import { replacing } from "./replacement.ts";
import { note, say } from "./terminal.ts";

type Values = ProfileChoice & { gzip?: boolean | undefined; strict?: boolean | undefined };

export async function convertShown(
  inputs: readonly NamedInput[],
  path: string,
  format: ShownFormat,
  { filter, shape }: Chipped,
  values: Values,
): Promise<ExitCode> {
  if (format === "png") throw new UsageError("--format png: only the page can draw it; svg is a picture, too");
  const { core, exit } = await readSaid(inputs, values);
  if (exit === ExitCode.Failed) return exit;
  const chosen = onlyProfile(core, values);
  if (chosen === null) {
    say("spanflame: no samples: nothing to show");
    return ExitCode.Failed;
  }
  const subject = subjectOf(
    core,
    inputs.map(({ path }) => path),
    chosen,
    filter,
    shape,
  );
  core.views.shape(shape);
  const parts = format === "html" ? report(core, subject) : picture(core, subject);
  const gzip = values.gzip === true || /\.gz$/i.test(path);
  const size = await replacing((files) => {
    const output = new Output(files.open(path), { gzip, framed: false });
    let bytes = 0;
    for (const part of parts) bytes += output.text(part);
    output.close();
    return bytes;
  });
  if (subject.totals.samples === 0) say("spanflame: no samples pass the filter");
  note(`spanflame: ${formatCounted(subject.totals.samples, "sample")} of ${chosen.profile.type}, ${formatBytes(size)}`);
  return exit;
}

/** The profile that is named; where the recording has but one, that. */
function onlyProfile(core: Core, values: Values): Chosen | null {
  const [first, ...others] = core.profiles();
  const named = values.type !== undefined || values.event !== undefined;
  if (named || others.length > 0) return chosenProfile(core, values);
  return first === undefined ? null : chosenProfile(core, { ...values, type: first.type });
}

function subjectOf(core: Core, names: string[], { profile, measure }: Chosen, filter: Filter, shape: Shape): Subject {
  return {
    names,
    files: core.files(),
    profile: measured(profile, measure),
    totals: core.select(profile.id, filter, measure),
    filter,
    drawing: { ...EMPTY_QUERY, shape },
    time: core.views.timeBounds(),
    zeros: core.views.timeRows(),
  };
}

function report(core: Core, subject: Subject): Iterable<string> {
  const { profile, filter, drawing } = subject;
  const outline = outlineOf(core, core.profiles(), filter, SELECTION_KEYS);
  // Ends with the samples of the report selected.
  const { pauses, pausesKnown } = why(core, { profile: profile.id, filter, measure: profile.measure });
  core.views.shape(drawing.shape);
  const answer = reportFrames(core.views.frames({ focus: 0, width: WHOLE_WIDTH }));
  const top = core.views.top("self", 0, REPORT_TOP);
  return reportHtml({
    graphs: [{ subject, answer, top }],
    selection: { outline, pauses, pausesKnown },
    now: new Date(),
  });
}

function picture(core: Core, subject: Subject): Iterable<string> {
  return flamePicture(subject, core.views.frames({ focus: 0, width: PICTURE_WIDTH }), false).parts;
}
