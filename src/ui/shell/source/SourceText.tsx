import { ChevronDown, ChevronUp } from "lucide-react";
import { type CSSProperties, type ReactNode, useEffect, useMemo, useState } from "react";
import { hotLines, type SourceLine, type SourceLines, sourceDoubts } from "../../../model/flame/source-files.ts";
import type { SourcePlace } from "../../../model/flame/source-place.ts";
import { filterOf, type Selecting } from "../../../model/query/query.ts";
import { formatBytes, formatPercent, formatProfileValue } from "../../../model/words/format.ts";
import type { Measured } from "../../../model/words/measure.ts";
import { visible } from "../../../model/words/text.ts";
import { viewer } from "../../../worker/client.ts";
import { useAnswer, useSame, useSamples } from "../../parts/answers/use-answer.ts";
import { Share } from "../../parts/grid/Share.tsx";
import { VirtualGrid } from "../../parts/grid/VirtualGrid.tsx";
import { MOST_BYTES, type SourceFile, shelf } from "../../parts/source/shelf.ts";
import { Dialog, type DialogProps } from "../../primitives/dialog/Dialog.tsx";
import { IconButton } from "../../primitives/icon/Icon.tsx";
import css from "./SourceText.module.css";

interface Props extends DialogProps {
  place: SourcePlace | null;
  profile: Measured;
  selecting: Selecting;
}

/** Characters of a line that are shown. */
const LINE_CAP = 500;
const TAB = "    ";
const HEADS = [{ label: "line" }, { label: "self", spare: true }, { label: "total" }, { label: "source" }];

/** The source of a frame with the samples of each line, at the hottest line. */
export function SourceText({ open, onClose, place, profile, selecting }: Props) {
  const title = visible(place?.path.split(/[\\/]/).at(-1) ?? "Source", 80);
  return (
    <Dialog open={open} onClose={onClose} title={title} testId="source-text" wide>
      {open && place !== null && <Source {...{ place, profile, selecting }} />}
    </Dialog>
  );
}

function Source({ place, profile, selecting }: { place: SourcePlace } & Pick<Props, "profile" | "selecting">) {
  const { files, byName } = useMemo(() => shelf.find(place.path), [place]);
  const [chosen, setChosen] = useState(0);
  const file = files[chosen];
  const read = useText(file);
  const samples = useSamples(profile, filterOf(selecting));
  const question = useSame({ samples, path: place.path });
  const answered = useAnswer(question, (asked) => viewer.sourceLines(asked.samples, asked.path));
  const answer = answered?.answer ?? null;
  const doubts = answer === null || read === null || "fault" in read ? "" : sourceDoubts(answer.lines, read.lines);
  return (
    <div className={css.body}>
      <p className={css.facts} data-testid="source-path">
        {files.length > 1 ? (
          <label>
            {files.length} files fit:{" "}
            <select value={chosen} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
              {files.map(({ path }, i) => (
                <option key={path} value={i}>
                  {visible(path, 200)}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <bdi>{visible(file?.path ?? "", 200)}</bdi>
        )}
      </p>
      {byName && <p className={css.doubt}>Found by its name alone: its folder is not that of {visible(place.path)}.</p>}
      {doubts !== "" && <p className={css.doubt}>{doubts}</p>}
      {read !== null && "fault" in read && <p role="alert">{read.fault}</p>}
      {read !== null && "lines" in read && answer !== null && (
        <Lines text={read.lines} answer={answer} profile={profile} first={place.line} />
      )}
      {(read === null || answer === null) && <p role="status">Reading…</p>}
    </div>
  );
}

type Read = { lines: string[] } | { fault: string };

/** The lines of a file; null while they are read. */
function useText(file: SourceFile | undefined): Read | null {
  const [read, setRead] = useState<{ of: SourceFile; read: Read } | null>(null);
  useEffect(() => {
    if (file === undefined) return;
    let isWanted = true;
    const set = (now: Read) => isWanted && setRead({ of: file, read: now });
    if (file.blob.size > MOST_BYTES) {
      set({ fault: `The file has ${formatBytes(file.blob.size)}; up to ${formatBytes(MOST_BYTES)} are shown.` });
    } else {
      file.blob.text().then(
        (text) => set({ lines: text.split(/\r\n|[\n\r]/) }),
        () => set({ fault: "The file cannot be read any more: drop it again." }),
      );
    }
    return () => {
      isWanted = false;
    };
  }, [file]);
  return read !== null && read.of === file ? read.read : null;
}

interface LinesProps {
  text: readonly string[];
  answer: SourceLines;
  profile: Measured;
  /** Of the frame, where no line has a sample. */
  first: number;
}

function Lines({ text, answer, profile, first }: LinesProps) {
  const { whole, self, total } = answer;
  const byLine = useMemo(() => new Map(answer.lines.map((row) => [row.line, row])), [answer]);
  const [active, setActive] = useState((hotLines(answer)[0] ?? Math.max(1, first)) - 1);
  const step = (by: 1 | -1) => {
    const lines = answer.lines.map(({ line }) => line).filter((line) => line > 0 && line <= text.length);
    const next = by === 1 ? lines.find((line) => line > active + 1) : lines.findLast((line) => line < active + 1);
    const line = next ?? lines.at(by === 1 ? 0 : -1);
    if (line !== undefined) setActive(line - 1);
  };
  const unknown = byLine.get(0);
  const most = Math.max(1, ...answer.lines.map((row) => row.total));
  return (
    <>
      <p className={css.facts}>
        <span data-testid="source-totals">
          In this file: self {formatPercent(self, whole)}, total {formatPercent(total, whole)} of the selection
          {unknown !== undefined && `; ${formatPercent(unknown.total, whole)} without a line`}
        </span>
        <span className={css.tools}>
          <IconButton icon={ChevronUp} label="Sampled line before" tip="Shift+N" onClick={() => step(-1)} />
          <IconButton icon={ChevronDown} label="Next sampled line" tip="N" onClick={() => step(1)} />
        </span>
      </p>
      <VirtualGrid
        role="grid"
        label="Lines of the source. N goes to the next line with samples."
        testId="source-lines"
        columns="56px 80px 80px minmax(0, 1fr)"
        narrow="44px 64px minmax(0, 1fr)"
        heads={HEADS}
        count={text.length}
        active={Math.min(active, text.length - 1)}
        align="center"
        onActive={setActive}
        onOpen={() => {}}
        onKey={(key) => {
          if (key.toLowerCase() !== "n") return false;
          step(key === "n" ? 1 : -1);
          return true;
        }}
        row={(index) => {
          const line = visible((text[index] ?? "").replaceAll("\t", TAB), LINE_CAP);
          return { id: `${index + 1}`, title: line.trim(), cells: cellsOf(index + 1, line, byLine, { whole, most }) };
        }}
      />
      <p className={css.facts} role="status" data-testid="source-line">
        Line {active + 1}: {lineWords(byLine.get(active + 1), profile, whole)}
      </p>
    </>
  );
}

function lineWords(row: SourceLine | undefined, profile: Measured, whole: number): string {
  if (row === undefined) return "no samples";
  const total = `${formatProfileValue(row.total, profile)} (${formatPercent(row.total, whole)})`;
  return `self ${formatProfileValue(row.self, profile)}, total ${total}`;
}

/** `most`: total of the hottest line. */
function cellsOf(
  line: number,
  text: string,
  byLine: ReadonlyMap<number, SourceLine>,
  { whole, most }: { whole: number; most: number },
): ReactNode[] {
  const { self, total } = byLine.get(line) ?? { self: 0, total: 0 };
  const share = (value: number) =>
    value > 0 && <Share value={value} whole={whole} text={formatPercent(value, whole)} />;
  return [
    <span key="line" className={css.number}>
      {line}
    </span>,
    share(self),
    share(total),
    <code
      key="code"
      className={css.code}
      data-hot={total > 0 || undefined}
      style={{ "--hot": total / most } as CSSProperties}
    >
      {text}
    </code>,
  ];
}
