import { useRef } from "react";
import type { InputFile } from "../../worker/api.ts";
import { filesOf } from "./inputs.ts";

interface Props {
  label: string;
  className?: string | undefined;
  testId?: string;
  onFiles: (files: InputFile[]) => void;
}

/** A button that opens the system's file dialogue. */
export function FilePicker({ label, className, testId = "file-input", onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className={className} onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        data-testid={testId}
        onChange={(event) => {
          const files = filesOf(event.currentTarget.files ?? []);
          // The same file picked again must fire again.
          event.currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
