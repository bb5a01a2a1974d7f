import type { LucideIcon } from "lucide-react";
import { useRef } from "react";
import type { InputFile } from "../../worker/api.ts";
import { Icon } from "../icon/Icon.tsx";
import { IconButton } from "../icon/IconButton.tsx";
import { filesOf } from "./inputs.ts";

interface Props {
  label: string;
  /** Stands for the label, which is then the name. */
  icon?: LucideIcon;
  look?: "primary";
  className?: string | undefined;
  testId?: string;
  onFiles: (files: InputFile[]) => void;
}

/** A button that opens the system's file dialogue. */
export function FilePicker({ label, icon, look, className, testId = "file-input", onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      {icon !== undefined && look === undefined ? (
        <IconButton icon={icon} label={label} onClick={() => input.current?.click()} />
      ) : (
        <button type="button" data-look={look} className={className} onClick={() => input.current?.click()}>
          {icon !== undefined && <Icon of={icon} />} {label}
        </button>
      )}
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
