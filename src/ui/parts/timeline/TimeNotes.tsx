/** Over the strip: notes at their times, and beside the selected range the ranges around it and a button for a note. */
import { ChevronRight, StickyNote } from "lucide-react";
import { type CSSProperties, type FormEvent, type ReactNode, useEffect, useState } from "react";
import type { TimeRange } from "../../../core/types.ts";
import { LONGEST_NOTE, outerRanges, type TimeNote, withNote } from "../../../model/query/time-notes.ts";
import { placeOf } from "../../../model/timeline/scale.ts";
import { formatNanos } from "../../../model/words/format.ts";
import { formatSpan } from "../../../model/words/moments.ts";
import { visible } from "../../../model/words/text.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { Popover } from "../../primitives/popover/Popover.tsx";
import type { ViewProps } from "../answers/view-props.ts";
import css from "./TimeNotes.module.css";
import type { TimeView } from "./use-time-view.ts";

interface Props extends Pick<ViewProps, "act"> {
  view: TimeView;
  range: TimeRange | null;
  onRange: (range: TimeRange | null) => void;
  notes: readonly TimeNote[];
}

export function TimeNotes({ view, range, onRange, notes, act }: Props) {
  const { row, shown } = view;
  const outer = useOuter(range);
  const left = range === null ? 0 : placeOf(shown, range.from);
  const right = range === null ? 0 : placeOf(shown, range.to);
  const change = (old: TimeNote | null, note: TimeNote) => act({ kind: "notes", notes: withNote(notes, old, note) });
  return (
    <>
      {notes
        .filter(({ from, to }) => to > shown.from && from < shown.to)
        .map((note) => (
          <div
            key={`${note.from} ${note.text}`}
            className={css.note}
            data-testid="note"
            style={{ "--at": `${100 * Math.max(0, placeOf(shown, note.from))}%` } as CSSProperties}
          >
            <Popover
              label={<bdi>{visible(note.text, LONGEST_NOTE)}</bdi>}
              title={`Note at ${formatSpan(note.from - row.from, note.to - row.from)}: ${visible(note.text, LONGEST_NOTE)}`}
              look="quiet"
              testId="note-open"
            >
              {(close) => (
                <NoteForm note={note} onSave={(text) => change(note, { ...note, text })} onClose={close}>
                  <Button onClick={() => onRange({ from: note.from, to: note.to })}>Select its time</Button>
                </NoteForm>
              )}
            </Popover>
          </div>
        ))}
      {range !== null && (
        // On the side with more room, where nothing is selected.
        <div className={css.tools} data-side={left > 1 - right ? "left" : "right"}>
          {outer.length > 0 && (
            <nav className={css.outer} aria-label="Ranges of time around the selected one">
              {[null, ...outer.slice(-2)].map((each) => (
                <Button
                  key={each === null ? "" : `${each.from}`}
                  look="quiet"
                  testId="outer-range"
                  tip={each === null ? "The whole recording" : formatSpan(each.from - row.from, each.to - row.from)}
                  onClick={() => onRange(each)}
                >
                  {each === null ? "All" : formatNanos(each.to - each.from)} <Icon of={ChevronRight} size={12} />
                </Button>
              ))}
              <span aria-current="true">{formatNanos(range.to - range.from)}</span>
            </nav>
          )}
          <Popover
            label={<Icon of={StickyNote} size={14} />}
            look="icon"
            name="Add a note"
            title="Add a note"
            testId="note-add"
          >
            {(close) => <NoteForm onSave={(text) => change(null, { ...range, text })} onClose={close} />}
          </Popover>
        </div>
      )}
    </>
  );
}

interface FormProps {
  note?: TimeNote;
  /** "" takes the note away. */
  onSave: (text: string) => void;
  onClose: () => void;
  children?: ReactNode;
}

function NoteForm({ note, onSave, onClose, children }: FormProps) {
  const [text, setText] = useState(note?.text ?? "");
  const save = (next: string) => {
    onClose();
    onSave(next);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save(text);
  };
  return (
    <form className={css.form} onSubmit={onSubmit}>
      <input
        data-first
        data-testid="note-text"
        aria-label="Note"
        placeholder="What happens here"
        maxLength={LONGEST_NOTE}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div className={css.actions}>
        <button type="submit" data-look="primary">
          Save
        </button>
        {note !== undefined && (
          <Button testId="note-delete" onClick={() => save("")}>
            Delete
          </Button>
        )}
        {children}
      </div>
      <p className={css.hint}>Links and reports have the notes.</p>
    </form>
  );
}

/** The ranges that were selected before and contain the present one. */
function useOuter(range: TimeRange | null): TimeRange[] {
  const [before, setBefore] = useState<readonly TimeRange[]>([]);
  useEffect(() => {
    if (range !== null) setBefore((all) => [...outerRanges(all, range), range]);
    else setBefore([]);
  }, [range]);
  return outerRanges(before, range);
}
