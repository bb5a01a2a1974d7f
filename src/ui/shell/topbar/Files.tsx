import { ChevronDown } from "lucide-react";
import { memo } from "react";
import { shownNames } from "../../../model/recording/shown-names.ts";
import { formatBytes } from "../../../model/words/format.ts";
import { visible } from "../../../model/words/text.ts";
import type { InputFile } from "../../../worker/api.ts";
import { FilePicker } from "../../parts/files/FilePicker.tsx";
import { SplitText } from "../../parts/grid/SplitText.tsx";
import { withoutSymbols } from "../../parts/symbols/sort-files.ts";
import { Button, Icon } from "../../primitives/icon/Icon.tsx";
import { Popover } from "../../primitives/popover/Popover.tsx";
import css from "./Files.module.css";

interface Props {
  files: InputFile[];
  /** Others are chosen, in their place or beside them. */
  onFiles: (files: InputFile[]) => void;
  /** What is on the page from now on; the filters stay. */
  onChange: (files: InputFile[]) => void;
  /** Shows the samples of one file only. */
  onOnly: ((name: string) => void) | undefined;
}

/** The files of the recording, to add to and to remove from: all of them are read again. */
export const Files = memo(function Files({ files, onFiles, onChange, onOnly }: Props) {
  const names = shownNames(files.map(({ name }) => name)).map((name) => visible(name, 120));
  return (
    <Popover
      label={
        <>
          <SplitText text={names.join(", ").slice(0, 120)} className={css.label} /> <Icon of={ChevronDown} size={14} />
        </>
      }
      look="quiet"
      title={`Files: ${names.join(", ").slice(0, 400)}`}
      testId="files"
      className={css.names}
    >
      {(close) => {
        const change = (changed: InputFile[]) => {
          close();
          onChange(changed);
        };
        return (
          <div className={css.files}>
            <ul aria-label="Files on the page">
              {files.map((file, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name
                <li key={index} className={css.file} data-testid="file">
                  <bdi className={css.name}>{visible(file.name, 120)}</bdi>
                  <span className={css.size}>{formatBytes(sizeOf(file))}</span>
                  {files.length > 1 && onOnly !== undefined && (
                    <Button
                      aria-label={`Show only ${visible(file.name, 120)}`}
                      onClick={() => {
                        close();
                        onOnly(file.name);
                      }}
                    >
                      Only
                    </Button>
                  )}
                  <Button
                    aria-label={`Remove ${visible(file.name, 120)}`}
                    onClick={() => change(files.filter((_, i) => i !== index))}
                  >
                    Remove
                  </Button>
                </li>
              ))}
            </ul>
            <FilePicker
              label="Add files…"
              testId="add-input"
              onFiles={async (added) => {
                const recordings = await withoutSymbols(added);
                if (recordings.length > 0) change([...files, ...recordings]);
                else close();
              }}
            />
            <FilePicker
              isFolder
              label="Open a folder…"
              onFiles={(chosen) => {
                close();
                onFiles(chosen);
              }}
            />
          </div>
        );
      }}
    </Popover>
  );
});

/** Bytes of a file, or of all files of a dump. */
function sizeOf({ blob, parts = [] }: InputFile): number {
  return parts.reduce((sum, part) => sum + part.blob.size, blob.size);
}
