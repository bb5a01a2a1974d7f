import { useId, useState } from "react";
import type { SourcePlace } from "../../../model/flame/source-place.ts";
import { SOURCE_TOOLS, sourceLink, templateFault } from "../../../model/words/source-links.ts";
import { visible } from "../../../model/words/text.ts";
import { Dialog, type DialogProps } from "../../primitives/dialog/Dialog.tsx";
import { Button } from "../../primitives/icon/Icon.tsx";
import css from "./SourceDialog.module.css";
import { openSource, setSourceTemplate, sourceTemplate } from "./source-template.ts";

export interface SourceDialogProps extends DialogProps {
  /** Of the current frame, for the example; null where it has none. */
  place: SourcePlace | null;
}

const EXAMPLE: SourcePlace = { path: "com/acme/Ops.java", line: 118, words: "Ops.java:118", library: "" };

/** The template that leads from a frame to its source. */
export function SourceDialog({ open, onClose, place }: SourceDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Links to the source" testId="source-dialog">
      {open && <SourceForm place={place} onClose={onClose} />}
    </Dialog>
  );
}

function SourceForm({ place, onClose }: Omit<SourceDialogProps, "open">) {
  const about = useId();
  const [template, setTemplate] = useState(sourceTemplate);
  const fault = template.trim() === "" ? "" : templateFault(template);
  const { path, line } = place ?? EXAMPLE;
  const save = () => {
    if (fault !== "") return;
    setSourceTemplate(template.trim());
    onClose();
    if (place !== null) openSource(place);
  };
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <div className={css.tools}>
        {SOURCE_TOOLS.map((tool) => (
          <Button key={tool.name} onClick={() => setTemplate(tool.template)}>
            {tool.name}
          </Button>
        ))}
      </div>
      <label className={css.field}>
        <span>Template</span>
        <input
          data-first
          data-testid="source-template"
          value={template}
          placeholder={SOURCE_TOOLS[0]?.template}
          spellCheck={false}
          aria-describedby={about}
          aria-invalid={fault !== ""}
          onChange={(event) => setTemplate(event.currentTarget.value)}
        />
      </label>
      <div id={about} className={css.about}>
        <p>
          <code>{"{path}"}</code> is the file, <code>{"{line}"}</code> the line. Replace the words in capitals. The
          template is stored in this browser.
        </p>
        <p role="status" className={fault === "" ? css.example : css.fault} data-testid="source-example">
          {fault === "" ? visible(sourceLink(template, path, line) ?? "", 400) : fault}
        </p>
      </div>
      <div className={css.foot}>
        <Button onClick={onClose}>Cancel</Button>
        <button type="submit" data-look="primary" data-testid="source-save" aria-disabled={fault !== ""}>
          {place === null ? "Save" : "Save and open"}
        </button>
      </div>
    </form>
  );
}
